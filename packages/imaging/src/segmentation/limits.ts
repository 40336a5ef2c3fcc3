/** Strokes per call, and points per stroke. */
export const STROKES_MAX = 100;
export const STROKE_POINTS_MAX = 2000;
/** Half the width of a stroke, in image pixels. */
export const STROKE_RADIUS_PX = 6;
export const STROKE_RADIUS_PX_MAX = 500;
