import type { Raster } from '../pixels/raster.ts';

/** A colour that changes with the square of the place at most, as light on a wall does. */
export interface ColorSurface {
  /** Root of the mean square of what the fitted pixels are off, in levels of 0 to 255. */
  readonly noise: number;
  /** How far a pixel is from the surface: the largest of the three channels, in levels. */
  distance(pixel: number): number;
}

const TERMS = 6;
const ROUNDS = 6;
const BUCKET_BITS = 4;
/** Pixels this far from the commonest colour begin outside the fit; light may fall off by as much. */
const START_LEVELS = 36;

/** Fits the smooth colour most of these pixels share, without those that do not. @returns undefined where too few share one */
export function fitColorSurface(picture: Raster, pixels: readonly number[]): ColorSurface | undefined {
  const common = findCommonest(picture, pixels);
  let inside = pixels.filter((pixel) => levelsFrom(picture, pixel, common) <= START_LEVELS);
  if (inside.length < TERMS * 4) return undefined;
  let surface = surfaceOf(picture, flatSurface(common));
  for (let round = 0; round < ROUNDS; round++) {
    surface = surfaceOf(picture, leastSquares(picture, inside));
    const most = Math.max(4, 3 * median(inside.map((pixel) => surface.distance(pixel))));
    const next = pixels.filter((pixel) => surface.distance(pixel) <= most);
    if (next.length < TERMS * 4) return undefined;
    inside = next;
  }
  const squares = inside.reduce((sum, pixel) => sum + surface.distance(pixel) ** 2, 0);
  return { ...surface, noise: Math.sqrt(squares / inside.length) };
}

const flatSurface = (color: readonly number[]): number[][] => color.map((level) => [level, 0, 0, 0, 0, 0]);

function surfaceOf(
  { width, height, channels, data }: Raster,
  terms: readonly (readonly number[])[],
): ColorSurface {
  return {
    noise: 0,
    distance(pixel) {
      const x = (2 * (pixel % width)) / width - 1;
      const y = (2 * Math.floor(pixel / width)) / height - 1;
      let most = 0;
      for (let side = 0; side < 3; side++) {
        const [c, cx, cy, cxx, cxy, cyy] = terms[side] as [number, number, number, number, number, number];
        const level = c + x * (cx + cxx * x + cxy * y) + y * (cy + cyy * y);
        // A surface that leaves the range is clipped, as a white wall is.
        most = Math.max(most, Math.abs(Math.min(255, Math.max(0, level)) - data[pixel * channels + side]!));
      }
      return most;
    },
  };
}

function findCommonest({ channels, data }: Raster, pixels: readonly number[]): [number, number, number] {
  const counts = new Map<number, number[]>();
  for (const pixel of pixels) {
    const color = [0, 1, 2].map((side) => data[pixel * channels + side]!);
    const key = color.reduce((sum, level) => (sum << BUCKET_BITS) | (level >> (8 - BUCKET_BITS)), 0);
    const sums = counts.get(key) ?? [0, 0, 0, 0];
    counts.set(key, [sums[0]! + 1, sums[1]! + color[0]!, sums[2]! + color[1]!, sums[3]! + color[2]!]);
  }
  const [count, ...sums] = [...counts.values()].reduce(
    (best, sums) => (sums[0]! > best[0]! ? sums : best),
    [0, 0, 0, 0],
  );
  return sums.map((sum) => sum / Math.max(1, count!)) as [number, number, number];
}

function levelsFrom({ channels, data }: Raster, pixel: number, color: readonly number[]): number {
  return Math.max(...color.map((level, side) => Math.abs(level - data[pixel * channels + side]!)));
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

/** Least squares with a little ridge, so that a rim with one side missing still has one answer. */
function leastSquares({ width, height, channels, data }: Raster, pixels: readonly number[]): number[][] {
  const normal = Array.from({ length: TERMS }, () => new Array<number>(TERMS + 3).fill(0));
  for (const pixel of pixels) {
    const x = (2 * (pixel % width)) / width - 1;
    const y = (2 * Math.floor(pixel / width)) / height - 1;
    const terms = [1, x, y, x * x, x * y, y * y];
    for (let row = 0; row < TERMS; row++) {
      for (let column = 0; column < TERMS; column++) normal[row]![column]! += terms[row]! * terms[column]!;
      for (let side = 0; side < 3; side++)
        normal[row]![TERMS + side]! += terms[row]! * data[pixel * channels + side]!;
    }
  }
  for (let row = 1; row < TERMS; row++) normal[row]![row]! += 1e-3 * pixels.length;
  eliminate(normal);
  return [0, 1, 2].map((side) => normal.map((row) => row[TERMS + side]!));
}

/** Gauss and Jordan; the ridge keeps every pivot away from 0. */
function eliminate(rows: number[][]): void {
  for (let pivot = 0; pivot < rows.length; pivot++) {
    const scale = rows[pivot]![pivot]!;
    rows[pivot] = rows[pivot]!.map((value) => value / scale);
    for (let row = 0; row < rows.length; row++) {
      if (row === pivot) continue;
      const factor = rows[row]![pivot]!;
      rows[row] = rows[row]!.map((value, column) => value - factor * rows[pivot]![column]!);
    }
  }
}
