/** Terms handed to the process for networks at once, so that other work comes in between. */
export const TERMS_AT_ONCE = 64;
/** A threshold from fewer labelled pictures would rest on nothing. */
export const LABELLED_PICTURES_MIN = 60;
export const LABELLED_PICTURES_MAX = 20_000;
export const LABELS_BYTES_MAX = 8 * 1024 * 1024;
export const LABELLED_PICTURE_BYTES_MAX = 64 * 1024 * 1024;
