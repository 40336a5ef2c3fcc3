/** Length of SVG path data, characters. */
export const PATH_CHARACTERS_MAX = 20_000;
/** Points of a polygon or line. */
export const POINTS_MAX = 2_000;
/** Largest distance from the origin, px: beyond it coverage is imprecise. */
export const COORDINATE_PX_MAX = 200_000;
/** Stroke width, px. */
export const STROKE_PX_MAX = 5_000;
/** Bytes of text in a QR code: version 40, level L. */
export const QR_BYTES_MAX = 2953;
