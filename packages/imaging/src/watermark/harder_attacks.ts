/** Attacks that are tried and reported besides: a mark that only these destroy is as permanent as one is said to be. */
export const HARDER_ATTACKS: ReadonlySet<string> = new Set(['avif_50', 'screenshot_75', 'crop_to_quarter']);
