import type { Size } from './plane.ts';

/**
 * Decoded samples, row by row and side by side: grey, grey and opacity, red, green and blue, the same with opacity, or four
 * inks. Opacity is not multiplied in; colours are sRGB where nothing else is said.
 */
export interface Raster<Samples extends Uint8Array | Uint16Array = Uint8Array> extends Size {
  readonly channels: 1 | 2 | 3 | 4;
  readonly data: Samples;
}

/** A raster of 8 or 16 bits a sample, as files have them. */
export type DeepRaster = Raster<Uint8Array | Uint16Array>;

/** Whether a raster that is not of inks has opacity. */
export const hasAlpha = ({ channels }: Pick<DeepRaster, 'channels'>): boolean => channels % 2 === 0;

export const depthOf = ({ data }: Pick<DeepRaster, 'data'>): 8 | 16 => (data instanceof Uint16Array ? 16 : 8);

export const largestSample = (raster: Pick<DeepRaster, 'data'>): number => 2 ** depthOf(raster) - 1;

/** Whether every pixel of a raster that is not of inks is opaque. */
export function isOpaque(raster: Pick<DeepRaster, 'channels' | 'data'>): boolean {
  if (!hasAlpha(raster)) return true;
  const { channels, data } = raster;
  const whole = largestSample(raster);
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== whole) return false;
  return true;
}
