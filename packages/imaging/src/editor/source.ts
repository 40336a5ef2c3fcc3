import { type DeepRaster, depthOf, hasAlpha } from '../pixels/raster.ts';
import type { PixelSource } from './canvas.ts';

/** A source for a raster in memory. The raster may be changed in place. */
export const sourceOfRaster = (raster: DeepRaster): PixelSource => ({
  width: raster.width,
  height: raster.height,
  hasAlpha: hasAlpha(raster),
  depth: depthOf(raster),
  read: async () => ({ raster, part: { left: 0, top: 0, width: raster.width, height: raster.height } }),
});
