import { gaussianBlur } from '../pixels/gaussian_blur.ts';
import type { Plane } from '../pixels/plane.ts';
import { type Keypoint, keypointsOf } from './keypoints.ts';
import { type Pdq, pdqOf } from './pdq/pdq.ts';

/** A square of the picture that stands on two keypoints, so that it shows the same after a crop, a turn or another size. */
export interface AnchoredWindow {
  readonly pdq: Pdq;
  /** From the first keypoint to the second. */
  readonly from: Keypoint;
  readonly to: Keypoint;
}

interface Choice {
  /** Keypoints that windows may stand on. */
  readonly keypoints: number;
  readonly windowsMax: number;
  /** Windows that may stand on one keypoint, so that they cover the whole picture. */
  readonly windowsPerKeypoint: number;
}

/** What is kept of a picture. */
export const REGISTERED: Choice = { keypoints: 48, windowsMax: 32, windowsPerKeypoint: 4 };
/** What is looked for. */
export const ASKED: Choice = { keypoints: 56, windowsMax: 320, windowsPerKeypoint: 56 };

/** Distance of the two keypoints of a window: nearer ones place it too roughly. */
const ANCHORS_PX_MIN = 48;
const ANCHORS_PX_MAX = 200;
/** Side of a window, in distances of its keypoints. */
const SIDE = 1.8;
const SAMPLES = 64;
const QUALITY_MIN = 30;

/** Windows on pairs of keypoints, the pairs that stand out most first. */
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

/** All pairs of the first `count` numbers, in the order of their sums. */
function* pairsByRank(count: number): Generator<[number, number]> {
  for (let sum = 1; sum < 2 * count - 2; sum++) {
    for (let one = Math.max(0, sum - count + 1); one < sum - one; one++) yield [one, sum - one];
  }
}

/** Undefined where it would reach beyond the picture, or shows too little. */
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

/** SAMPLES × SAMPLES values around a middle; `across` is the step from one column to the next. */
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
