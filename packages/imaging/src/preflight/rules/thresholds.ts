/** Ink in per cent that sheet-fed offset on coated paper takes, and the most any press takes: as `print_ready` judges its own sheets. */
export const INK_GOOD = 305;
export const INK_MOST = 340;
/** Dots an inch: the least, and what is good, for pictures with tones held in the hand; and for those of one bit. */
export const DPI_LEAST = 150;
export const DPI_GOOD = 225;
export const DPI_LINE_ART = 550;
