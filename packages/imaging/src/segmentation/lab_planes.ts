import { oklabOf } from '../pixels/oklab.ts';
import type { Raster } from '../pixels/raster.ts';

/** Colours as numbers a distance may be measured in: three of OKLab a pixel, interleaved. */
export function labPlanes(picture: Raster): Float32Array {
  const { channels, data } = picture;
  const pixels = picture.width * picture.height;
  const lab = new Float32Array(pixels * 3);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const at = pixel * channels;
    lab.set(oklabOf(data[at]!, data[at + 1]!, data[at + 2]!), pixel * 3);
  }
  return lab;
}
