/**
 * A network has to be so sure of a face, 0 to 1. Of 125 finds above 0.5 in paintings, prints, photographs and drawings, looked at one
 * by one, 12 were no faces: hats, a hand, a flower, a rock; the surest of them had 0.71. Those that stay are 82.
 */
export const FACE_SCORE_MIN = 0.72;
/**
 * The same for MediaPipe's full-range detector. Of 67 finds from here on in 82 paintings, prints, photographs and drawings about 4 are no faces (blossoms, a beret,
 * clouds; only those from 0.6 on were checked). It finds about three quarters of the 76 faces that YuNet finds in them.
 */
export const FULL_RANGE_SCORE_MIN = 0.55;
/** Faces of one picture that are told apart. */
export const FACES_MAX = 100;

/**
 * What a find has to be to be a line of writing. Calibrated on pictures labelled by hand (decision 27): rows of windows,
 * branches, borders of mosaics and faces are found as well, at scores no lower than those of letters; but they are shorter, thicker,
 * or gone when the picture is looked at a second time, larger and mirrored.
 */
export const WRITING_MIN = {
  /** How sure the network is at first sight, 0 to 1. */
  first: 0.96,
  /** The same, at second sight. */
  second: 0.75,
  /** Length over thickness of what is found, which is thinner than the letters. */
  elongation: 7,
  /** Part of a rectangle of that length and thickness that is filled. */
  filled: 0.88,
} as const;
/** As a part of the longer side of the picture: what is thicker is no line. */
export const WRITING_THICKNESS_MAX = 0.026;
/** Lines of writing of one picture that are told apart. */
export const WRITTEN_LINES_MAX = 100;

/** Bare skin, sexual or not, by the scores of the network together, 0 to 1. */
export const RATING_MIN = 0.5;
/** Where a face is higher than this part of the picture there is no room for a body: close portraits are what the network errs on. */
export const RATED_FACE_MAX = 0.4;

/**
 * How surely figures have to be separated before it is said how much of the picture they take up: mean of the mask within itself, its
 * share, and how sure the network for faces is of the surest. A monkey's face was found with 0.81.
 */
export const FIGURES_MIN = { sure: 0.91, share: 0.2, face: 0.86 } as const;
/** How sure of a body one has to be before its skin is rated, by the same mask. */
export const BODY_MIN = { sure: 0.7, share: 0.05 } as const;

/** From this share on a pair of encoders agrees with what another network has seen, 0 to 1: it holds the term for likelier than all others of its kind together. */
export const AGREEMENT_MIN = 0.5;

/** A detector has to be so sure of a thing that the caller says is there, 0 to 1. */
export const OBJECT_SCORE_MIN = 0.4;
/**
 * The same of things that it names by itself. From 0.6 on it found 32 people in 29 of 190 paintings, prints, photographs and drawings, looked at one by one:
 * 31 are people, one is a doll. A vehicle counts where the tagger has seen one as well; by itself the detector takes a painted courtyard for a boat at 0.62.
 */
export const NAMED_OBJECT_MIN = { person: 0.6, vehicle: 0.5 } as const;
/** Things found in one image, at most. */
export const OBJECTS_MAX = 100;
