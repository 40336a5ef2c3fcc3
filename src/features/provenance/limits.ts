/** Lifetime of registered payloads of clients without a wallet. */
export const ANONYMOUS_MARK_LIFETIME_MS = 180 * 86_400_000;

/**
 * Maximum number of windows in the index for a search by image regions, which runs if the image's own windows
 * found nothing: 300,000 images of 82 windows. All searches share one thread; a search by regions takes 1 s
 * at 100,000 images (measured), and so about 3 s at the limit.
 */
export const REGION_SEARCH_WINDOWS_MAX = 25_000_000;

/**
 * Hamming distance up to which whole images are searched if neither the image nor its windows matched more
 * closely; each hit must be confirmed by its thumbnail. Photographs at a sixteenth of their pixels and JPEG
 * quality 3 are mostly 20 to 54 bits from their originals; of 155 other images, none is nearer than 82.
 */
export const FAR_DISTANCE_MAX = 55;

/** Thumbnails compared per image. */
export const FAR_COMPARED_MAX = 3;
