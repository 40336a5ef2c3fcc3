import { boxMean } from './box_mean.ts';
import type { Plane } from './plane.ts';

/** Dilates a mask by a square: 1 wherever a pixel of `mask` above one half is at most `radius` away along both axes. */
export function dilateMask(mask: Plane, radius: number): Plane {
  const binary = { ...mask, data: mask.data.map((value) => (value > 0.5 ? 1 : 0)) };
  if (radius < 1) return binary;
  // Half of one pixel's contribution to the mean, which exceeds the rounding error of the running sum.
  const least = 0.5 / (2 * radius + 1) ** 2;
  const mean = boxMean(binary, radius);
  return { ...mask, data: mean.data.map((value) => (value > least ? 1 : 0)) };
}
