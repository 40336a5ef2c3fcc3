import { type DeepRaster, isOpaque } from '../pixels/raster.ts';
import type { Part } from '../resample/resample.ts';

export const emptyLike = ({ data }: Pick<DeepRaster, 'data'>, samples: number): Uint8Array | Uint16Array =>
  data instanceof Uint8Array ? new Uint8Array(samples) : new Uint16Array(samples);

export interface Places {
  /** Transposes before mirroring. */
  readonly isExchanged?: boolean;
  readonly isMirroredAcross?: boolean;
  readonly isMirroredDown?: boolean;
}

/**
 * Copies a rectangle of whole pixels, transposed or mirrored. Mirroring refers to the source: `isMirroredAcross` reads its columns from the right.
 */
export function copyPart(
  raster: DeepRaster,
  { left, top, width, height }: Part,
  { isExchanged = false, isMirroredAcross = false, isMirroredDown = false }: Places = {},
): DeepRaster {
  const { channels, data } = raster;
  const size = isExchanged ? { width: height, height: width } : { width, height };
  const result = emptyLike(raster, width * height * channels);
  const rowOf = (y: number): number => ((top + y) * raster.width + left) * channels;
  if (!isExchanged && !isMirroredAcross) {
    for (let y = 0; y < height; y += 1) {
      const from = rowOf(isMirroredDown ? height - 1 - y : y);
      result.set(data.subarray(from, from + width * channels), y * width * channels);
    }
    return { ...size, channels, data: result };
  }
  // Distance in the result between adjacent columns and rows of the source, in samples.
  const [stepX, stepY] = isExchanged ? [size.width * channels, channels] : [channels, size.width * channels];
  const step = isMirroredAcross ? -stepX : stepX;
  for (let y = 0; y < height; y += 1) {
    const row = (isMirroredDown ? height - 1 - y : y) * stepY + (isMirroredAcross ? (width - 1) * stepX : 0);
    scatter(data.subarray(rowOf(y), rowOf(y) + width * channels), result, { channels, to: row, step });
  }
  return { ...size, channels, data: result };
}

/** Writes the pixels of a row `step` samples apart. Unrolled per channel count: an inner loop takes three times as long. */
function scatter(
  row: DeepRaster['data'],
  result: DeepRaster['data'],
  { channels, to, step }: { channels: number; to: number; step: number },
): void {
  if (channels === 3) {
    for (let at = 0, place = to; at < row.length; at += 3, place += step) {
      result[place] = row[at]!;
      result[place + 1] = row[at + 1]!;
      result[place + 2] = row[at + 2]!;
    }
  } else if (channels === 4) {
    for (let at = 0, place = to; at < row.length; at += 4, place += step) {
      result[place] = row[at]!;
      result[place + 1] = row[at + 1]!;
      result[place + 2] = row[at + 2]!;
      result[place + 3] = row[at + 3]!;
    }
  } else {
    for (let at = 0, place = to; at < row.length; at += channels, place += step)
      for (let channel = 0; channel < channels; channel += 1) result[place + channel] = row[at + channel]!;
  }
}

/** Adds an alpha channel; returns the raster itself if it has one. */
export function withAlpha(raster: DeepRaster): DeepRaster {
  const { width, height, channels, data } = raster;
  if (channels === 4) return raster;
  const whole = data instanceof Uint8Array ? 255 : 65_535;
  const result = emptyLike(raster, width * height * 4);
  for (let at = 0, to = 0; at < data.length; at += 3, to += 4) {
    result[to] = data[at]!;
    result[to + 1] = data[at + 1]!;
    result[to + 2] = data[at + 2]!;
    result[to + 3] = whole;
  }
  return { width, height, channels: 4, data: result };
}

/** Removes the alpha channel if every pixel is opaque. */
export function withoutOpaqueAlpha(raster: DeepRaster): DeepRaster {
  const { width, height, channels, data } = raster;
  if (channels !== 4 || !isOpaque(raster)) return raster;
  const result = emptyLike(raster, 3 * width * height);
  for (let at = 0, to = 0; at < data.length; at += 4, to += 3) {
    result[to] = data[at]!;
    result[to + 1] = data[at + 1]!;
    result[to + 2] = data[at + 2]!;
  }
  return { width, height, channels: 3, data: result };
}

/** Expands a greyscale raster to three channels. */
export function withColors(raster: DeepRaster): DeepRaster {
  const { width, height, channels, data } = raster;
  if (channels > 2) return raster;
  const to = channels === 1 ? 3 : 4;
  const result = emptyLike(raster, width * height * to);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const value = data[pixel * channels]!;
    result.fill(value, pixel * to, pixel * to + 3);
    if (channels === 2) result[pixel * to + 3] = data[pixel * 2 + 1]!;
  }
  return { width, height, channels: to, data: result };
}
