import type { Plane } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import type { CutOut } from './compose.ts';
import { estimateForeground } from './estimate_foreground.ts';
import {
  type Figures,
  foregroundPicture,
  haloScore,
  objectShare,
  uncertainPart,
  uncertaintyShare,
} from './figures.ts';
import { type FlatBackground, findFlatBackground } from './flat_background.ts';
import { refineFlat, refineMask } from './refine.ts';
import { enlargePlane, fitInside, reducePicture } from './resample.ts';
import type { Segment, Segmented } from './segment.ts';
import { refuseNoObject, refuseUncertain } from './suitability.ts';
import { isFlatConfirmed, isFlatDoubtful } from './trust_flat.ts';

/** Opacity is worked out at this size at most; a larger picture's edges are followed from there. */
const WORKED_SIDE_PX = 1024;

/** Two ways have found two things: one of them is wrong. */
const DISPUTED = 0.5;

export interface Found {
  readonly cutOut: CutOut;
  readonly figures: Figures;
  /** Which way the object was found. */
  readonly by: 'flat_background' | 'segmenter';
  readonly holes: number;
}

export type OnProgress = (fraction: number, message: string) => void;

/**
 * Opacity and clean colours of the object in a picture: where the background is flat from its colour alone, else from
 * the segmenter's mask.
 * @throws EngineError unsuitable_image where no object stands out, or no background, or neither can be told from the other
 */
export async function cutOutObject(
  picture: Raster,
  segment: Segment,
  onProgress: OnProgress = () => {},
): Promise<Found> {
  const worked = dropAlpha(reducePicture(picture, fitInside(picture, WORKED_SIDE_PX)));
  const { flat, segmented } = await findObject(worked, segment);
  onProgress(0.4, 'Object found');
  if (segmented) {
    refuseNoObject(objectShare(segmented.mask));
    refuseUncertain(uncertaintyShare(segmented.mask));
  }
  const alpha = flat ? refineFlat(worked, flat) : refineMask(worked, segmented);
  refuseNoObject(objectShare(alpha));
  onProgress(0.7, 'Edges refined');
  const sides = estimateForeground(worked, alpha);
  const mask = segmented ? enlargePlane(segmented.mask, worked) : alpha;
  const figures = {
    haloScore: haloScore(foregroundPicture(sides), alpha, worked),
    uncertaintyShare: uncertaintyShare(segmented?.mask ?? alpha),
    uncertainPart: uncertainPart(alpha, mask),
    objectShare: objectShare(alpha),
    ...(segmented?.doubt !== undefined && { doubt: segmented.doubt }),
  };
  const by = flat ? 'flat_background' : 'segmenter';
  return {
    cutOut: { picture, worked, alpha, sides, isFlat: flat !== undefined },
    figures,
    by,
    holes: flat?.holes ?? 0,
  };
}

type Way =
  | { readonly flat: FlatBackground; readonly segmented?: undefined }
  | { readonly flat?: undefined; readonly segmented: Segmented };

/** By a flat background, unless what it leaves reaches too much of the edge and the segmenter has found something else. */
async function findObject(picture: Raster, segment: Segment): Promise<Way> {
  const flat = findFlatBackground(picture);
  if (flat && !isFlatDoubtful(flat)) return { flat };
  const segmented = await segment(picture);
  if (!flat) return { segmented };
  if (isFlatConfirmed(flat, segmented)) return { flat };
  return { segmented: { ...segmented, doubt: Math.max(DISPUTED, segmented.doubt ?? 0) } };
}

function dropAlpha({ width, height, channels, data }: Raster): Raster {
  if (channels === 3) return { width, height, channels, data };
  const colors = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++)
    colors.set(data.subarray(pixel * 4, pixel * 4 + 3), pixel * 3);
  return { width, height, channels: 3, data: colors };
}

/** What there is to cut out of a picture that came with a transparent background: nothing more. */
export function keepAsItIs(picture: Raster): CutOut {
  const one = { width: 1, height: 1 };
  const alpha: Plane = { ...one, data: Float32Array.of(1) };
  const sides = { ...one, foreground: new Float32Array(3), background: new Float32Array(3) };
  return { picture, worked: { ...one, channels: 3, data: new Uint8Array(3) }, alpha, sides, isFlat: false };
}
