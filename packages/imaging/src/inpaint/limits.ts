/** Largest fraction of the image that may be erased, because the rest determines the filling. A network needs less context. */
export const HOLE_SHARE_MAX = { patches: 0.12, network: 0.3 } as const;
/** Largest crop in which a hole is filled; a larger hole is filled at a reduced size and enlarged. */
export const CROP_PIXELS_MAX = 3_000_000;
/** Number of holes filled separately; if there are more, all are filled in one crop. */
export const PARTS_MAX = 16;
/** Patches visited per level and image, over all rounds: about two seconds of CPU time. */
export const VISITS_MAX = 600_000;
/** Boxes per call, and the widest soft edge in pixels. */
export const BOXES_MAX = 100;
export const FEATHER_PX_MAX = 100;
