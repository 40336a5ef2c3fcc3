import type { Plane } from '../pixels/plane.ts';

/** Third-level wavelet coefficients of a plane: one of each subband for every 8 × 8 pixels. */
export interface Details {
  readonly columns: number;
  readonly rows: number;
  /** Detail along y, smooth along x. */
  readonly alongY: Float32Array;
  /** Detail along x, smooth along y. */
  readonly alongX: Float32Array;
  readonly diagonal: Float32Array;
}

/** Pixels per coefficient on each axis. */
export const CELL_PX = 8;

/** Daubechies' least asymmetric filter of 12 taps (symlet 6), orthonormal. I. Daubechies, Ten Lectures on Wavelets, table 6.3. */
const LOW = Float32Array.of(
  0.015404109327027373,
  0.0034907120842174702,
  -0.11799011114819057,
  -0.048311742585633,
  0.4910559419267466,
  0.787641141030194,
  0.3379294217276218,
  -0.07263752278646252,
  -0.021060292512300564,
  0.04472490177066578,
  0.0017677118642428036,
  -0.007800708325034148,
);
const TAPS = LOW.length;
const HIGH = LOW.map((_, tap) => (tap % 2 === 0 ? 1 : -1) * LOW[TAPS - 1 - tap]!);
/** Taps before the sample they belong to, which aligns coefficients with their pixels. */
const LEAD = 5;

/** Three levels of the periodic transform. Both sides of the plane must be multiples of 8. */
export function detailsOf({ width, height, data }: Plane): Details {
  const half = analyseY(analyseX(data, width, height, LOW), width / 2, height, LOW);
  const [w, h] = [width / 4, height / 4];
  const quarter = analyseY(analyseX(half, width / 2, height / 2, LOW), w, height / 2, LOW);
  const smooth = analyseX(quarter, w, h, LOW);
  const sharp = analyseX(quarter, w, h, HIGH);
  return {
    columns: w / 2,
    rows: h / 2,
    alongY: analyseY(smooth, w / 2, h, HIGH),
    alongX: analyseY(sharp, w / 2, h, LOW),
    diagonal: analyseY(sharp, w / 2, h, HIGH),
  };
}

/** The plane with exactly these coefficients and no others. */
export function planeOfDetails({ columns, rows, alongY, alongX, diagonal }: Details): Plane {
  const [w, h] = [columns * 2, rows * 2];
  const smooth = synthesizeY(alongY, columns, h, HIGH);
  const sharp = synthesizeY(alongX, columns, h, LOW);
  add(sharp, synthesizeY(diagonal, columns, h, HIGH));
  const quarter = synthesizeX(smooth, w, h, LOW);
  add(quarter, synthesizeX(sharp, w, h, HIGH));
  const half = synthesizeX(synthesizeY(quarter, w, h * 2, LOW), w * 2, h * 2, LOW);
  const data = synthesizeX(synthesizeY(half, w * 2, h * 4, LOW), w * 4, h * 4, LOW);
  return { width: w * 4, height: h * 4, data };
}

function add(sum: Float32Array, other: Float32Array): void {
  for (let at = 0; at < sum.length; at++) sum[at]! += other[at]!;
}

function analyseX(source: Float32Array, width: number, height: number, filter: Float32Array): Float32Array {
  const half = width / 2;
  const result = new Float32Array(half * height);
  const line = new Float32Array(width + TAPS);
  for (let y = 0; y < height; y++) {
    const row = source.subarray(y * width, (y + 1) * width);
    for (let at = 0; at < line.length; at++) line[at] = row[(at - LEAD + 2 * width) % width]!;
    for (let x = 0; x < half; x++) {
      let sum = 0;
      for (let tap = 0; tap < TAPS; tap++) sum += filter[tap]! * line[2 * x + tap]!;
      result[y * half + x] = sum;
    }
  }
  return result;
}

function analyseY(source: Float32Array, width: number, height: number, filter: Float32Array): Float32Array {
  const result = new Float32Array((width * height) / 2);
  for (let y = 0; y < height / 2; y++) {
    const target = y * width;
    for (let tap = 0; tap < TAPS; tap++) {
      const from = ((2 * y + tap - LEAD + 2 * height) % height) * width;
      const weight = filter[tap]!;
      for (let x = 0; x < width; x++) result[target + x]! += weight * source[from + x]!;
    }
  }
  return result;
}

/** Synthesises along x; `width` and `height` are those of the result. */
function synthesizeX(
  source: Float32Array,
  width: number,
  height: number,
  filter: Float32Array,
): Float32Array {
  const half = width / 2;
  const result = new Float32Array(width * height);
  const line = new Float32Array(width + TAPS);
  for (let y = 0; y < height; y++) {
    line.fill(0);
    for (let x = 0; x < half; x++) {
      const value = source[y * half + x]!;
      for (let tap = 0; tap < TAPS; tap++) line[2 * x + tap]! += filter[tap]! * value;
    }
    const row = y * width;
    for (let at = 0; at < line.length; at++) result[row + ((at - LEAD + 2 * width) % width)]! += line[at]!;
  }
  return result;
}

function synthesizeY(
  source: Float32Array,
  width: number,
  height: number,
  filter: Float32Array,
): Float32Array {
  const result = new Float32Array(width * height);
  for (let y = 0; y < height / 2; y++) {
    const from = y * width;
    for (let tap = 0; tap < TAPS; tap++) {
      const target = ((2 * y + tap - LEAD + 2 * height) % height) * width;
      const weight = filter[tap]!;
      for (let x = 0; x < width; x++) result[target + x]! += weight * source[from + x]!;
    }
  }
  return result;
}
