import { type Plane, planeOf } from './plane.ts';
import type { Raster } from './raster.ts';

/** Luma of encoded samples. ITU-R BT.601 */
export const lumaOf = (red: number, green: number, blue: number): number =>
  RED * red + GREEN * green + BLUE * blue;

/** Luma coefficients of red, green and blue. */
export const LUMA_SHARES = [0.299, 0.587, 0.114] as const;
const [RED, GREEN, BLUE] = LUMA_SHARES;

/** Luma of a colour raster, 0 to 255. */
export function lumaPlane(raster: Raster): Plane {
  const { channels, data } = raster;
  const luma = planeOf(raster);
  for (let pixel = 0, at = 0; pixel < luma.data.length; pixel++, at += channels)
    luma.data[pixel] = lumaOf(data[at]!, data[at + 1]!, data[at + 2]!);
  return luma;
}

/** Luminance of linear-light samples. ITU-R BT.709 */
export const luminanceOf = (red: number, green: number, blue: number): number =>
  0.2126 * red + 0.7152 * green + 0.0722 * blue;
