import { deltaE2000, type Lab } from '../color/lab.ts';
import type { Size } from '../pixels/plane.ts';
import { type ColorDifference, summarizeDifferences } from './color_difference.ts';
import { spreadPoint } from './spread_points.ts';

const POINTS = 4096;

/** Compares colours at 4,096 positions of an image that is processed row by row. */
export function sampledDifferences({ width, height }: Size) {
  const columns = new Map<number, number[]>();
  for (let index = 0; index < POINTS; index += 1) {
    const [across, down] = spreadPoint(index);
    const [x, y] = [Math.floor(across * width), Math.floor(down * height)];
    columns.set(y, [...(columns.get(y) ?? []), x]);
  }
  const differences: number[] = [];
  return {
    /** Compares the positions of a row; `one` and `other` return the colour in a column. */
    row(y: number, one: (x: number) => Lab, other: (x: number) => Lab): void {
      for (const x of columns.get(y) ?? []) differences.push(deltaE2000(one(x), other(x)));
    },
    /** Summary of the rows so far; undefined if there were none. */
    report: (): ColorDifference | undefined =>
      differences.length === 0 ? undefined : summarizeDifferences(Float64Array.from(differences)),
  };
}
