/** Longest side at which lines are looked for, in pixels: letters of 8 px on a 1,600 px page are found, 6 px are not. */
export const DETECTION_SIDE_PX_MAX = 1600;
/** Smaller images are enlarged to this side, by at most the factor. */
export const DETECTION_SIDE_PX_MIN = 960;
export const DETECTION_ENLARGEMENT_MAX = 2;
/** Longest side at which lines are read, in pixels: bounds the memory of the decoded image at 48 MB. */
export const READING_SIDE_PX_MAX = 4000;
/** Lines of one image that are read. */
export const TEXT_LINES_MAX = 400;
/**
 * Mean probability of the characters below which a line is left out, and the same of a single character. On drawn posters and screens every line had 0.88 or more; windows and
 * foliage in photographs were read as a letter or two with 0.75 at most.
 */
export const READING_MIN = 0.65;
export const SINGLE_CHARACTER_MIN = 0.85;
/** Pixels across that lines of one image are read at together, 48 px high: about 10 CPU seconds, twice a page of small print. */
export const READING_WIDTH_PX_MAX = 120_000;
/** Characters of one line that are kept. */
export const LINE_CHARACTERS_MAX = 500;
/**
 * A line may be in another script where this share of its characters is unsure and its confidence is lower than that. Drawn lines that were read with READING_MIN: 106 of 108 in
 * Latin letters and Chinese are known, 88 of 97 in eleven other scripts are not.
 */
export const SCRIPT_UNSURE_MAX = 0.2;
export const SCRIPT_CONFIDENCE_MIN = 0.9;
