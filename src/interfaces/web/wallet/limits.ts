/** Limits of the forms of all wallet pages; the rate limit is shared. */
export const WALLET_FORM = {
  bytesMax: 64 * 1024,
  limit: { name: 'wallet-page', calls: 600, perSeconds: 3600, by: 'address', failuresCount: true },
} as const;
/** Files shown on the wallet page; the files page lists all. */
export const FILES_SHOWN = 8;
/** Files, or entries of the trash, per page. */
export const FILES_A_PAGE = 48;
/** Files that one request permanently deletes from the trash. */
export const EMPTIED_AT_ONCE_MAX = 500;
