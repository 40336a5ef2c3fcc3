/**
 * Maximum size of one store, in bytes. Those of this server have about 20 kB; stores with many steps and
 * thumbnails have a few MB.
 */
export const MANIFEST_STORE_BYTES_MAX = 4 * 1024 * 1024;
/** Maximum number of manifests from other signers per wallet. */
export const FOREIGN_MANIFESTS_MAX = 10_000;
/**
 * Maximum number of manifests of results made from one image per wallet: results are free, so their manifests
 * are limited by paid images.
 */
export const MADE_MANIFESTS_MAX = 16;
/** Maximum number of manifests per response. */
export const MANIFESTS_ANSWERED_MAX = 100;
/** How long the total size is cached. */
export const SUM_LIFETIME_MS = 60_000;
