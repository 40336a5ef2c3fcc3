/** The largest HEIC of phones has 48 million pixels. libheif needs about 14 bytes per pixel at its peak. */
export const HEIF_PIXELS_MAX = 50_000_000;
/** Samples of more than 8 bits take twice as much. */
export const HEIF_DEEP_PIXELS_MAX = 24_000_000;
/** resvg takes 20 to 40 bytes per pixel, and up to one CPU second per megapixel if filters cover everything. */
export const SVG_PIXELS_MAX = 12_000_000;
export const SVG_BYTES_MAX = 8 * 1024 * 1024;
export const SVG_IMAGES_MAX = 200;
export const SVG_DPI = 96;
/** PDFium takes 6 bytes per pixel. */
export const PDF_PIXELS_MAX = 40_000_000;
/** Text of 6 pt is legible, and an A4 page has 2.2 million pixels. */
export const PDF_DPI = 150;
export const PDF_DPI_MIN = 10;
export const PDF_DPI_MAX = 1200;
/** Samples of a Photoshop document, which for CMYK exist twice: 64 million pixels of RGB and alpha in 8 bits. */
export const PSD_BYTES_MAX = 256_000_000;
/** A typical phone photograph. libjxl computes in 32-bit floats and takes 60 bytes per pixel. */
export const JXL_PIXELS_MAX = 12_500_000;
export const ICO_ENTRIES_MAX = 256;
export const ICO_SIDE_PX_MAX = 1024;
export const ANIMATION_FRAMES_MAX = 1000;
/** Frames × pixels: 160 MB as RGBA. */
export const ANIMATION_PIXELS_MAX = 40_000_000;
/** Maximum embedded JPEGs of a RAW file that are compared. */
export const RAW_PREVIEWS_MAX = 64;
export const TIFF_PAGES_MAX = 200;
/** Maximum strips or tiles. */
export const TIFF_PARTS_MAX = 100_000;
/** Maximum total size of decompressed strips or tiles. */
export const TIFF_UNPACKED_BYTES_MAX = 256 * 1024 * 1024;
