/** Payloads of callers without a wallet are looked up by their id for so long. */
export const ANONYMOUS_MARK_LIFETIME_MS = 180 * 86_400_000;

/**
 * Windows of the index up to which the regions of an image are searched where its own windows found nothing: 300,000 images of 82. All searches share one thread, which one by
 * regions takes for a second at 100,000 images, measured, and so for about three there.
 */
export const REGION_SEARCH_WINDOWS_MAX = 25_000_000;

/**
 * Bits up to which a whole image is searched for where neither it nor its windows were found nearer, each to be confirmed by its small copy. Photographs at a sixteenth of their pixels
 * and JPEG quality 3 are mostly 20 to 54 bits from their originals; of 155 other images none is nearer than 82.
 */
export const FAR_DISTANCE_MAX = 55;

/** Small copies compared for one image. */
export const FAR_COMPARED_MAX = 3;
