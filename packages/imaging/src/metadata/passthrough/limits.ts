/** An Exif block of a JPEG is one segment: two bytes for its length and six for its head come off. */
export const EXIF_BYTES_MAX = 0xffff - 8;
/** A larger result gets no thumbnail: all of it would be decoded once more. */
export const THUMBNAIL_SOURCE_PIXELS_MAX = 24_000_000;
export const THUMBNAIL_SIDE_PX = 160;
/** A gain map is a picture beside the picture, mostly a quarter of its sides. */
export const GAIN_MAP_BYTES_MAX = 8 * 1024 * 1024;
/** Other pictures a JPEG lists beside its first one. */
export const LISTED_PICTURES_MAX = 16;
