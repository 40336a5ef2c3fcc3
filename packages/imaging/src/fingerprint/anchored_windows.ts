import { gaussianBlur } from '../pixels/gaussian_blur.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import { type Pdq, pdqOf } from './pdq/pdq.ts';

/** Centre of a blob, a position that is detected again after cropping, rotation or scaling. In pixels of the plane. */
interface Keypoint {
  readonly x: number;
  readonly y: number;
  /** Contrast, in grey levels. */
  readonly contrast: number;
}

/** Parameters of Lowe, "Distinctive Image Features from Scale-Invariant Keypoints" (2004). */
const LEVELS = 3;
const FIRST_SIGMA = 1.6;
const EDGE_RATIO_MAX = 8;
const CONTRAST_MIN = 0.8;
/** Closer keypoints are merged. */
const APART_PX_MIN = 4;
const SIDE_PX_MIN = 16;

/** Extrema of the differences of Gaussians over position and scale, strongest first. */
function keypointsOf(plane: Plane, countMax: number): Keypoint[] {
  const found: Keypoint[] = [];
  let base = gaussianBlur(plane, Math.sqrt(FIRST_SIGMA ** 2 - 0.25));
  for (let step = 1; Math.min(base.width, base.height) >= SIDE_PX_MIN; step *= 2) {
    const blurred = octave(base);
    const { width } = base;
    const differences = blurred.slice(1).map(({ data }, at) => difference(data, blurred[at]!.data));
    for (let level = 1; level <= LEVELS; level++) {
      const [below, here, above] = differences.slice(level - 1, level + 2) as Scales;
      for (const at of findExtremes([below, here, above], base)) {
        const [dx, dy] = offset(here, at, width) ?? [2, 2];
        if (Math.abs(dx) > 1 || Math.abs(dy) > 1) continue;
        const [x, y] = [((at % width) + dx) * step, (Math.floor(at / width) + dy) * step];
        found.push({ x, y, contrast: Math.abs(here[at]!) });
      }
    }
    base = everySecond(blurred[LEVELS]!);
  }
  return pickStrongest(found, countMax);
}

type Scales = [Float32Array, Float32Array, Float32Array];

function octave(base: Plane): Plane[] {
  const blurred = [base];
  for (let level = 1; level < LEVELS + 3; level++) {
    const [before, after] = [level - 1, level].map((at) => FIRST_SIGMA * 2 ** (at / LEVELS)) as [
      number,
      number,
    ];
    blurred.push(gaussianBlur(blurred.at(-1)!, Math.sqrt(after ** 2 - before ** 2)));
  }
  return blurred;
}

const difference = (one: Float32Array, other: Float32Array): Float32Array =>
  one.map((value, at) => value - other[at]!);

/** Positions above, or below, all 26 neighbours in position and scale. */
function findExtremes([below, here, above]: Scales, { width, height }: Plane): number[] {
  const found: number[] = [];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const value = here[at]!;
      if (Math.abs(value) < CONTRAST_MIN) continue;
      const sign = Math.sign(value);
      if (isExtreme([below, here, above], at, width, sign)) found.push(at);
    }
  }
  return found;
}

function isExtreme([below, here, above]: Scales, at: number, width: number, sign: number): boolean {
  const value = sign * here[at]!;
  for (let dy = -width; dy <= width; dy += width) {
    for (let dx = -1; dx <= 1; dx++) {
      const near = at + dy + dx;
      if (sign * below[near]! >= value || sign * above[near]! >= value) return false;
      if (near !== at && sign * here[near]! >= value) return false;
    }
  }
  return true;
}

/** Subpixel offset to the vertex of the parabola through the neighbours; undefined on an edge, which is localised in one direction only. */
function offset(values: Float32Array, at: number, width: number): [number, number] | undefined {
  const value = values[at]!;
  const [left, right, up, down] = [at - 1, at + 1, at - width, at + width].map(
    (near) => values[near]!,
  ) as Quad;
  const [gx, gy] = [(right - left) / 2, (down - up) / 2];
  const [xx, yy] = [right + left - 2 * value, down + up - 2 * value];
  const [a, b, c, d] = [width + 1, width - 1, -width + 1, -width - 1].map((by) => values[at + by]!) as Quad;
  const xy = (a - b - c + d) / 4;
  const determinant = xx * yy - xy * xy;
  if (determinant <= 0 || (xx + yy) ** 2 / determinant > EDGE_RATIO_MAX) return undefined;
  return [-(yy * gx - xy * gy) / determinant, -(xx * gy - xy * gx) / determinant];
}

type Quad = [number, number, number, number];

/** Every second pixel per axis, without averaging: the plane is already blurred. */
function everySecond({ data, width, height }: Plane): Plane {
  const [w, h] = [width >> 1, height >> 1];
  const half = Float32Array.from(
    { length: w * h },
    (_, at) => data[2 * Math.floor(at / w) * width + 2 * (at % w)]!,
  );
  return { data: half, width: w, height: h };
}

function pickStrongest(found: Keypoint[], countMax: number): Keypoint[] {
  const kept: Keypoint[] = [];
  for (const point of found.toSorted((one, other) => other.contrast - one.contrast)) {
    if (kept.length >= countMax) break;
    if (kept.every(({ x, y }) => Math.hypot(x - point.x, y - point.y) > APART_PX_MIN)) kept.push(point);
  }
  return kept;
}

/** A square of the image aligned with two keypoints, so that it shows the same content after cropping, rotation or scaling. */
export interface AnchoredWindow {
  readonly pdq: Pdq;
  /** Direction of the window: from the first keypoint to the second. */
  readonly from: Keypoint;
  readonly to: Keypoint;
}

interface Choice {
  /** Number of keypoints used for windows. */
  readonly keypoints: number;
  readonly windowsMax: number;
  /** Maximum windows per keypoint, which spreads them over the whole image. */
  readonly windowsPerKeypoint: number;
}

/** Windows of a registered image. */
export const REGISTERED: Choice = { keypoints: 48, windowsMax: 32, windowsPerKeypoint: 4 };
/** Windows of a query image. */
export const ASKED: Choice = { keypoints: 56, windowsMax: 320, windowsPerKeypoint: 56 };

/** The same for each region of a registered image. */
export const REGISTERED_IN_REGION: Choice = { keypoints: 24, windowsMax: 10, windowsPerKeypoint: 2 };
export const ASKED_IN_REGION: Choice = { keypoints: 56, windowsMax: 160, windowsPerKeypoint: 56 };

/** Minimum distance of the two keypoints of a window: closer ones locate it too imprecisely. */
const ANCHORS_PX_MIN = 48;
const ANCHORS_PX_MAX = 200;
/** Side of a window, relative to the distance of its keypoints. */
const SIDE = 1.8;
const SAMPLES = 64;
const QUALITY_MIN = 30;

/** Windows for pairs of keypoints, strongest pairs first. */
export function anchoredWindows(
  plane: Plane,
  { keypoints, windowsMax, windowsPerKeypoint }: Choice,
): AnchoredWindow[] {
  const points = keypointsOf(plane, keypoints);
  const smooth = [1, 2, 4].map((sigma) => gaussianBlur(plane, sigma));
  const uses = new Uint16Array(points.length);
  const windows: AnchoredWindow[] = [];
  for (const [one, other] of pairsByRank(points.length)) {
    if (windows.length >= windowsMax) break;
    if (uses[one]! >= windowsPerKeypoint || uses[other]! >= windowsPerKeypoint) continue;
    const window = windowOn(smooth, points[one]!, points[other]!);
    if (!window) continue;
    windows.push(window);
    uses[one]!++;
    uses[other]!++;
  }
  return windows;
}

/** Left and top of the regions as fractions of the sides; they have half the sides of the image: its quarters, and the centre. */
const REGIONS = [
  [0, 0],
  [0.5, 0],
  [0, 0.5],
  [0.5, 0.5],
  [0.25, 0.25],
] as const;

/**
 * Windows of each region of an image. A crop to a quarter shows a region at twice the size, and an image pasted into another is such a region; in
 * both cases, the keypoints of the whole image rank lower.
 * @param plane with sides twice as long as for windows of the whole
 */
export function regionWindows(plane: Plane, choice: Choice): AnchoredWindow[] {
  const [width, height] = [plane.width >> 1, plane.height >> 1];
  return REGIONS.flatMap(([left, top]) => {
    const region = planeOf({ width, height });
    const from = Math.floor(top * plane.height) * plane.width + Math.floor(left * plane.width);
    for (let row = 0; row < height; row++)
      region.data.set(
        plane.data.subarray(from + row * plane.width, from + row * plane.width + width),
        row * width,
      );
    return anchoredWindows(region, choice);
  });
}

/** All pairs of the first `count` numbers, ordered by their sums. */
function* pairsByRank(count: number): Generator<[number, number]> {
  for (let sum = 1; sum < 2 * count - 2; sum++) {
    for (let one = Math.max(0, sum - count + 1); one < sum - one; one++) yield [one, sum - one];
  }
}

/** Undefined if the window would exceed the image, or has too little detail. */
function windowOn(smooth: readonly Plane[], from: Keypoint, to: Keypoint): AnchoredWindow | undefined {
  const { width, height } = smooth[0]!;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const apart = Math.hypot(dx, dy);
  if (apart < ANCHORS_PX_MIN || apart > ANCHORS_PX_MAX) return undefined;
  const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
  const reach = ((SIDE / 2) * (Math.abs(dx) + Math.abs(dy))) | 0;
  if (x - reach < 0 || y - reach < 0 || x + reach > width - 1 || y + reach > height - 1) return undefined;
  const step = (SIDE * apart) / SAMPLES;
  const plane = smooth[step < 1.5 ? 0 : step < 3 ? 1 : 2]!;
  const pdq = pdqOf({
    data: sampleWindow(plane, [x, y], [(dx / apart) * step, (dy / apart) * step]),
    width: SAMPLES,
    height: SAMPLES,
  });
  return pdq.quality < QUALITY_MIN ? undefined : { pdq, from, to };
}

/** SAMPLES × SAMPLES values around a centre; `across` is the step between columns. */
function sampleWindow(
  { data, width, height }: Plane,
  [x, y]: [number, number],
  [acrossX, acrossY]: [number, number],
): Float32Array {
  const samples = new Float32Array(SAMPLES * SAMPLES);
  for (let row = 0; row < SAMPLES; row++) {
    for (let column = 0; column < SAMPLES; column++) {
      const [u, v] = [column + 0.5 - SAMPLES / 2, row + 0.5 - SAMPLES / 2];
      const atX = Math.min(width - 1.001, Math.max(0, x + u * acrossX - v * acrossY));
      const atY = Math.min(height - 1.001, Math.max(0, y + u * acrossY + v * acrossX));
      const [left, top] = [Math.floor(atX), Math.floor(atY)];
      const [toRight, toBottom] = [atX - left, atY - top];
      const at = top * width + left;
      const upper = data[at]! + toRight * (data[at + 1]! - data[at]!);
      const lower = data[at + width]! + toRight * (data[at + width + 1]! - data[at + width]!);
      samples[row * SAMPLES + column] = upper + toBottom * (lower - upper);
    }
  }
  return samples;
}
