import { gaussianBlur } from '../pixels/gaussian_blur.ts';
import type { Plane } from '../pixels/plane.ts';
import { type Affine, solveEquations } from './affine.ts';

export interface Refined {
  readonly alignment: Affine;
  /** Grey of the first picture = gain · grey of the second + bias. */
  readonly gain: number;
  readonly bias: number;
  /** Part of what both show that fits, 0 to 1. */
  readonly fit: number;
}

/** Blur of each round, the coarse one first, in pixels. */
const ROUNDS = [
  { sigma: 3, steps: 8 },
  { sigma: 1.5, steps: 6 },
] as const;
/** A difference in grey levels that weighs half: larger ones are changes of the picture, not of its place. */
const HALF_WEIGHT = 10;
const FITS_BELOW = 14;
/** Every how many pixels are looked at. */
const STEP_PX = 2;

/** Moves an alignment until the two pictures lie on each other best: Gauss-Newton on grey levels, large differences weighing little. */
export function refineAlignment(from: Plane, to: Plane, start: Affine): Refined {
  let state: State = { alignment: start, gain: 1, bias: 0 };
  let fit = 0;
  for (const { sigma, steps } of ROUNDS) {
    const [one, other] = [gaussianBlur(from, sigma), gaussianBlur(to, sigma)];
    for (let step = 0; step < steps; step++) {
      const { normal, right, fitting, seen } = equations(one, other, state);
      fit = seen === 0 ? 0 : fitting / seen;
      const change = solveEquations(normal, right);
      if (!change) break;
      state = changeState(state, change);
    }
  }
  return { ...state, fit };
}

type State = Omit<Refined, 'fit'>;

const changeState = ({ alignment, gain, bias }: State, change: number[]): State => ({
  alignment: alignment.map((value, at) => value + change[at]!) as unknown as Affine,
  gain: gain + change[6]!,
  bias: bias + change[7]!,
});

/** The normal equations of one step, for the six numbers of the alignment, gain and bias. */
function equations(one: Plane, other: Plane, { alignment: [a, b, c, d, e, f], gain, bias }: State) {
  const normal = Array.from({ length: 8 }, () => new Array<number>(8).fill(0));
  const right = new Array<number>(8).fill(0);
  const slope = new Float64Array(8);
  let [fitting, seen] = [0, 0];
  for (let y = 0; y < one.height; y += STEP_PX) {
    for (let x = 0; x < one.width; x += STEP_PX) {
      const [u, v] = [a * x + b * y + c, d * x + e * y + f];
      if (u < 1 || v < 1 || u >= other.width - 2 || v >= other.height - 2) continue;
      const at = Math.floor(v) * other.width + Math.floor(u);
      const [p, q] = [u - Math.floor(u), v - Math.floor(v)];
      const { data, width } = other;
      const [upper, lower] = [
        data[at]! * (1 - p) + data[at + 1]! * p,
        data[at + width]! * (1 - p) + data[at + width + 1]! * p,
      ];
      const value = upper * (1 - q) + lower * q;
      const gx =
        gain * ((data[at + 1]! - data[at]!) * (1 - q) + (data[at + width + 1]! - data[at + width]!) * q);
      const gy = gain * (lower - upper);
      const left = one.data[y * one.width + x]! - gain * value - bias;
      const weight = 1 / (1 + (left / HALF_WEIGHT) ** 2);
      slope.set([gx * x, gx * y, gx, gy * x, gy * y, gy, value, 1]);
      for (let row = 0; row < 8; row++) {
        right[row]! += weight * slope[row]! * left;
        for (let column = row; column < 8; column++)
          normal[row]![column]! += weight * slope[row]! * slope[column]!;
      }
      seen++;
      if (Math.abs(left) < FITS_BELOW) fitting++;
    }
  }
  for (let row = 0; row < 8; row++)
    for (let column = 0; column < row; column++) normal[row]![column] = normal[column]![row]!;
  return { normal, right, fitting, seen };
}
