import type { Sharp } from 'sharp';
import { sharp } from '../codecs/sharp.ts';

const LOADER = { operation: ['VipsForeignLoadSvgBuffer'] };

/** Renders a drawing as WebP at a given size. */
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
  const show = (drawing: Sharp) =>
    drawing.resize(width, height, { fit: 'fill' }).webp({ quality }).toBuffer();
  return { bytes: await openDrawing(bytes, show) };
}

/**
 * Runs work on a drawing. The SVG loader is enabled only while this runs: only output of `vectorizeImage` may be
 * passed, in a process with one job at a time.
 */
export async function openDrawing<Made>(
  bytes: Uint8Array,
  make: (drawing: Sharp) => Promise<Made>,
): Promise<Made> {
  sharp.unblock(LOADER);
  try {
    return await make(sharp(bytes));
  } finally {
    sharp.block(LOADER);
  }
}
