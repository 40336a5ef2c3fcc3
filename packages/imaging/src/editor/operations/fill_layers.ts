import type { Size } from '../../pixels/plane.ts';
import type { DeepRaster } from '../../pixels/raster.ts';
import { type Light, resampleTo } from '../../resample/resample.ts';

const lightOf = (raster: Size, { width, height }: Size): Light =>
  width <= raster.width && height <= raster.height ? 'linear' : 'gamma';

/** Scales a layer to an exact size. */
export const scaleLayer = (raster: DeepRaster, { width, height }: Size, depth: 8 | 16): DeepRaster =>
  width === raster.width && height === raster.height
    ? raster
    : resampleTo(raster, { width, height, light: lightOf(raster, { width, height }), depth });

/** Scales a layer to cover a size, cropped at the centre. */
export function coverLayer(raster: DeepRaster, { width, height }: Size, depth: 8 | 16): DeepRaster {
  const scale = Math.max(width / raster.width, height / raster.height);
  const shown = { width: width / scale, height: height / scale };
  const part = { left: (raster.width - shown.width) / 2, top: (raster.height - shown.height) / 2, ...shown };
  return resampleTo(raster, { width, height, part, light: lightOf(raster, { width, height }), depth });
}
