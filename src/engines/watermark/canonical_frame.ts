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

/** Where a picture is clipped, a change must not be judged by what was asked for. */
export interface Change {
  /** Mean squared change of a sample, of 255. */
  readonly meanSquare: number;
}

/**
 * Adds a change of brightness, given in the frame, to all colours of a picture and writes it to `target`, rounded and
 * clipped. Nothing is added where the picture is fully transparent.
 */
export function addChange(raster: Raster, change: Plane, target: Raster['samples']): Change {
  const { width, height, channels, samples } = raster;
  const top = largestSample(raster);
  const across = axisWeights(change.width, width);
  const down = axisWeights(change.height, height);
  const column = new Float32Array(change.width);
  const line = new Float32Array(width);
  const scale = top / 255;
  let squares = 0;
  for (let y = 0; y < height; y++) {
    resampleColumns(change.data, change.width, down, y, column);
    resampleRow(column, across, line);
    const from = y * width * channels;
    const colors = channels > 2 ? 3 : 1;
    const isLayered = channels % 2 === 0;
    for (let x = 0, at = from; x < width; x++, at += channels) {
      const hidden = isLayered && samples[at + channels - 1] === 0;
      const added = hidden ? 0 : line[x]! * scale;
      for (let color = 0; color < colors; color++) {
        const before = samples[at + color]!;
        const wanted = before + added;
        const after = wanted < 0 ? 0 : wanted > top ? top : (wanted + 0.5) | 0;
        target[at + color] = after;
        squares += (after - before) * (after - before);
      }
      if (isLayered) target[at + channels - 1] = samples[at + channels - 1]!;
    }
  }
  return {
    meanSquare:
      squares / (width * height * Math.min(3, channels - (channels % 2 === 0 ? 1 : 0))) / scale ** 2,
  };
}
