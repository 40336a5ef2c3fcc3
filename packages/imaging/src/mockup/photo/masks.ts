import { dilateMask } from '../../pixels/dilate_mask.ts';
import type { Size } from '../../pixels/plane.ts';
import { type ColorRaster, colorDistance } from './color_raster.ts';

/** Pixels similar to their right and lower neighbours. */
export function uniformPixels(lab: ColorRaster, step: number): Uint8Array {
  const { width, height, values } = lab;
  const even = new Uint8Array(width * height);
  for (let at = 0; at < even.length; at += 1) {
    const right = at % width < width - 1 ? at + 1 : at;
    const below = at + width < even.length ? at + width : at;
    if (colorDistance(lab, at, values, right) < step && colorDistance(lab, at, values, below) < step)
      even[at] = 1;
  }
  return even;
}

export const inverted = (mask: Uint8Array): Uint8Array => mask.map((is) => 1 - is);

/** Dilates a mask by a radius in pixels. */
export const dilate = (mask: Uint8Array, size: Size, radius: number): Uint8Array =>
  Uint8Array.from(dilateMask({ ...size, data: Float32Array.from(mask) }, radius).data);

/** A mask of these pixel indices. */
export function maskOf(positions: Int32Array, { width, height }: Size): Uint8Array {
  const mask = new Uint8Array(width * height);
  for (const at of positions) mask[at] = 1;
  return mask;
}
