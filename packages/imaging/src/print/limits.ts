/** It is written while it is made, and held nowhere. */
export const PRINT_FILE_BYTES_MAX = 1024 * 1024 * 1024;
/** Longest edge of the small picture of a page. */
export const PAGE_PREVIEW_SIDE_PX = 768;

/** Pages of a layout: sheets of copies, sides of a booklet, tiles of a poster. */
export const LAYOUT_PAGES_MAX = 200;
/** Pieces that are laid out, such as pages of a booklet. */
export const LAYOUT_PIECES_MAX = 400;
export const LAYOUT_COPIES_MAX = 2000;
/** Sides of the paper of a layout. */
export const PAPER_SIDE_MM_MIN = 50;
export const PAPER_SIDE_MM_MAX = 2000;
export const GAP_MM_MAX = 100;
export const MARGIN_MM_MAX = 100;
export const OVERLAP_MM_MAX = 100;
export const CREEP_MM_MAX = 10;
/** Pixels of all pictures of a layout, which are held while its file is written, packed. */
export const LAYOUT_PIXELS_MAX = 120_000_000;
export const CUT_OFFSET_MM_MIN = -5;
export const CUT_OFFSET_MM_MAX = 20;
export const CUT_SMOOTHING_MM_MAX = 10;
/** Pixels in which the outline of art is looked for. */
export const OUTLINE_PIXELS_MAX = 1_500_000;
/** Finer than a cutter follows: a twentieth of a millimetre. */
export const OUTLINE_PIXELS_PER_MM_MAX = 20;
/** Points of all outlines before curves are drawn through them, and outlines: noise has more of either. */
export const OUTLINE_POINTS_MAX = 400_000;
export const OUTLINES_MAX = 100;
