import { largestSample, type Raster } from '../upscale/raster.ts';
import type { Plane } from './plane.ts';
import { axisWeights, resampleColumns, resampleRow } from './resample.ts';

/** The shorter side of the frame that marks are written and read in. Resizing a picture does not change its frame. */
export const FRAME_SIDE_PX = 512;

/** Of the longer side to the shorter: it bounds the frame. */
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
export function canonicalFrame(raster: Raster): Plane {
  const { width, height } = frameSize(raster);
  const across = axisWeights(raster.width, width);
  const down = axisWeights(raster.height, height);
  const line = new Float32Array(raster.width);
  const rows = new Float32Array(width * raster.height);
  for (let y = 0; y < raster.height; y++) {
    brightness(raster, y, line);
    resampleRow(line, across, rows.subarray(y * width, (y + 1) * width));
  }
  const data = new Float32Array(width * height);
  for (let y = 0; y < height; y++)
    resampleColumns(rows, width, down, y, data.subarray(y * width, (y + 1) * width));
  return { width, height, data };
}

function brightness(raster: Raster, y: number, line: Float32Array): void {
  const { width, channels, samples } = raster;
  const scale = 255 / largestSample(raster);
  const [red, green, blue] = [0.299 * scale, 0.587 * scale, 0.114 * scale];
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

/**
 * Adds a change of brightness, given in the frame, to all colours of a picture and writes it to `target`, rounded and
 * clipped. Nothing is added where the picture is fully transparent.
 */
export function addChange(raster: Raster, change: Plane, target: Raster['samples']): void {
  const { width, height, channels, samples } = raster;
  const across = axisWeights(change.width, width);
  const down = axisWeights(change.height, height);
  const column = new Float32Array(change.width);
  const line = new Float32Array(width);
  const isPlain = samples instanceof Uint8Array && target instanceof Uint8Array && channels === 3;
  const clamped = isPlain && new Uint8ClampedArray(target.buffer, target.byteOffset, target.length);
  for (let y = 0; y < height; y++) {
    resampleColumns(change.data, change.width, down, y, column);
    resampleRow(column, across, line);
    if (clamped) addToColors(samples as Uint8Array, line, y * width * 3, clamped);
    else addToRow(raster, line, y * width * channels, target);
  }
}

/** By far the commonest kind, and so the fastest: whole levels are added, and assigning to the target clips. */
function addToColors(
  samples: Uint8Array,
  line: Float32Array,
  start: number,
  target: Uint8ClampedArray,
): void {
  for (let x = 0, at = start; x < line.length; x++, at += 3) {
    const added = ((line[x]! + 1024.5) | 0) - 1024;
    target[at] = samples[at]! + added;
    target[at + 1] = samples[at + 1]! + added;
    target[at + 2] = samples[at + 2]! + added;
  }
}

function addToRow(raster: Raster, line: Float32Array, start: number, target: Raster['samples']): void {
  const { channels, samples } = raster;
  const top = largestSample(raster);
  const colors = channels > 2 ? 3 : 1;
  const isLayered = channels % 2 === 0;
  for (let x = 0, at = start; x < line.length; x++, at += channels) {
    const isHidden = isLayered && samples[at + channels - 1] === 0;
    const added = isHidden ? 0 : (line[x]! * top) / 255;
    for (let color = 0; color < colors; color++)
      target[at + color] = Math.max(0, Math.min(top, Math.round(samples[at + color]! + added)));
    if (isLayered) target[at + channels - 1] = samples[at + channels - 1]!;
  }
}
