/** Maximum operations per call. */
export const OPERATIONS_MAX = 50;
/** Maximum pixels of the canvas at any time. */
export const CANVAS_PIXELS_MAX = 64_000_000;
export const CANVAS_SIDE_PX_MAX = 32_768;
/** Larger canvases have 8 bits between operations: at 16 bits they would exceed the memory of an image process. */
export const DEEP_PIXELS_MAX = 24_000_000;
/** Maximum float samples that neighbourhood operations hold at a time. */
export const BAND_SAMPLES = 4_000_000;
/** Maximum standard deviation of a blur, in pixels. */
export const BLUR_SIGMA_MAX = 1000;
/** Maximum images besides the edited one: layers, masks, backgrounds. */
export const OTHER_IMAGES_MAX = 10;
/** Maximum size of a .cube file. */
export const LUT_BYTES_MAX = 8 * 1024 * 1024;
export const LUT_SIDE_MAX = 65;
/** Maximum boxes per operation. */
export const BOXES_MAX = 100;
/** Default dots per inch for lengths in mm, if neither the call nor the file states any. */
export const LENGTH_DPI_DEFAULT = 300;
