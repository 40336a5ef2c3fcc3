import { boxMean } from './box_mean.ts';
import type { Plane } from './plane.ts';

/** 1 wherever a pixel of `mask` above one half is at most `radius` away along both axes. */
export function growMask(mask: Plane, radius: number): Plane {
  const binary = { ...mask, data: mask.data.map((value) => (value > 0.5 ? 1 : 0)) };
  if (radius < 1) return binary;
  // Half of what one pixel adds to the mean: rounding of the running sum stays below that.
  const least = 0.5 / (2 * radius + 1) ** 2;
  const mean = boxMean(binary, radius);
  return { ...mask, data: mean.data.map((value) => (value > least ? 1 : 0)) };
}
