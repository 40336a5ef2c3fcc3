/** Maximum size of a result used as an image. With its copy for an image process, it fits the memory limit of a call. */
export const RESULT_PICTURE_BYTES_MAX = 112 * 1024 * 1024;
/** Maximum variants per call, pixels per side, and pixels in total. */
export const VARIANTS_MAX = 40;
export const VARIANT_SIDE_PX_MAX = 8192;
export const VARIANT_PIXELS_MAX = 64_000_000;
/** Maximum documents per call, and pixels in total. */
export const DOCUMENTS_MAX = 100;
export const DOCUMENTS_PIXELS_MAX = 400_000_000;
/** Characters of one value of a document. */
export const VALUE_CHARACTERS_MAX = 5000;
