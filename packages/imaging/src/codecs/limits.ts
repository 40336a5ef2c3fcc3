/** An AVIF is decoded as a whole, in 18 to 25 bytes per pixel; all other formats take 3 to 9. */
export const AVIF_PIXELS_MAX = 24_000_000;
export const PIXELS_OF_AN_AVIF_PIXEL = 5;
/** Each scan is a pass over the whole image; programs write about ten. */
export const JPEG_SCANS_MAX = 50;
export const IMAGE_SIDE_PX_MAX = 32_768;
/** Maximum total size of the decompressed profile and texts of a PNG. */
export const PNG_METADATA_BYTES_MAX = 4 * 1024 * 1024;
export const TIFF_CHANNELS_MAX = 8;

export const IMAGE_PIXELS_MAX = 64_000_000;
/** Smaller images for printing or products are client errors. */
export const ART_SIDE_PX_MIN = 8;
