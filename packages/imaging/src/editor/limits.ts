/** Operations of one call. */
export const OPERATIONS_MAX = 50;
/** Pixels of the canvas at any moment. */
export const CANVAS_PIXELS_MAX = 64_000_000;
export const CANVAS_SIDE_PX_MAX = 32_768;
/** Larger canvases are held in 8 bits between operations: in 16 they would not fit the memory of an image process. */
export const DEEP_PIXELS_MAX = 24_000_000;
/** What operations that look at neighbours hold in floats at a time, in samples. */
export const BAND_SAMPLES = 4_000_000;
/** Standard deviation of a blur, in pixels. */
export const BLUR_SIGMA_MAX = 1000;
/** Images beside the one that is edited: layers, masks, backgrounds. */
export const OTHER_IMAGES_MAX = 10;
/** Text of a .cube file. */
export const LUT_BYTES_MAX = 8 * 1024 * 1024;
export const LUT_SIDE_MAX = 65;
/** Boxes of one operation. */
export const BOXES_MAX = 100;
/** Dots per inch that lengths in mm count by, where neither call nor file name any. */
export const LENGTH_DPI_DEFAULT = 300;
