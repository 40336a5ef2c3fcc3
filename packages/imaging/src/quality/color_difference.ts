import { deltaE2000, labOfSrgb } from '../color/lab.ts';
import { roundTo } from '../pixels/round_to.ts';
import type { Quality } from './types.ts';

export type ColorDifference = Required<Pick<Quality, 'delta_e00_mean' | 'delta_e00_p95'>>;

/** Mean and 95th percentile of colour differences. The array must not be empty and is sorted in place. */
export function summarizeDifferences(differences: Float64Array): ColorDifference {
  const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length;
  const p95 = differences.sort()[Math.ceil(0.95 * differences.length) - 1]!;
  return { delta_e00_mean: roundTo(mean, 2), delta_e00_p95: roundTo(p95, 2) };
}

/** CIEDE2000 between the same pixel of two images, as returned by `flattenedColors`. */
export function differenceAt(ones: Float32Array, others: Float32Array, pixel: number): number {
  const at = 3 * pixel;
  const [r, g, b] = [ones[at]!, ones[at + 1]!, ones[at + 2]!];
  const [red, green, blue] = [others[at]!, others[at + 1]!, others[at + 2]!];
  if (r === red && g === green && b === blue) return 0;
  return deltaE2000(labOfSrgb(r, g, b), labOfSrgb(red, green, blue));
}
