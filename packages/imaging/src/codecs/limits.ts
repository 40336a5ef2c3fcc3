/** An AVIF is decoded whole, in 18 to 25 bytes a pixel; every other format takes three to nine. */
export const AVIF_PIXELS_MAX = 24_000_000;
export const PIXELS_OF_AN_AVIF_PIXEL = 5;
/** A JPEG is gone through once for each; programs write about ten. */
export const JPEG_SCANS_MAX = 50;
export const IMAGE_SIDE_PX_MAX = 32_768;
/** What the compressed profile and texts of a PNG may inflate to, together. */
export const PNG_METADATA_BYTES_MAX = 4 * 1024 * 1024;
export const TIFF_CHANNELS_MAX = 8;

export const IMAGE_PIXELS_MAX = 64_000_000;
/** A picture to be printed or shown on a product that is smaller is a mistake. */
export const ART_SIDE_PX_MIN = 8;
