/** Characters of SVG path data. */
export const PATH_CHARACTERS_MAX = 20_000;
/** Points of a polygon or line. */
export const POINTS_MAX = 2_000;
/** Distance from the origin, px: beyond it coverage is computed imprecisely. */
export const COORDINATE_PX_MAX = 200_000;
/** Width of a stroke, px. */
export const STROKE_PX_MAX = 5_000;
/** Bytes of text in a QR code: version 40, level L. */
export const QR_BYTES_MAX = 2953;
