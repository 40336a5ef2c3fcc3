/**
 * A network has to be so sure of a face, 0 to 1. Of 125 finds above 0.5 in paintings, prints, photographs and drawings, looked at one
 * by one, 12 were no faces: hats, a hand, a flower, a rock; the surest of them had 0.71. Those that stay are 82.
 */
export const FACE_SCORE_MIN = 0.72;
/** Faces of one picture that are told apart. */
export const FACES_MAX = 100;
/** From this share on a pair of encoders agrees with what another network has seen, 0 to 1: it holds the term for likelier than all others of its kind together. */
export const AGREEMENT_MIN = 0.5;
