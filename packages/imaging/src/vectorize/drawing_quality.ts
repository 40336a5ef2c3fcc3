import { openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import type { Size } from '../pixels/plane.ts';
import { compareRasters } from '../quality/compare_rasters.ts';
import type { Quality } from '../quality/types.ts';
import { VECTORIZE_PIXELS_MAX } from './limits.ts';
import { openDrawing } from './show_drawing.ts';

/**
 * Measures the difference between a drawing, rendered by librsvg, and its image, at the size that was traced.
 * @param svg output of `vectorizeImage`
 */
export async function drawingQuality(bytes: Uint8Array, svg: string, size: Size): Promise<Quality> {
  const scale = Math.min(1, Math.sqrt(VECTORIZE_PIXELS_MAX / (size.width * size.height)));
  const [width, height] = [size.width, size.height].map((side) => Math.max(1, Math.round(side * scale)));
  const compared = { width: width!, height: height!, fit: 'fill' } as const;
  const picture = openPicture(bytes).toColourspace('srgb');
  const source = await decodeRaster(scale < 1 ? picture.resize({ ...compared, kernel: 'linear' }) : picture);
  const drawn = await openDrawing(Buffer.from(svg), (drawing) =>
    decodeRaster(drawing.resize(compared).toColourspace('srgb')),
  );
  return {
    compared_at: scale < 1 ? 'result_size' : 'source_size',
    ...compareRasters(source, drawn),
  };
}
