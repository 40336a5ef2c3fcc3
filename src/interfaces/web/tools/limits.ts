import { UPLOAD_BYTES_MAX } from '../../../config/limits.ts';

/** A form may contain two files of the maximum size. */
export const FORM_BYTES_MAX = 2 * UPLOAD_BYTES_MAX + 1024 * 1024;
/** A form without its files: settings, and handles of images. */
export const PREVIEW_FORM_BYTES_MAX = 1024 * 1024;
/** Images per batch and runs per page; equals the default of JOBS_PER_CALLER. */
export const RUNS_MAX = 20;
/** Runs remembered per browser: /runs lists them, and a recipe can be made from them. */
export const RUNS_REMEMBERED_MAX = 24;
/** Recent results offered as inputs of the next tool. */
export const RESULTS_OFFERED_MAX = 6;
/** Results compared over the same image. */
export const RUNS_COMPARED_MAX = 4;
/** A setting longer than this is left out of the link to its run: servers refuse long addresses. */
export const SETTING_CHARACTERS_MAX = 3_000;
/** All settings of a link together. */
export const SETTINGS_CHARACTERS_MAX = 4_000;
/** Previews are no wider or higher, and files larger than this are shown as previews. */
export const SHOWN_SIDE_PX_MAX = 1_600;
export const SHOWN_BYTES_MAX = 512 * 1024;
/** Previews in lists, at twice their size on the page. */
export const THUMBNAIL_SIDE_PX = 128;
/** Pixels of all frames up to which the preview of an animation is animated. */
export const ANIMATED_PREVIEW_PIXELS_MAX = 8_000_000;
/** Rows of a list that is shown as a table; the rest is in the JSON. */
export const ROWS_SHOWN_MAX = 100;
/** Interval at which a page polls a run. */
export const LOOK_AGAIN_SECONDS = 2;
