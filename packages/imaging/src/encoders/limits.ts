/**
 * The AVIF and lossless WebP encoders hold the whole image at about 32 bytes per pixel, measured at 6 and 12 megapixels; larger images
 * would not fit the memory of an image process.
 */
export const WHOLE_PICTURE_PIXELS_MAX = 16_000_000;
/** Additional memory of such an encoder, in 4-byte pixels per pixel. */
export const PIXELS_OF_A_WHOLE_PIXEL = 8;
/** Pages per document, and the total pixels of all pages. */
export const PAGES_MAX = 50;
export const PAGES_PIXELS_MAX = 200_000_000;
/** Decoded pages held until they are written; the others are decoded again. */
export const PAGES_HELD_BYTES_MAX = 96 * 1024 * 1024;
/** Largest number of encoding attempts to meet `max_bytes`. */
export const FITTING_ENCODES_MAX = 8;
/** Below this quality, a smaller image looks better than a more compressed one. */
export const FITTING_QUALITY_MIN = 35;
/** The byte limit is rejected instead of going below this side. */
export const FITTING_SIDE_PX_MIN = 8;
/** Palette size. */
export const PALETTE_COLORS = 256;
/** Image sides in an icon file, in pixels. */
export const ICON_SIDES_PX = [16, 24, 32, 48, 64, 128, 256] as const;
/** For a PDF page whose image has no density: one CSS pixel. */
export const PAGE_DPI_DEFAULT = 96;
