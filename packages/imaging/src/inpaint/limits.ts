/** Parts of the picture that may be erased. What is left has to tell what belongs in the hole; a network knows more of that. */
export const HOLE_SHARE_MAX = { patches: 0.12, network: 0.3 } as const;
/** A hole is filled in a crop of so many pixels at most; a larger one is filled at a smaller size and enlarged. */
export const CROP_PIXELS_MAX = 3_000_000;
/** Parts of the hole that are filled by themselves; where it has more, all of it in one crop. */
export const PARTS_MAX = 16;
/** Patches visited at one level of one picture, in all rounds together: about two seconds of a processor. */
export const VISITS_MAX = 600_000;
/** Boxes of one call, and the widest soft edge in pixels. */
export const BOXES_MAX = 100;
export const FEATHER_PX_MAX = 100;
