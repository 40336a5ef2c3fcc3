/** Strokes of one call, and points of a stroke. */
export const STROKES_MAX = 100;
export const STROKE_POINTS_MAX = 2000;
/** Half the width of a stroke, in pixels of the picture. */
export const STROKE_RADIUS_PX = 6;
export const STROKE_RADIUS_PX_MAX = 500;
