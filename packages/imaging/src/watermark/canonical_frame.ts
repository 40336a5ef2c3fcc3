import { LUMA_SHARES } from '../pixels/luma.ts';
import type { Plane } from '../pixels/plane.ts';
import { type DeepRaster, largestSample } from '../pixels/raster.ts';
import { axisWeights, resampleColumns, resampleRow } from './resample.ts';

/** The shorter side of the frame that marks are written and read in. Resizing a picture does not change its frame. */
export const FRAME_SIDE_PX = 512;

/** Longer side by shorter side, at most: it bounds the frame. */
export const ASPECT_MAX = 8;

/** Sides of the frame of a picture. */
export function frameSize({ width, height }: { width: number; height: number }): {
  width: number;
  height: number;
} {
  const scale = FRAME_SIDE_PX / Math.min(width, height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Brightness (BT.601, 0 to 255) of a picture laid on white, resampled to its frame. */
export function canonicalFrame(raster: DeepRaster): Plane {
  const { width, height } = frameSize(raster);
  const across = axisWeights(raster.width, width);
  const down = axisWeights(raster.height, height);
  // Rows are summed before they are resampled: few of them are, and none is kept.
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

/** Brightness (BT.601, 0 to 255) of a row of a picture laid on white. */
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

/** What came of a change once it was rounded and clipped. */
interface Written {
  /** Sum of the squared changes of all samples, those that were clipped at most as large. */
  readonly squares: number;
  /** Samples that could not be changed as much as wanted. */
  readonly clipped: number;
}

/**
 * Adds a change of brightness, given in the frame, to all colours of a picture and writes it to `target`, rounded and
 * clipped. Nothing is added where the picture is fully transparent.
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

/** By far the commonest kind, and so the fastest: whole levels are added, and assigning to the target clips. */
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
