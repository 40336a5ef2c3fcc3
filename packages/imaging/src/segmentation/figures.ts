import { boxMean } from '../pixels/box_mean.ts';
import { growMask } from '../pixels/grow_mask.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import type { Sides } from './estimate_foreground.ts';

export interface Figures {
  /** How much of the old background's colour is left along the edge: 0 none, 1 all of it. */
  readonly haloScore: number;
  /** Part of the picture's pixels of which the segmenter was not sure. */
  readonly uncertaintyShare: number;
  /** Part of the picture that was kept. */
  readonly objectShare: number;
  /** Part of what was kept, soft pixels by their opacity, that is a guess. */
  readonly uncertainPart: number;
  /** How likely the cut-out shares less than 0.9 with the object; absent where that was not measured. */
  readonly doubt?: number;
}

const UNSURE_FROM = 0.2;
/** The edge as far as an eye sees a rim, and what lies behind it. */
const RIM_PX = 3;
const INSIDE_PX = 8;
/** Sides nearer than this (levels of 0 to 255) cannot show a rim. */
const CONTRAST_MIN = 24;

export function uncertaintyShare(mask: Plane): number {
  const unsure = mask.data.reduce(
    (sum, value) => sum + (value > UNSURE_FROM && value < 1 - UNSURE_FROM ? 1 : 0),
    0,
  );
  return unsure / mask.data.length;
}

/** How much of what was kept lies where the mask is unsure. @param mask of the size of `alpha` */
export function uncertainPart(alpha: Plane, mask: Plane): number {
  let [unsure, kept] = [0, 0];
  for (let pixel = 0; pixel < alpha.data.length; pixel++) {
    const opacity = alpha.data[pixel]!;
    const value = mask.data[pixel]!;
    kept += opacity;
    if (value > UNSURE_FROM && value < 1 - UNSURE_FROM) unsure += opacity;
  }
  return kept === 0 ? 0 : unsure / kept;
}

export function objectShare(alpha: Plane): number {
  return alpha.data.reduce((sum, value) => sum + value, 0) / alpha.data.length;
}

/**
 * Along the edge: how far the colours of the result lie from those a few pixels further inside towards those of the
 * background outside. Weighed by opacity and by how different both are, as the eye does.
 */
export function haloScore(result: Raster, alpha: Plane, background: Raster): number {
  const solid = { ...alpha, data: alpha.data.map((value) => (value > 0.95 ? 1 : 0)) };
  const outside = { ...alpha, data: alpha.data.map((value) => (value < 0.05 ? 1 : 0)) };
  const nearOutside = growMask(outside, RIM_PX);
  const core = {
    ...solid,
    data: solid.data.map((value, pixel) => (nearOutside.data[pixel] === 1 ? 0 : value)),
  };
  const inside = localColors(result, core, INSIDE_PX);
  const beyond = localColors(background, outside, INSIDE_PX);
  let [sum, total] = [0, 0];
  for (let pixel = 0; pixel < alpha.data.length; pixel++) {
    const opacity = alpha.data[pixel]!;
    if (opacity < 0.1 || nearOutside.data[pixel] === 0 || !inside.has(pixel) || !beyond.has(pixel)) continue;
    let [along, length2] = [0, 0];
    for (let side = 0; side < 3; side++) {
      const span = beyond.level(pixel, side) - inside.level(pixel, side);
      along += span * (result.data[pixel * result.channels + side]! - inside.level(pixel, side));
      length2 += span * span;
    }
    if (length2 < CONTRAST_MIN ** 2) continue;
    const weight = opacity * Math.sqrt(length2);
    sum += weight * Math.min(1, Math.max(0, along / length2));
    total += weight;
  }
  return total === 0 ? 0 : sum / total;
}

/** The estimated foreground as a picture, to be judged as the result will be. */
export function foregroundPicture({ width, height, foreground }: Sides): Raster {
  return { width, height, channels: 3, data: Uint8Array.from(foreground, (value) => value + 0.5) };
}

function localColors(picture: Raster, chosen: Plane, radius: number) {
  const weight = boxMean(chosen, radius).data;
  const sums = [0, 1, 2].map(
    (side) =>
      boxMean(
        {
          ...chosen,
          data: chosen.data.map((value, pixel) => value * picture.data[pixel * picture.channels + side]!),
        },
        radius,
      ).data,
  );
  return {
    has: (pixel: number): boolean => weight[pixel]! > 0.004,
    level: (pixel: number, side: number): number => sums[side]![pixel]! / weight[pixel]!,
  };
}
