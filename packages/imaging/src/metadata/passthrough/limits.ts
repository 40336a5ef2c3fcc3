/** An Exif block of a JPEG is one segment, minus two bytes for its length and six for its header. */
export const EXIF_BYTES_MAX = 0xffff - 8;
/** Larger results get no thumbnail, because they would have to be decoded again. */
export const THUMBNAIL_SOURCE_PIXELS_MAX = 24_000_000;
export const THUMBNAIL_SIDE_PX = 160;
/** A gain map is a second image, usually with a quarter of the sides. */
export const GAIN_MAP_BYTES_MAX = 8 * 1024 * 1024;
/** Maximum number of additional images listed in a JPEG. */
export const LISTED_PICTURES_MAX = 16;
