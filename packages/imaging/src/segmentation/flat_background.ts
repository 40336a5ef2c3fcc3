import { type Plane, planeOf } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';

/** A colour that is a quadratic function of position, like light on a wall. */
interface ColorSurface {
  /** Root-mean-square residual of the fitted pixels, in levels of 0 to 255. */
  readonly noise: number;
  /** Distance of a pixel from the surface: the largest of the three channel differences, in levels. */
  distance(pixel: number): number;
}

const TERMS = 6;
const ROUNDS = 6;
const BUCKET_BITS = 4;
/** Initial inlier threshold around the most common colour; allows for illumination falloff of this size. */
const START_LEVELS = 36;

/**
 * Robustly fits the smooth colour that most of these pixels share.
 * @returns undefined if too few share one
 */
function fitColorSurface(picture: Raster, pixels: readonly number[]): ColorSurface | undefined {
  const common = mostCommonColor(picture, pixels);
  let inside = pixels.filter((pixel) => levelsFrom(picture, pixel, common) <= START_LEVELS);
  if (inside.length < TERMS * 4) return undefined;
  let surface = surfaceOf(picture, flatSurface(common));
  for (let round = 0; round < ROUNDS; round++) {
    surface = surfaceOf(picture, leastSquares(picture, inside));
    const maximum = Math.max(4, 3 * median(inside.map((pixel) => surface.distance(pixel))));
    const next = pixels.filter((pixel) => surface.distance(pixel) <= maximum);
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
      let maximum = 0;
      for (let side = 0; side < 3; side++) {
        const [c, cx, cy, cxx, cxy, cyy] = terms[side] as [number, number, number, number, number, number];
        const level = c + x * (cx + cxx * x + cxy * y) + y * (cy + cyy * y);
        // A surface outside 0 to 255 is clipped, as on an overexposed white wall.
        maximum = Math.max(
          maximum,
          Math.abs(Math.min(255, Math.max(0, level)) - data[pixel * channels + side]!),
        );
      }
      return maximum;
    },
  };
}

function mostCommonColor({ channels, data }: Raster, pixels: readonly number[]): [number, number, number] {
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

/** Ridge regression: a border with one side missing still has a unique solution. */
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

/** Gauss-Jordan elimination; the ridge term keeps every pivot away from 0. */
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

/** A background of one colour, or of one smoothly varying colour such as a lit wall. */
export interface FlatBackground {
  /** Distance of each pixel from the local background colour, in levels of 0 to 255. */
  readonly distance: Plane;
  /** 1 for background connected to the image border, and for holes in the object. */
  readonly region: Plane;
  /** A pixel closer than this has the background colour, in levels. */
  readonly tolerance: number;
  readonly holes: number;
  /** A synthetic background without noise, so every deviation from it is intentional. */
  readonly isExact: boolean;
}

/** Width of the examined border, as a fraction of the shortest side. */
const BORDER_WIDTH = 0.015;
/** An object may touch the border: this share of the whole border, and most of two sides, must be background. */
const BORDER_SHARE_MIN = 0.5;
const SIDE_SHARE_MIN = 0.7;
const NOISE_LEVELS_MAX = 5;
/** Largest noise of a synthetic background after JPEG compression; photographed walls have more. */
const EXACT_NOISE_MAX = 0.5;
const REGION_SHARE_MIN = 0.05;
/** Enclosed regions below this fraction of the image are highlights rather than holes. */
const HOLE_PX_MIN = 6;
const HOLE_SHARE_MIN = 0.00005;

/** Outside a hole, the colour distance must rise to this many times the tolerance within this many pixels. */
const EDGE_TOLERANCES = 6;
const EDGE_PX = 3;

/**
 * Detects a flat background.
 * @returns undefined if the image border has no single smooth colour
 */
export function findFlatBackground(picture: Raster): FlatBackground | undefined {
  const rim = borderPixels(picture);
  const surface = fitColorSurface(picture, rim.pixels);
  if (!surface || surface.noise > NOISE_LEVELS_MAX) return undefined;
  const tolerance = Math.max(6, 4.5 * surface.noise);
  const distance = planeOf(picture);
  for (let pixel = 0; pixel < distance.data.length; pixel++) distance.data[pixel] = surface.distance(pixel);
  const isFlat = (pixel: number) => distance.data[pixel]! <= tolerance;
  const shares = rim.sides.map((side) => side.filter(isFlat).length / Math.max(1, side.length));
  if (rim.pixels.filter(isFlat).length < BORDER_SHARE_MIN * rim.pixels.length) return undefined;
  if (shares.filter((share) => share >= SIDE_SHARE_MIN).length < 2) return undefined;
  const { region, holes } = growRegion(distance, rim.pixels, tolerance);
  const share = region.data.reduce((sum, value) => sum + value, 0) / region.data.length;
  if (share < REGION_SHARE_MIN) return undefined;
  return { distance, region, tolerance, holes, isExact: surface.noise < EXACT_NOISE_MAX };
}

/**
 * Bounds of alpha on a flat background: minimum and maximum follow from the pixel's colour distance relative to the largest distance
 * nearby.
 */
export function opacityFromDistance({ distance, region, tolerance }: FlatBackground, reach: number): Plane {
  const { width, height } = distance;
  const farthest = planeOf({ width, height });
  const rows = planeOf({ width, height });
  slidingMaximum(distance.data, rows.data, { lines: height, length: width, step: 1, stride: width, reach });
  slidingMaximum(rows.data, farthest.data, { lines: width, length: height, step: width, stride: 1, reach });
  const opacity = planeOf({ width, height });
  for (let pixel = 0; pixel < opacity.data.length; pixel++) {
    const above = Math.max(0, distance.data[pixel]! - tolerance / 2);
    const span = Math.max(2 * tolerance, farthest.data[pixel]! - tolerance / 2);
    opacity.data[pixel] = region.data[pixel] === 1 ? 0 : Math.min(1, above / span);
  }
  return opacity;
}

function slidingMaximum(
  from: Float32Array,
  into: Float32Array,
  {
    lines,
    length,
    step,
    stride,
    reach,
  }: { lines: number; length: number; step: number; stride: number; reach: number },
): void {
  for (let line = 0; line < lines; line++) {
    for (let at = 0; at < length; at++) {
      let maximum = 0;
      const end = Math.min(length - 1, at + reach);
      for (let near = Math.max(0, at - reach); near <= end; near++)
        maximum = Math.max(maximum, from[line * stride + near * step]!);
      into[line * stride + at * step] = maximum;
    }
  }
}

function borderPixels({ width, height }: Raster): { pixels: number[]; sides: number[][] } {
  const deep = Math.max(1, Math.round(BORDER_WIDTH * Math.min(width, height)));
  const sides: number[][] = [[], [], [], []];
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    if (y < deep) sides[0]!.push(pixel);
    if (y >= height - deep) sides[1]!.push(pixel);
    if (x < deep) sides[2]!.push(pixel);
    if (x >= width - deep) sides[3]!.push(pixel);
  }
  return { pixels: sides.flat(), sides };
}

function growRegion(
  distance: Plane,
  rim: readonly number[],
  tolerance: number,
): { region: Plane; holes: number } {
  const { width, height } = distance;
  const region = planeOf(distance);
  const seen = new Uint8Array(width * height);
  flood(
    distance,
    rim.filter((pixel) => distance.data[pixel]! <= tolerance),
    { seen, tolerance },
  ).forEach((pixel) => {
    region.data[pixel] = 1;
  });
  let holes = 0;
  for (let pixel = 0; pixel < seen.length; pixel++) {
    if (seen[pixel] === 1 || distance.data[pixel]! > tolerance) continue;
    const patch = flood(distance, [pixel], { seen, tolerance });
    if (
      patch.length < Math.max(HOLE_PX_MIN, HOLE_SHARE_MIN * seen.length) ||
      !isHole(distance, patch, tolerance)
    )
      continue;
    holes++;
    for (const at of patch) region.data[at] = 1;
  }
  return { region, holes };
}

/**
 * Distinguishes a hole from a highlight: the colours of a hole are as close to the background as those outside, not merely within
 * tolerance, and end at a sharp edge; a highlight fades.
 */
function isHole({ width, height, data }: Plane, patch: readonly number[], tolerance: number): boolean {
  let [inside, around, count] = [0, 0, 0];
  for (const pixel of patch) {
    inside += data[pixel]!;
    const x = pixel % width;
    for (const other of [
      x >= EDGE_PX ? pixel - EDGE_PX : -1,
      x < width - EDGE_PX ? pixel + EDGE_PX : -1,
      pixel - EDGE_PX * width,
      pixel + EDGE_PX * width,
    ]) {
      if (other < 0 || other >= width * height || data[other]! <= tolerance) continue;
      around += data[other]!;
      count++;
    }
  }
  return inside < 0.45 * tolerance * patch.length && around > EDGE_TOLERANCES * tolerance * count;
}

function flood(
  { width, height, data }: Plane,
  starts: readonly number[],
  { seen, tolerance }: { seen: Uint8Array; tolerance: number },
): number[] {
  const found: number[] = [];
  const add = (pixel: number) => {
    if (seen[pixel] === 1 || data[pixel]! > tolerance) return;
    seen[pixel] = 1;
    found.push(pixel);
  };
  for (const pixel of starts) add(pixel);
  for (let at = 0; at < found.length; at++) {
    const pixel = found[at]!;
    const x = pixel % width;
    if (x > 0) add(pixel - 1);
    if (x < width - 1) add(pixel + 1);
    if (pixel >= width) add(pixel - width);
    if (pixel < width * (height - 1)) add(pixel + width);
  }
  return found;
}
