/** The file is streamed while it is made and never held in memory. */
export const PRINT_FILE_BYTES_MAX = 1024 * 1024 * 1024;
/** Longest edge of a page preview. */
export const PAGE_PREVIEW_SIDE_PX = 768;

/** Maximum pages of a layout: n-up sheets, sides of a booklet, tiles of a poster. */
export const LAYOUT_PAGES_MAX = 200;
/** Maximum pieces of a layout, such as pages of a booklet. */
export const LAYOUT_PIECES_MAX = 400;
export const LAYOUT_COPIES_MAX = 2000;
/** Side lengths of the paper of a layout. */
export const PAPER_SIDE_MM_MIN = 50;
export const PAPER_SIDE_MM_MAX = 2000;
export const GAP_MM_MAX = 100;
export const MARGIN_MM_MAX = 100;
export const OVERLAP_MM_MAX = 100;
export const CREEP_MM_MAX = 10;
/** Maximum pixels of all images of a layout. They are held compressed while the file is written. */
export const LAYOUT_PIXELS_MAX = 120_000_000;
export const CUT_OFFSET_MM_MIN = -5;
export const CUT_OFFSET_MM_MAX = 20;
export const CUT_SMOOTHING_MM_MAX = 10;
/** Maximum pixels of the raster in which an outline is traced. */
export const OUTLINE_PIXELS_MAX = 1_500_000;
/** A plotter is accurate to about 0.05 mm. */
export const OUTLINE_PIXELS_PER_MM_MAX = 20;
/** Maximum points of all outlines before curve fitting, and maximum outlines. Noise exceeds one of them. */
export const OUTLINE_POINTS_MAX = 400_000;
export const OUTLINES_MAX = 100;
