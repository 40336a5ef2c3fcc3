export const SEARCH_RESULTS_MAX = 100;
/** Works a search may pass over: with those it answers, the first thousand can be reached. */
export const SEARCH_OFFSET_MAX = 900;
export const BATCH_WORKS_MIN = 100;
/** In one JSON answer: about 2 MB. */
export const BATCH_WORKS_MAX = 1000;
/** As JSON Lines, which are sent as they are read: more than any edition has. */
export const BATCH_LINES_MAX = 10_000_000;
export const SEARCH_QUERY_CHARACTERS_MAX = 500;
/** What get_artwork answers, in tokens. */
export const ARTWORK_TOKENS_MIN = 500;
export const ARTWORK_TOKENS_MAX = 1200;
/** Colours a search may ask for at once. */
export const SEARCH_COLORS_MAX = 5;
/** What a search may say of the medium and of the period. */
export const SEARCH_MEDIUM_CHARACTERS_MAX = 100;
export const SEARCH_PERIOD_CHARACTERS_MAX = 60;
/** Works on one contact sheet, images fetched for it at once, and how long it waits for them. */
export const WORKS_SHEET_MAX = 24;
export const WORKS_SHEET_AT_ONCE = 4;
export const WORKS_SHEET_WAIT_MS = 8000;
/** Values of one vocabulary in a response. */
export const VOCABULARY_TERMS_MAX = 50;
/** Of a search, the vocabulary of so many of the best works is counted. */
export const VOCABULARY_WORKS_MAX = 1000;
