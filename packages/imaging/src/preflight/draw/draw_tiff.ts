import { sharp } from '../../codecs/sharp.ts';
import type { PageDrawing } from '../types.ts';

/** Returns the thumbnail as drawing: findings about a TIFF concern the whole image. */
export async function drawTiff({
  width,
  height,
  rgb,
}: {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}): Promise<PageDrawing> {
  const bytes = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  return { page: 1, bytes, width, height };
}
