import { lightTable } from '../../editor/light_tables.ts';
import { oklabOf } from '../../pixels/oklab.ts';
import type { Size } from '../../pixels/plane.ts';
import type { Raster } from '../../pixels/raster.ts';

/** Three values per pixel: OKLab, or linear RGB. */
export interface ColorRaster extends Size {
  readonly values: Float32Array;
}

/**
 * Converts to OKLab.
 * @param raster of three channels
 */
export function toLabRaster({ width, height, data }: Raster): ColorRaster {
  const values = new Float32Array(3 * width * height);
  for (let at = 0; at < values.length; at += 3)
    values.set(oklabOf(data[at]!, data[at + 1]!, data[at + 2]!), at);
  return { width, height, values };
}

/**
 * Converts to linear RGB.
 * @param raster of three channels
 */
export function toLinearRaster(raster: Raster): ColorRaster {
  const table = lightTable(raster);
  const { width, height, data } = raster;
  return { width, height, values: Float32Array.from(data, (sample) => table[sample]!) };
}

export const colorDistance = (
  { values: one }: ColorRaster,
  at: number,
  other: ArrayLike<number>,
  otherAt: number,
): number =>
  Math.hypot(
    one[3 * at]! - other[3 * otherAt]!,
    one[3 * at + 1]! - other[3 * otherAt + 1]!,
    one[3 * at + 2]! - other[3 * otherAt + 2]!,
  );

/** Mean colour of the pixels at these indices. */
export function meanColor({ values }: ColorRaster, positions: Int32Array): [number, number, number] {
  const sums: [number, number, number] = [0, 0, 0];
  for (const at of positions)
    for (let channel = 0; channel < 3; channel += 1) sums[channel]! += values[3 * at + channel]!;
  return sums.map((sum) => sum / positions.length) as [number, number, number];
}

/** Three values per pixel: those of a `ColorRaster`, or samples. */
interface Colors extends Size {
  readonly values: Float32Array | Uint8Array;
}

/** Writes the bilinear colour at a position to `out`, clamped at the edges. */
export function sampleColor(
  { width, height, values }: Colors,
  x: number,
  y: number,
  out: Float64Array,
): void {
  const [px, py] = [clamp(x - 0.5, width - 1), clamp(y - 0.5, height - 1)];
  const [column, row] = [Math.min(width - 2, px | 0), Math.min(height - 2, py | 0)];
  const [fx, fy] = [px - column, py - row];
  const at = 3 * (row * width + column);
  const below = at + 3 * width;
  for (let channel = 0; channel < 3; channel += 1) {
    const upper = values[at + channel]! * (1 - fx) + values[at + 3 + channel]! * fx;
    const lower = values[below + channel]! * (1 - fx) + values[below + 3 + channel]! * fx;
    out[channel] = upper * (1 - fy) + lower * fy;
  }
}

const clamp = (value: number, maximum: number): number => Math.max(0, Math.min(maximum, value));
