/** Bytes of one store: ours take 20 thousand, those with small pictures of many steps some millions. */
export const MANIFEST_STORE_BYTES_MAX = 4 * 1024 * 1024;
/** Manifests of other makers one wallet may keep. */
export const FOREIGN_MANIFESTS_MAX = 10_000;
/** Manifests a wallet may keep of what was made of one picture: results are free, so they grow with what was paid for. */
export const MADE_MANIFESTS_MAX = 16;
/** Manifests one question is answered with. */
export const MANIFESTS_ANSWERED_MAX = 100;
/** How long the sum of all is believed. */
export const SUM_LIFETIME_MS = 60_000;
