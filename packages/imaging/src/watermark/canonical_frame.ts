import { LUMA_SHARES } from '../pixels/luma.ts';
import type { Plane } from '../pixels/plane.ts';
import { type DeepRaster, largestSample } from '../pixels/raster.ts';

/** Input samples of each output sample: `count` of them starting at `first`, with their weights. */
interface AxisWeights {
  readonly to: number;
  readonly count: number;
  readonly first: Int32Array;
  readonly weights: Float32Array;
}

/** Area average when reducing; cubic (Catmull–Rom) when enlarging. */
function axisWeights(from: number, to: number): AxisWeights {
  const step = from / to;
  const reach = step > 1 ? step / 2 : 2;
  const count = Math.min(from, step > 1 ? Math.ceil(step) + 1 : 4);
  const first = new Int32Array(to);
  const weights = new Float32Array(to * count);
  for (let at = 0; at < to; at++) {
    const centre = (at + 0.5) * step;
    const leftmost = step > 1 ? Math.floor(centre - reach) : Math.floor(centre - 0.5) - 1;
    const start = Math.max(0, Math.min(from - count, leftmost));
    first[at] = start;
    let sum = 0;
    // Samples outside the image repeat the edge sample.
    for (let index = Math.floor(centre - reach); index <= Math.ceil(centre + reach); index++) {
      const weight = step > 1 ? overlap(index, centre, step) : catmullRom(index + 0.5 - centre);
      const inside = Math.max(start, Math.min(start + count - 1, index));
      weights[at * count + inside - start]! += weight;
      sum += weight;
    }
    for (let tap = 0; tap < count; tap++) weights[at * count + tap]! /= sum;
  }
  return { to, count, first, weights };
}

/** Length of the sample `index` that is covered by the interval of length `step` around `centre`. */
const overlap = (index: number, centre: number, step: number): number =>
  Math.max(0, Math.min(index + 1, centre + step / 2) - Math.max(index, centre - step / 2));

/** Cubic convolution with a = -1/2. R. Keys, IEEE Trans. Acoust. Speech Signal Process. 29 (1981). */
function catmullRom(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return 1 + x * x * (1.5 * x - 2.5);
  return x < 2 ? 2 + x * (-4 + x * (2.5 - 0.5 * x)) : 0;
}

/** Resamples one row along x. */
function resampleRow(source: Float32Array, axis: AxisWeights, target: Float32Array): void {
  const { to, count, first, weights } = axis;
  if (count === 4) {
    resampleRowBy4(source, axis, target);
    return;
  }
  for (let at = 0; at < to; at++) {
    const start = first[at]!;
    const row = at * count;
    let sum = 0;
    for (let tap = 0; tap < count; tap++) sum += weights[row + tap]! * source[start + tap]!;
    target[at] = sum;
  }
}

/** `resampleRow` for four taps, the most common case, unrolled. */
function resampleRowBy4(
  source: Float32Array,
  { to, first, weights }: AxisWeights,
  target: Float32Array,
): void {
  for (let at = 0, row = 0; at < to; at++, row += 4) {
    const start = first[at]!;
    target[at] =
      weights[row]! * source[start]! +
      weights[row + 1]! * source[start + 1]! +
      weights[row + 2]! * source[start + 2]! +
      weights[row + 3]! * source[start + 3]!;
  }
}

/** Computes row `y` of the result along y, from a plane of `width` columns. */
function resampleColumns(
  source: Float32Array,
  width: number,
  axis: AxisWeights,
  y: number,
  target: Float32Array,
): void {
  const weights = axis.weights.subarray(y * axis.count, (y + 1) * axis.count);
  const start = axis.first[y]! * width;
  if (axis.count === 4) {
    addRowsBy4(source.subarray(start, start + 4 * width), width, weights, target);
    return;
  }
  target.fill(0);
  for (const [tap, weight] of weights.entries()) {
    if (weight === 0) continue;
    const from = start + tap * width;
    for (let x = 0; x < width; x++) target[x]! += weight * source[from + x]!;
  }
}

/** `resampleColumns` for four taps, the most common case: writes each output value once. */
function addRowsBy4(source: Float32Array, width: number, weights: Float32Array, target: Float32Array): void {
  const first = weights[0]!;
  const second = weights[1]!;
  const third = weights[2]!;
  const fourth = weights[3]!;
  for (let x = 0; x < width; x++) {
    target[x] =
      first * source[x]! +
      second * source[x + width]! +
      third * source[x + 2 * width]! +
      fourth * source[x + 3 * width]!;
  }
}

/** Shorter side of the frame in which watermarks are written and read. Resizing an image does not change its frame. */
export const FRAME_SIDE_PX = 512;

/** Maximum ratio of the longer to the shorter side; bounds the size of the frame. */
export const ASPECT_MAX = 8;

/** Size of the frame of an image, in pixels. */
export function frameSize({ width, height }: { width: number; height: number }): {
  width: number;
  height: number;
} {
  const scale = FRAME_SIDE_PX / Math.min(width, height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Luma (BT.601, 0 to 255) of an image on white, resampled to its frame. */
export function canonicalFrame(raster: DeepRaster): Plane {
  const { width, height } = frameSize(raster);
  const across = axisWeights(raster.width, width);
  const down = axisWeights(raster.height, height);
  // Rows are accumulated before they are resampled along x: the frame has fewer rows, and no full-width plane is needed.
  const lines = Array.from({ length: down.count }, () => new Float32Array(raster.width));
  const sum = new Float32Array(raster.width);
  const data = new Float32Array(width * height);
  let known = 0;
  for (let y = 0; y < height; y++) {
    const first = down.first[y]!;
    for (known = Math.max(known, first); known < first + down.count; known++)
      brightness(raster, known, lines[known % down.count]!);
    sum.fill(0);
    for (let tap = 0; tap < down.count; tap++) {
      const weight = down.weights[y * down.count + tap]!;
      if (weight !== 0) addScaled(sum, lines[(first + tap) % down.count]!, weight);
    }
    resampleRow(sum, across, data.subarray(y * width, (y + 1) * width));
  }
  return { width, height, data };
}

function addScaled(sum: Float32Array, line: Float32Array, weight: number): void {
  for (let x = 0; x < sum.length; x++) sum[x]! += weight * line[x]!;
}

/** Writes the luma (BT.601, 0 to 255) of one row of an image on white to `line`. */
export function brightness(raster: DeepRaster, y: number, line: Float32Array): void {
  const { width, channels, data: samples } = raster;
  const scale = 255 / largestSample(raster);
  const [red, green, blue] = LUMA_SHARES.map((share) => share * scale) as [number, number, number];
  let at = y * width * channels;
  if (channels === 3) {
    for (let x = 0; x < width; x++, at += 3)
      line[x] = red * samples[at]! + green * samples[at + 1]! + blue * samples[at + 2]!;
    return;
  }
  const hasColor = channels === 4;
  for (let x = 0; x < width; x++, at += channels) {
    const value = hasColor
      ? red * samples[at]! + green * samples[at + 1]! + blue * samples[at + 2]!
      : scale * samples[at]!;
    const opacity = channels === 1 ? 1 : (samples[at + channels - 1]! * scale) / 255;
    line[x] = 255 + opacity * (value - 255);
  }
}

/** The actual change after rounding and clipping. */
interface Written {
  /** Sum of the squared changes of all samples; for clipped samples an upper bound. */
  readonly squares: number;
  /** Number of samples that could not take the full change. */
  readonly clipped: number;
}

/**
 * Adds a change in luma, given in the frame, to all colour channels of an image and writes the rounded and clipped result to `target`. Fully
 * transparent pixels stay unchanged.
 */
export function addChange(raster: DeepRaster, change: Plane, target: DeepRaster['data']): Written {
  const { width, height, channels, data: samples } = raster;
  const across = axisWeights(change.width, width);
  const down = axisWeights(change.height, height);
  const column = new Float32Array(change.width);
  const line = new Float32Array(width);
  const isPlain = samples instanceof Uint8Array && target instanceof Uint8Array && channels === 3;
  const clamped = isPlain && new Uint8ClampedArray(target.buffer, target.byteOffset, target.length);
  let [squares, clipped] = [0, 0];
  for (let y = 0; y < height; y++) {
    resampleColumns(change.data, change.width, down, y, column);
    resampleRow(column, across, line);
    const written = clamped
      ? addToColors(samples as Uint8Array, line, y * width * 3, clamped)
      : addToRow(raster, line, y * width * channels, target);
    squares += written.squares;
    clipped += written.clipped;
  }
  return { squares, clipped };
}

/** Fast path for the most common type: adds whole levels; the typed array clips on assignment. */
function addToColors(
  samples: Uint8Array,
  line: Float32Array,
  start: number,
  target: Uint8ClampedArray,
): Written {
  let [squares, clipped] = [0, 0];
  for (let x = 0, at = start; x < line.length; x++, at += 3) {
    const added = ((line[x]! + 1024.5) | 0) - 1024;
    const red = samples[at]! + added;
    const green = samples[at + 1]! + added;
    const blue = samples[at + 2]! + added;
    target[at] = red;
    target[at + 1] = green;
    target[at + 2] = blue;
    squares += added * added;
    if (((red | green | blue) & ~255) !== 0) clipped++;
  }
  return { squares: 3 * squares, clipped: 3 * clipped };
}

function addToRow(
  raster: DeepRaster,
  line: Float32Array,
  start: number,
  target: DeepRaster['data'],
): Written {
  const { channels, data: samples } = raster;
  const top = largestSample(raster);
  const colors = channels > 2 ? 3 : 1;
  const isLayered = channels % 2 === 0;
  let [squares, clipped] = [0, 0];
  for (let x = 0, at = start; x < line.length; x++, at += channels) {
    const isHidden = isLayered && samples[at + channels - 1] === 0;
    const added = isHidden ? 0 : Math.round((line[x]! * top) / 255);
    for (let color = 0; color < colors; color++) {
      const wanted = samples[at + color]! + added;
      const value = Math.max(0, Math.min(top, wanted));
      target[at + color] = value;
      squares += (value - samples[at + color]!) ** 2;
      if (value !== wanted) clipped++;
    }
    if (isLayered) target[at + channels - 1] = samples[at + channels - 1]!;
  }
  return { squares, clipped };
}
