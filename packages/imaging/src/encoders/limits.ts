/**
 * Encoders of AVIF and of lossless WebP hold the whole picture in about 32 bytes a pixel, measured at 6 and 12 megapixels; more
 * pixels than this would not fit the memory of an image process.
 */
export const WHOLE_PICTURE_PIXELS_MAX = 16_000_000;
/** What such an encoder takes beside the picture, in pixels of four bytes. */
export const PIXELS_OF_A_WHOLE_PIXEL = 8;
/** Pages of a document written at once, and the pixels of all of them together. */
export const PAGES_MAX = 50;
export const PAGES_PIXELS_MAX = 200_000_000;
/** Decoded pages that are held until they are written; the others are decoded again. */
export const PAGES_HELD_BYTES_MAX = 96 * 1024 * 1024;
/** How often a picture is encoded at most to stay within `max_bytes`. */
export const FITTING_ENCODES_MAX = 8;
/** Quality below which a smaller picture looks better than a worse one. */
export const FITTING_QUALITY_MIN = 35;
/** Sides below this are not worth having: the bound on bytes is refused instead. */
export const FITTING_SIDE_PX_MIN = 8;
/** Colours of a palette. */
export const PALETTE_COLORS = 256;
/** Sides of the pictures in an icon file, in pixels. */
export const ICON_SIDES_PX = [16, 24, 32, 48, 64, 128, 256] as const;
/** Of a PDF whose picture names no density: a pixel of CSS. */
export const PAGE_DPI_DEFAULT = 96;
