/** How long one authority may take to answer. */
export const TIME_STAMP_TIMEOUT_MS = 3000;
/** How long all of them may take together: the most a call waits for the stamp of its manifest. */
export const TIME_STAMP_TOTAL_MS = 5000;
/** Largest file of certificates in TSA_TRUST, in bytes. The Adobe and EU lists have a few hundred kB. */
export const TRUST_FILE_BYTES_MAX = 4_194_304;
