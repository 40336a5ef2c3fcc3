import { type Oklab, oklabDistance } from '../pixels/oklab.ts';
import type { LookColor } from './look.ts';

/** How well an image matches the colours of a query. */
export interface ColorMatch {
  /** 0 to 1: the part of the picture in these colours, each weighed by its nearness; of several, their geometric mean. */
  readonly score: number;
  /** For each colour asked for, the picture's own that is nearest. */
  readonly nearest: readonly { readonly color: LookColor; readonly distance: number }[];
}

/** In OKLab. A colour this far off counts for a third; beyond twice as far for next to nothing. */
const NEAR = 0.06;
/** No colour of a picture that is farther off answers for one that was asked for. */
export const COLOR_DISTANCE_MAX = 0.12;

/** What a colour counts for, at a distance whose square is given. */
export const colorWeight = (square: number): number => Math.exp(-square / NEAR ** 2);

/** Undefined where the picture lacks one of the colours. */
export function matchColors(asked: readonly Oklab[], colors: readonly LookColor[]): ColorMatch | undefined {
  let product = 1;
  const nearest: { color: LookColor; distance: number }[] = [];
  for (const one of asked) {
    let amount = 0;
    let best: { color: LookColor; distance: number } | undefined;
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
 * How far two palettes are apart, in OKLab: every colour of each to the nearest of the other, weighed by its share. 0 is the
 * same colours; 0.05 looks much alike.
 */
export function paletteDistance(one: readonly LookColor[], other: readonly LookColor[]): number {
  return (toNearest(one, other) + toNearest(other, one)) / 2;
}

function toNearest(from: readonly LookColor[], to: readonly LookColor[]): number {
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
