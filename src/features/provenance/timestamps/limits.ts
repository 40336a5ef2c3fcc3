/** How long one authority may take to answer. */
export const TIME_STAMP_TIMEOUT_MS = 3000;
/** How long all of them may take together: the most a call waits for the stamp of its manifest. */
export const TIME_STAMP_TOTAL_MS = 5000;
/** Largest file of certificates in TSA_TRUST, in bytes. The list goes to a process with every manifest that is read. */
export const TRUST_FILE_BYTES_MAX = 1_000_000;
