import { boxMean } from './box_mean.ts';
import { closedForm } from './closed_form.ts';
import { type FlatBackground, opacityFromDistance } from './flat_background.ts';
import { type Picture, type Plane } from './picture.ts';
import { enlargePlane } from './resample.ts';
import { BACKGROUND, FOREGROUND, type Trimap, trimapOf, UNKNOWN } from './trimap.ts';

/** How far from the segmenter's outline opacity is estimated anew, as a part of the longest side: hair is about as long. */
const REACH_PART = 0.014;
const CERTAINTY = 0.15;
const FLAT_REACH_PART = 0.006;

/** Opacity at the size of the picture from a segmenter's mask of any size. */
export function refineMask(picture: Picture, coarse: Plane): Plane {
  const mask = enlargePlane(coarse, picture);
  const reach = Math.max(2, Math.round(REACH_PART * Math.max(picture.width, picture.height)));
  const trimap = trimapOf(mask, { certainty: CERTAINTY, reach });
  return closedForm({ picture, trimap, mask: boxMean(mask, reach >> 1) });
}

/** Opacity where the background is flat: all of it is known, so only what borders on it is open. */
export function refineFlat(picture: Picture, flat: FlatBackground): Plane {
  const reach = Math.max(2, Math.round(FLAT_REACH_PART * Math.max(picture.width, picture.height)));
  const mask = opacityFromDistance(flat, reach);
  return closedForm({ picture, trimap: flatTrimap(flat, reach), mask });
}

function flatTrimap({ region }: FlatBackground, reach: number): Trimap {
  const { width, height, data } = trimapOf({ ...region, data: region.data.map((value) => 1 - value) }, { certainty: 0.5, reach });
  const mended = data.map((value, pixel) => {
    if (region.data[pixel] === 1) return BACKGROUND;
    return value === FOREGROUND ? FOREGROUND : UNKNOWN;
  });
  return { width, height, data: mended };
}
