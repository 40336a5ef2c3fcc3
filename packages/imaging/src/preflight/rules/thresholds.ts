/** Dots an inch: the least, and what is good, for pictures with tones held in the hand; and for those of one bit. */
export const DPI_LEAST = 150;
export const DPI_GOOD = 225;
export const DPI_LINE_ART = 550;
