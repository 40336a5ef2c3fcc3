import { boxMean } from '../pixels/box_mean.ts';
import { growMask } from '../pixels/grow_mask.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { closedForm } from './closed_form.ts';
import { type FlatBackground, opacityFromDistance } from './flat_background.ts';
import { enlargePlane } from './resample.ts';
import type { Segmented } from './segment.ts';
import { BACKGROUND, FOREGROUND, type Trimap, trimapOf, UNKNOWN } from './trimap.ts';

/** How far opacity is estimated anew around what the segmenter left open, as a part of the longest side: hair is about as long. */
const HAIR_PART = 0.014;
const FLAT_REACH_PART = 0.006;
const FLAT_REACH_PX_MIN = 3;

/** Opacity at the size of the picture from a segmenter's mask of any size. */
export function refineMask(picture: Raster, { mask: coarse, certainty, edgePart }: Segmented): Plane {
  const longest = Math.max(picture.width, picture.height);
  const mask = enlargePlane(coarse, picture);
  const edge = Math.max(2, Math.round(edgePart * longest));
  const trimap = trimapOf(mask, { certainty, reach: edge });
  const slope = Math.ceil(longest / Math.max(coarse.width, coarse.height));
  const open = softParts(mask, certainty, { slope, reach: Math.round(HAIR_PART * longest) });
  const data = trimap.data.map((value, pixel) => (open.data[pixel] === 1 ? UNKNOWN : value));
  return closedForm({ picture, trimap: { ...trimap, data }, mask: boxMean(mask, edge >> 1) });
}

/** 1 around what is neither one nor the other over more than the slope of an edge, as in hair. */
function softParts(
  mask: Plane,
  certainty: number,
  { slope, reach }: { slope: number; reach: number },
): Plane {
  const decided = mask.data.map((value) => (value < certainty || value > 1 - certainty ? 1 : 0));
  const thick = growMask({ ...mask, data: decided }, slope).data.map((value) => 1 - value);
  return growMask({ ...mask, data: thick }, slope + reach);
}

/** Opacity where the background is flat: all of it is known, so only what borders on it is open. */
export function refineFlat(picture: Raster, flat: FlatBackground): Plane {
  const reach = Math.max(
    FLAT_REACH_PX_MIN,
    Math.round(FLAT_REACH_PART * Math.max(picture.width, picture.height)),
  );
  const mask = opacityFromDistance(flat, reach);
  return closedForm({ picture, trimap: flatTrimap(flat, reach), mask });
}

function flatTrimap({ region }: FlatBackground, reach: number): Trimap {
  const { width, height, data } = trimapOf(
    { ...region, data: region.data.map((value) => 1 - value) },
    { certainty: 0.5, reach },
  );
  const mended = data.map((value, pixel) => {
    if (region.data[pixel] === 1) return BACKGROUND;
    return value === FOREGROUND ? FOREGROUND : UNKNOWN;
  });
  return { width, height, data: mended };
}
