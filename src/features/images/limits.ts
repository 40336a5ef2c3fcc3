/** A result of this server that is used as an image. With its copy for an image process it fits what one call may hold in memory. */
export const RESULT_PICTURE_BYTES_MAX = 112 * 1024 * 1024;
/** Files that one call makes of a picture, the pixels of a side, and of all of them together. */
export const VARIANTS_MAX = 40;
export const VARIANT_SIDE_PX_MAX = 8192;
export const VARIANT_PIXELS_MAX = 64_000_000;
/** Documents that one call fills, and the pixels of all of them together. */
export const DOCUMENTS_MAX = 100;
export const DOCUMENTS_PIXELS_MAX = 400_000_000;
/** Of one value of a document. */
export const VALUE_CHARACTERS_MAX = 5000;
