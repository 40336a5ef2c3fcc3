import type { SmallPicture } from '../fingerprint/small_picture.ts';
import { gaussianBlur } from '../pixels/gaussian_blur.ts';
import { growMask } from '../pixels/grow_mask.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Affine } from './affine.ts';

export interface ChangeMap {
  /** For each pixel of the picture sent: 0 as in the original to 1 surely changed. */
  readonly change: Plane;
  /** Where the picture sent shows what lies beyond the original. */
  readonly beyond: Uint8Array;
}

/** Grey levels that compression, scaling and noise move a blurred pixel by. */
const TOLERANCE = 7;
/** So many more make it surely changed. */
const RANGE = 20;
/** A frame shines into the picture so far, by the blur and by scaling. */
const FRAME_PX = 6;
/** Part of the slope nearby that a slight shift explains. */
const SHIFT_PX = 0.9;

/** Compares colour by colour, once brightness and contrast are matched; edges are forgiven a slight shift. */
export function changeMap(sent: SmallPicture, original: SmallPicture, alignment: Affine): ChangeMap {
  const { width, height } = sent;
  const change = new Float32Array(width * height);
  const beyond = new Uint8Array(width * height);
  for (let channel = 0; channel < 3; channel++) {
    const [ours, theirs] = [sent, original].map((picture) =>
      gaussianBlur(channelOf(picture, channel), 1.5),
    ) as [Plane, Plane];
    const laid = layOver(theirs, alignment, width, height);
    const [gain, bias] = fitGain(ours.data, laid);
    for (let at = 0; at < change.length; at++) {
      if (Number.isNaN(laid[at]!)) {
        beyond[at] = 1;
        continue;
      }
      const excess =
        Math.abs(ours.data[at]! - gain * laid[at]! - bias) - TOLERANCE - SHIFT_PX * slopeAt(ours, at);
      change[at] = Math.max(change[at]!, Math.min(1, Math.max(0, excess / RANGE)));
    }
  }
  const near = growMask({ width, height, data: Float32Array.from(beyond) }, FRAME_PX).data;
  return { change: { data: change.map((value, at) => (near[at] ? 0 : value)), width, height }, beyond };
}

const channelOf = ({ data, width, height }: SmallPicture, channel: number): Plane => ({
  data: Float32Array.from({ length: width * height }, (_, at) => data[3 * at + channel]!),
  width,
  height,
});

/** The original as it would lie in the picture sent; NaN beyond it. */
function layOver(
  { data, width, height }: Plane,
  [a, b, c, d, e, f]: Affine,
  toWidth: number,
  toHeight: number,
): Float32Array {
  const laid = new Float32Array(toWidth * toHeight).fill(Number.NaN);
  for (let at = 0; at < laid.length; at++) {
    const [x, y] = [at % toWidth, Math.floor(at / toWidth)];
    const [u, v] = [a * x + b * y + c, d * x + e * y + f];
    if (u < -0.5 || v < -0.5 || u > width - 0.5 || v > height - 0.5) continue;
    const [inU, inV] = [Math.min(width - 1.001, Math.max(0, u)), Math.min(height - 1.001, Math.max(0, v))];
    const from = Math.floor(inV) * width + Math.floor(inU);
    const [p, q] = [inU - Math.floor(inU), inV - Math.floor(inV)];
    const upper = data[from]! * (1 - p) + data[from + 1]! * p;
    const lower = data[from + width]! * (1 - p) + data[from + width + 1]! * p;
    laid[at] = upper * (1 - q) + lower * q;
  }
  return laid;
}

/** Gain and bias that bring the second to the first, by least squares, fitted anew without what differs much. */
function fitGain(one: Float32Array, other: Float32Array): [gain: number, bias: number] {
  let [gain, bias] = [1, 0];
  for (const within of [60, 30, 15]) {
    let [n, sx, sy, sxx, sxy] = [0, 0, 0, 0, 0];
    for (let at = 0; at < one.length; at += 3) {
      const [x, y] = [other[at]!, one[at]!];
      if (Number.isNaN(x) || Math.abs(y - gain * x - bias) > within) continue;
      n++;
      sx += x;
      sy += y;
      sxx += x * x;
      sxy += x * y;
    }
    const spread = n * sxx - sx * sx;
    if (n < 50 || spread < n * n) continue;
    gain = Math.min(2, Math.max(0.5, (n * sxy - sx * sy) / spread));
    bias = (sy - gain * sx) / n;
  }
  return [gain, bias];
}

function slopeAt({ data, width, height }: Plane, at: number): number {
  const [x, y] = [at % width, Math.floor(at / width)];
  const across = data[at + (x < width - 1 ? 1 : 0)]! - data[at - (x > 0 ? 1 : 0)]!;
  const down = data[at + (y < height - 1 ? width : 0)]! - data[at - (y > 0 ? width : 0)]!;
  return Math.hypot(across, down) / 2;
}
