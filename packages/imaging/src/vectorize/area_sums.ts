import type { Raster } from '../pixels/raster.ts';
import type { Partition } from './partition.ts';
import type { Fill } from './write_svg.ts';

/**
 * Sums over the pixels of an area, `MOMENTS` numbers each. They determine the error of one colour or one linear
 * gradient, and are added when areas merge. Order: n, x, y, xx, xy, yy; then c, xc and yc for each channel c; then the
 * sum of all squared channels.
 */
export type AreaSums = Float64Array;

export const MOMENTS = 16;
const SQUARES = 15;

export function areaSums({ width, data: rgba }: Raster, labels: Int32Array, count: number): AreaSums {
  const sums = new Float64Array(MOMENTS * count);
  for (let pixel = 0, x = -1, y = 0; pixel < labels.length; pixel++) {
    if (++x === width) {
      x = 0;
      y++;
    }
    if (labels[pixel]! >= 0) addPixel(sums, MOMENTS * labels[pixel]!, x, y, rgba, pixel, 1);
  }
  return sums;
}

/**
 * Adds a pixel at (x, y) to the sums at `at`, or subtracts it if `sign` is -1. Exact, because all numbers are integers.
 */
export function addPixel(
  sums: AreaSums,
  at: number,
  x: number,
  y: number,
  rgba: Uint8Array,
  pixel: number,
  sign: 1 | -1,
): void {
  const red = rgba[4 * pixel]!;
  const green = rgba[4 * pixel + 1]!;
  const blue = rgba[4 * pixel + 2]!;
  const [signedX, signedY] = [sign * x, sign * y];
  sums[at]! += sign;
  sums[at + 1]! += signedX;
  sums[at + 2]! += signedY;
  sums[at + 3]! += signedX * x;
  sums[at + 4]! += signedX * y;
  sums[at + 5]! += signedY * y;
  sums[at + 6]! += sign * red;
  sums[at + 7]! += signedX * red;
  sums[at + 8]! += signedY * red;
  sums[at + 9]! += sign * green;
  sums[at + 10]! += signedX * green;
  sums[at + 11]! += signedY * green;
  sums[at + 12]! += sign * blue;
  sums[at + 13]! += signedX * blue;
  sums[at + 14]! += signedY * blue;
  sums[at + SQUARES]! += sign * (red * red + green * green + blue * blue);
}

/** Squared error that a gradient must take off, or one colour does. */
const GRADIENT_COST = 8000;
/**
 * Share of the variance explained by a linear gradient above which the rest is mostly nonlinearity; more stops remove
 * about half of it.
 */
const EVEN_SHARE = 0.9;
const LEFT_BY_STOPS = 0.5;
/** Fitting a gradient to fewer pixels follows their noise. */
const GRADIENT_PIXELS_MIN = 16;

/** Squared error of the best fill, summed over pixels and channels, including the cost of a gradient. */
export function modelError(sums: AreaSums, at: number, gradients: boolean): number {
  const flat = flatError(sums, at);
  if (!gradients || flat <= GRADIENT_COST) return flat;
  return Math.min(flat, gradientError(flat, gradientGain(sums, at)));
}

/** Squared error of a gradient, including its cost. */
const gradientError = (flat: number, gain: number): number =>
  GRADIENT_COST + (gain > EVEN_SHARE * flat ? LEFT_BY_STOPS : 1) * (flat - gain);

function flatError(sums: AreaSums, at: number): number {
  const explained = sums[at + 6]! ** 2 + sums[at + 9]! ** 2 + sums[at + 12]! ** 2;
  return Math.max(0, sums[at + SQUARES]! - explained / sums[at]!);
}

/** What the best linear gradient takes off the error of one colour, 0 for an area too small or thin to have one. */
function gradientGain(sums: AreaSums, at: number): number {
  const slope = slopeOf(sums, at);
  return slope === undefined ? 0 : steepestSlope(slope);
}

const steepestSlope = ({ trace, determinant }: { trace: number; determinant: number }): number =>
  trace / 2 + Math.sqrt(Math.max(0, trace ** 2 / 4 - determinant));

/** Spread of the positions, and trace and determinant of what the plane through the colours explains. */
function slopeOf(sums: AreaSums, at: number) {
  const n = sums[at]!;
  if (n < GRADIENT_PIXELS_MIN) return undefined;
  const x = sums[at + 1]! / n;
  const y = sums[at + 2]! / n;
  const xx = sums[at + 3]! - n * x * x;
  const xy = sums[at + 4]! - n * x * y;
  const yy = sums[at + 5]! - n * y * y;
  const area = xx * yy - xy * xy;
  if (area < n) return undefined;
  let cxx = 0;
  let cxy = 0;
  let cyy = 0;
  for (let place = at + 6; place < at + SQUARES; place += 3) {
    const across = sums[place + 1]! - x * sums[place]!;
    const down = sums[place + 2]! - y * sums[place]!;
    cxx += across * across;
    cxy += across * down;
    cyy += down * down;
  }
  const trace = (yy * cxx - 2 * xy * cxy + xx * cyy) / area;
  return { x, y, xx, xy, yy, area, cxx, cxy, cyy, trace, determinant: (cxx * cyy - cxy * cxy) / area };
}

/** A linear gradient: the colour at (x, y), and how it changes for each pixel in the direction (dx, dy). */
export interface Gradient {
  readonly x: number;
  readonly y: number;
  /** Unit vector along which the colour changes. */
  readonly dx: number;
  readonly dy: number;
  readonly color: readonly number[];
  readonly change: readonly number[];
}

export const meanColor = (sums: AreaSums, at: number): number[] =>
  [at + 6, at + 9, at + 12].map((place) => sums[place]! / sums[at]!);

/** The linear gradient with the least squared error. Undefined where one colour does. */
export function fitGradient(sums: AreaSums, at: number): Gradient | undefined {
  const slope = slopeOf(sums, at);
  if (slope === undefined) return undefined;
  const { x, y, xx, xy, yy, area, cxx, cxy, cyy } = slope;
  const value = steepestSlope(slope);
  const flat = flatError(sums, at);
  if (gradientError(flat, value) >= flat) return undefined;
  // The first eigenvector of spread⁻¹ · covariance.
  const a = (yy * cxx - xy * cxy) / area;
  const b = (yy * cxy - xy * cyy) / area;
  const c = (xx * cxy - xy * cxx) / area;
  const d = (xx * cyy - xy * cxy) / area;
  const across = Math.abs(value - d) > Math.abs(value - a) ? value - d : b;
  const down = Math.abs(value - d) > Math.abs(value - a) ? c : value - a;
  const length = Math.hypot(across, down);
  const [dx, dy] = length > 0 ? [across / length, down / length] : [1, 0];
  const spread = dx * dx * xx + 2 * dx * dy * xy + dy * dy * yy;
  const channels = [at + 6, at + 9, at + 12];
  return {
    x,
    y,
    dx,
    dy,
    color: meanColor(sums, at),
    change: channels.map((place) => {
      const gx = sums[place + 1]! - x * sums[place]!;
      const gy = sums[place + 2]! - y * sums[place]!;
      return (dx * gx + dy * gy) / spread;
    }),
  };
}

/** The current areas, with the sums of each. */
export interface Merged {
  readonly areas: Partition;
  readonly sums: AreaSums;
}

/** The best fill of each area: its mean, or a gradient if `gradients` allows it and it pays off. */
export function fillAreas({ areas, sums }: Merged, gradients: boolean): Fill[] {
  const found = Array.from({ length: areas.count }, (_, area) =>
    gradients ? fitGradient(sums, MOMENTS * area) : undefined,
  );
  const extents = extentsOf(areas, found);
  return found.map((gradient, area) =>
    gradient === undefined
      ? { color: meanColor(sums, MOMENTS * area) }
      : fillBetween(gradient, extents[2 * area]!, extents[2 * area + 1]!),
  );
}

/** Extent of each area along its gradient: smallest and largest distance from the gradient's origin. */
function extentsOf({ width, labels, count }: Partition, gradients: readonly (Gradient | undefined)[]) {
  const extents = new Float64Array(2 * count);
  for (let pixel = 0; pixel < labels.length; pixel++) {
    const area = labels[pixel]!;
    const gradient = gradients[area];
    if (gradient === undefined) continue;
    const x = pixel % width;
    const along = (x - gradient.x) * gradient.dx + ((pixel - x) / width - gradient.y) * gradient.dy;
    extents[2 * area] = Math.min(extents[2 * area]!, along);
    extents[2 * area + 1] = Math.max(extents[2 * area + 1]!, along);
  }
  return extents;
}

function fillBetween({ x, y, dx, dy, color, change }: Gradient, first: number, last: number): Fill {
  // Sums address pixels by their corner; drawing coordinates are offset by half a pixel.
  const place = (along: number) => [x + 0.5 + along * dx, y + 0.5 + along * dy] as const;
  const stop = (along: number) =>
    color.map((value, channel) => Math.min(255, Math.max(0, value + along * change[channel]!)));
  return { from: place(first), to: place(last), stops: [stop(first), stop(last)] };
}
