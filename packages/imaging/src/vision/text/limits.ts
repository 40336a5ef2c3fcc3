/** Longest side for detection, in pixels: on a 1,600 px page, letters of 8 px are found, 6 px are not. */
export const DETECTION_SIDE_PX_MAX = 1600;
/** Smaller images are enlarged to this side, by at most the factor. */
export const DETECTION_SIDE_PX_MIN = 960;
export const DETECTION_ENLARGEMENT_MAX = 2;
/** Longest side for recognition, in pixels: bounds the memory of the decoded image at 48 MB. */
export const READING_SIDE_PX_MAX = 4000;
/** Maximum lines read per image. */
export const TEXT_LINES_MAX = 400;
/**
 * Mean probability of the characters below which a line is dropped, and the same for a single character. On rendered posters and screens every line
 * had at least 0.88; windows and foliage in photographs were read as one or two letters with at most 0.75.
 */
export const READING_MIN = 0.65;
export const SINGLE_CHARACTER_MIN = 0.85;
/** Maximum total width of the lines read per image, in pixels at 48 px height: about 10 CPU seconds, twice a page of small print. */
export const READING_WIDTH_PX_MAX = 120_000;
/** Maximum characters per line. */
export const LINE_CHARACTERS_MAX = 500;
/**
 * A line may be in another script if this share of its characters is uncertain and its confidence is below the second value. Of rendered lines with
 * at least READING_MIN, 106 of 108 in Latin letters and Chinese are classified as known, 88 of 97 in eleven other scripts as unknown.
 */
export const SCRIPT_UNSURE_MAX = 0.2;
export const SCRIPT_CONFIDENCE_MIN = 0.9;
