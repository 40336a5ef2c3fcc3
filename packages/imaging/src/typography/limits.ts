/** Maximum characters (UTF-16 units) per text. */
export const TEXT_CHARACTERS_MAX = 5000;
/** Height of the em, px. */
export const TEXT_SIZE_PX_MIN = 4;
export const TEXT_SIZE_PX_MAX = 4000;
/** Width of an outline, px. */
export const TEXT_STROKE_PX_MAX = 500;
/** Maximum distinct missing characters reported. */
export const MISSING_GLYPHS_NAMED_MAX = 50;
