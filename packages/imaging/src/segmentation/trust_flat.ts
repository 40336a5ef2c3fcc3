import type { Plane } from '../pixels/plane.ts';
import { overlapOfMasks, reachOfEdges } from './doubt.ts';
import type { FlatBackground } from './flat_background.ts';
import { enlargePlane } from './resample.ts';
import type { Segmented } from './segment.ts';

/**
 * What is not of the background's colour may reach so much of the edges of the picture, each of length 1. Of nine composites five with
 * less were right; four with 0.99 and more had a second background, such as the ground below a clear sky, in the object.
 */
const REACH_MAX = 0.7;
/** Two ways that share so much have found the same. */
const SAME_FROM = 0.85;

/** Whether what was left of a flat background may be background as well: more of the edge than an object mostly takes. */
export const isFlatDoubtful = (flat: FlatBackground): boolean =>
  reachOfEdges(objectOf(flat)).reduce((sum, part) => sum + part, 0) > REACH_MAX;

/** Whether a segmenter has found what the colour of the background left, as with a portrait whose shoulders fill the lower edge. */
export const isFlatConfirmed = (flat: FlatBackground, { mask }: Segmented): boolean =>
  overlapOfMasks(objectOf(flat), enlargePlane(mask, flat.region)) >= SAME_FROM;

const objectOf = ({ region }: FlatBackground): Plane => ({
  ...region,
  data: region.data.map((value) => 1 - value),
});
