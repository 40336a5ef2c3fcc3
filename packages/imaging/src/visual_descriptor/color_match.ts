import { type Oklab, oklabDistance } from '../pixels/oklab.ts';
import type { DescriptorColor } from './visual_descriptor.ts';

/** How well an image matches the colours of a query. */
export interface ColorMatch {
  /** 0 to 1: the fraction of the image in these colours, weighted by similarity; for several, their geometric mean. */
  readonly score: number;
  /** For each queried colour, the nearest colour of the image. */
  readonly nearest: readonly { readonly color: DescriptorColor; readonly distance: number }[];
}

/** OKLab distance at which the weight falls to 1/e; beyond twice this distance it is negligible. */
const NEAR = 0.06;
/** Largest OKLab distance at which an image colour matches a queried colour. */
export const COLOR_DISTANCE_MAX = 0.12;

/** Weight of a colour at a squared distance. */
export const colorWeight = (square: number): number => Math.exp(-square / NEAR ** 2);

/** Scores an image against the queried colours. Undefined if the image lacks one of them. */
export function matchColors(
  asked: readonly Oklab[],
  colors: readonly DescriptorColor[],
): ColorMatch | undefined {
  let product = 1;
  const nearest: { color: DescriptorColor; distance: number }[] = [];
  for (const one of asked) {
    let amount = 0;
    let best: { color: DescriptorColor; distance: number } | undefined;
    for (const color of colors) {
      const distance = oklabDistance(one, color.oklab);
      amount += color.share * colorWeight(distance ** 2);
      if (!best || distance < best.distance) best = { color, distance };
    }
    if (!best || best.distance > COLOR_DISTANCE_MAX) return undefined;
    nearest.push(best);
    product *= amount;
  }
  return { score: product ** (1 / asked.length), nearest };
}

/**
 * OKLab distance of two palettes: the share-weighted mean distance of each colour to the nearest one of the other palette. 0 means the same
 * colours; 0.05 looks much alike.
 */
export function paletteDistance(one: readonly DescriptorColor[], other: readonly DescriptorColor[]): number {
  return (toNearest(one, other) + toNearest(other, one)) / 2;
}

function toNearest(from: readonly DescriptorColor[], to: readonly DescriptorColor[]): number {
  let sum = 0;
  let shares = 0;
  for (const { oklab, share } of from) {
    let least = Number.POSITIVE_INFINITY;
    for (const color of to) least = Math.min(least, oklabDistance(oklab, color.oklab));
    sum += share * least;
    shares += share;
  }
  return shares > 0 ? sum / shares : Number.POSITIVE_INFINITY;
}
