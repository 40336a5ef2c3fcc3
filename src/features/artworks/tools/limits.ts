export const SEARCH_RESULTS_MAX = 100;
/** Maximum offset of a search: the first thousand results can be reached. */
export const SEARCH_OFFSET_MAX = 900;
export const BATCH_WORKS_MIN = 100;
/** Works per JSON response: about 2 MB. */
export const BATCH_WORKS_MAX = 1000;
/** Works as JSON Lines, which are streamed: more than any edition has. */
export const BATCH_LINES_MAX = 10_000_000;
export const SEARCH_QUERY_CHARACTERS_MAX = 500;
/** Tokens of a get_artwork response. */
export const ARTWORK_TOKENS_MIN = 500;
export const ARTWORK_TOKENS_MAX = 1200;
/** Colours per search. */
export const SEARCH_COLORS_MAX = 5;
/** Length of the medium and period fields of a search. */
export const SEARCH_MEDIUM_CHARACTERS_MAX = 100;
export const SEARCH_PERIOD_CHARACTERS_MAX = 60;
/** Works on one contact sheet, images fetched for it at once, and how long it waits for them. */
export const WORKS_SHEET_MAX = 24;
export const WORKS_SHEET_AT_ONCE = 4;
export const WORKS_SHEET_WAIT_MS = 8000;
/** Values of one vocabulary in a response. */
export const VOCABULARY_TERMS_MAX = 50;
/** Best works of a search whose vocabulary is counted. */
export const VOCABULARY_WORKS_MAX = 1000;
