import type { Size } from './plane.ts';

/**
 * Decoded interleaved samples, row by row: grey, grey and alpha, RGB, RGBA or CMYK. Alpha is not premultiplied; colours are sRGB unless
 * stated otherwise.
 */
export interface Raster<Samples extends Uint8Array | Uint16Array = Uint8Array> extends Size {
  readonly channels: 1 | 2 | 3 | 4;
  readonly data: Samples;
}

/** A raster with 8 or 16 bits per sample. */
export type DeepRaster = Raster<Uint8Array | Uint16Array>;

/** Whether a non-CMYK raster has alpha. */
export const hasAlpha = ({ channels }: Pick<DeepRaster, 'channels'>): boolean => channels % 2 === 0;

/** Bits per sample. */
export const depthOf = ({ data }: Pick<DeepRaster, 'data'>): 8 | 16 => (data instanceof Uint16Array ? 16 : 8);

/** Largest sample value: 255 or 65,535. */
export const largestSample = (raster: Pick<DeepRaster, 'data'>): number => 2 ** depthOf(raster) - 1;

/** Whether every pixel of a non-CMYK raster is opaque. */
export function isOpaque(raster: Pick<DeepRaster, 'channels' | 'data'>): boolean {
  if (!hasAlpha(raster)) return true;
  const { channels, data } = raster;
  const whole = largestSample(raster);
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== whole) return false;
  return true;
}
