/** Characters of a short text, such as `subject`. */
export const PHRASE_CHARACTERS_MAX = 240;
/** Characters of `prose` and `symbolism`. */
export const PROSE_CHARACTERS_MAX = 3000;
/** Characters of one entry of a list. */
export const ENTRY_CHARACTERS_MAX = 200;
/** Entries of one list. */
export const ENTRIES_MAX = 30;
/** Characters of all observations together, as JSON. */
export const OBSERVATIONS_CHARACTERS_MAX = 16_000;
/** Maximum value of `people_count`. */
export const PEOPLE_MAX = 100_000;
/** Characters of an alt text, which screen readers read without a pause. */
export const ALT_CHARACTERS_MAX = 250;
export const TITLE_CHARACTERS_MAX = 80;
/** A basic colour that covers less of the image than this counts as absent, 0 to 1. */
export const COLOR_SHARE_MIN = 0.0003;
/** Side of the preview for observers, in pixels. */
export const PREVIEW_SIDE_PX = 1024;
