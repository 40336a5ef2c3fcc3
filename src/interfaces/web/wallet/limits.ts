/** What is posted to the pages of a wallet: one limit for all of them. */
export const WALLET_FORM = {
  bytesMax: 64 * 1024,
  limit: { name: 'wallet-page', calls: 600, perSeconds: 3600, by: 'address', failuresCount: true },
} as const;
/** Files on the wallet's own page; all are on a page of theirs. */
export const FILES_SHOWN = 8;
/** Files, or things in the trash, on one page. */
export const FILES_A_PAGE = 48;
/** Things one press takes out of the trash for good. */
export const EMPTIED_AT_ONCE_MAX = 500;
