/**
 * Minimum confidence of a YuNet face, 0 to 1. Of 125 detections above 0.5 in paintings, prints, photographs and drawings, checked one by one, 12 were
 * not faces: hats, a hand, a flower, a rock; the most confident had 0.71. This threshold keeps 82.
 */
export const FACE_SCORE_MIN = 0.72;
/**
 * The same for MediaPipe's full-range detector. About 4 of 67 detections at or above it in 82 paintings, prints, photographs and drawings are not
 * faces (blossoms, a beret, clouds; only those from 0.6 on were checked). It finds about three quarters of the 76 faces that YuNet finds in them.
 */
export const FULL_RANGE_SCORE_MIN = 0.55;
/** Maximum number of faces per image. */
export const FACES_MAX = 100;

/**
 * Criteria for a line of text. Calibrated on images labelled by hand (decision 27): rows of windows, branches, borders of mosaics and faces score as
 * high as letters, but they are shorter, thicker, or missing in the second pass, which is larger and mirrored.
 */
export const WRITING_MIN = {
  /** Minimum confidence in the first pass, 0 to 1. */
  first: 0.96,
  /** The same in the second pass. */
  second: 0.75,
  /** Length over thickness of the detected region, which is thinner than the letters. */
  elongation: 7,
  /** Filled share of a rectangle of that length and thickness. */
  filled: 0.88,
} as const;
/** Relative to the longer side of the image; thicker regions are not lines. */
export const WRITING_THICKNESS_MAX = 0.026;
/** Maximum number of text lines per image. */
export const WRITTEN_LINES_MAX = 100;

/** Nudity, sexual or not: minimum sum of the model's scores, 0 to 1. */
export const RATING_MIN = 0.5;
/** A face higher than this share of the image leaves no room for a body: the model errs most on close portraits. */
export const RATED_FACE_MAX = 0.4;

/**
 * Minimum confidence before the share of people is reported: mean of the mask within itself, its share, and confidence of the best face. A monkey's
 * face scored 0.81.
 */
export const FIGURES_MIN = { sure: 0.91, share: 0.2, face: 0.86 } as const;
/** Minimum evidence of a body before nudity is rated, by the same mask. */
export const BODY_MIN = { sure: 0.7, share: 0.05 } as const;

/** Minimum score at which a pair of encoders confirms the term of another model, 0 to 1: more than all other terms of its kind together. */
export const AGREEMENT_MIN = 0.5;

/** Minimum confidence of an object that the client named, 0 to 1. */
export const OBJECT_SCORE_MIN = 0.4;
/**
 * The same for objects that the detector names itself. At 0.6 it found 32 people in 29 of 190 paintings, prints, photographs and drawings, checked
 * one by one: 31 are people, one is a doll. A vehicle also needs the tagger's agreement; alone, the detector labels a painted courtyard as a boat at
 * 0.62.
 */
export const NAMED_OBJECT_MIN = { person: 0.6, vehicle: 0.5 } as const;
/** Maximum number of objects per image. */
export const OBJECTS_MAX = 100;
