/** A phone's largest HEIC has 48 million pixels. libheif holds about 14 bytes a pixel at its peak. */
export const HEIF_PIXELS_MAX = 50_000_000;
/** Tiles and other items of a HEIC. */
export const HEIF_ITEMS_MAX = 4096;
/** resvg takes up to 20 bytes a pixel. */
export const SVG_PIXELS_MAX = 24_000_000;
export const SVG_BYTES_MAX = 8 * 1024 * 1024;
export const SVG_ELEMENTS_MAX = 100_000;
/** Nested elements: resvg recurses, and a WebAssembly stack is small. */
export const SVG_DEPTH_MAX = 256;
export const SVG_DPI = 96;
export const PDF_PIXELS_MAX = 40_000_000;
/** Legible text of 6 pt, and an A4 page of 2.2 million pixels. */
export const PDF_DPI = 150;
export const PDF_DPI_MIN = 10;
export const PDF_DPI_MAX = 1200;
/** libjxl computes in 32-bit floats: up to 30 bytes a pixel. */
export const JXL_PIXELS_MAX = 20_000_000;
export const ICO_ENTRIES_MAX = 256;
export const ICO_SIDE_PX_MAX = 1024;
export const ANIMATION_FRAMES_MAX = 1000;
/** Frames × pixels: 160 MB as RGBA. */
export const ANIMATION_PIXELS_MAX = 40_000_000;
/** Embedded JPEGs of a RAW file that are compared. */
export const RAW_PREVIEWS_MAX = 64;
export const TIFF_STRIPS_MAX = 200_000;
