/** It is written while it is made, and held nowhere. */
export const PRINT_FILE_BYTES_MAX = 1024 * 1024 * 1024;
/** Longest edge of the small picture of a page. */
export const PAGE_PREVIEW_SIDE_PX = 768;
