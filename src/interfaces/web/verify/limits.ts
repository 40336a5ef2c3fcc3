/** Other matches that are shown with a picture or a line; the JSON has up to a hundred. */
export const MATCHES_SHOWN_MAX = 12;
/** Pixels of the longer side of the drawing that shows where a copy lies. */
export const PLACE_SIDE_PX = 600;
/** Characters of a stranger's word that a page shows. */
export const STRANGERS_CHARACTERS_MAX = 300;
