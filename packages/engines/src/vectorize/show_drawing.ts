import { sharp } from '../picture/sharp.ts';

const LOADER = { operation: ['VipsForeignLoadSvgBuffer'] };

/**
 * A drawing as a WebP picture of so many pixels. The loader is open while this runs and shut for everything else: only what
 * `vectorizeImage` has written may come here, in a process that has one job at a time.
 */
export async function showDrawing({
  bytes,
  width,
  height,
  quality,
}: {
  bytes: Uint8Array;
  width: number;
  height: number;
  quality: number;
}): Promise<{ bytes: Uint8Array }> {
  sharp.unblock(LOADER);
  try {
    return { bytes: await sharp(bytes).resize(width, height, { fit: 'fill' }).webp({ quality }).toBuffer() };
  } finally {
    sharp.block(LOADER);
  }
}
