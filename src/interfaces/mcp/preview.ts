import type { ImageContent } from '@modelcontextprotocol/server';
import type { Services } from '../../features/services.ts';
import { PREVIEW_BYTES_MAX, PREVIEW_SIDE_PX } from './limits.ts';

/** The fields of an answer that name a picture and say how large it is. */
export interface Picture {
  /** `result:<id>` */
  readonly result: string;
  readonly content_type: string;
  readonly width: number;
  readonly height: number;
}

const SHOWN_AS_THEY_ARE = new Set(['image/png', 'image/jpeg', 'image/webp']);
/** Of the tools that answer a width and a height, only the one that draws answers this: it is ours. */
const DRAWING = 'image/svg+xml';
const PICTURES = new Set([...SHOWN_AS_THEY_ARE, 'image/avif', 'image/tiff', 'image/gif', DRAWING]);

/** True for an answer that is a picture a preview can be made of. */
export const isPicture = (answer: object): answer is Picture =>
  'result' in answer &&
  typeof answer.result === 'string' &&
  'content_type' in answer &&
  PICTURES.has(answer.content_type as string) &&
  'width' in answer &&
  typeof answer.width === 'number' &&
  'height' in answer &&
  typeof answer.height === 'number';

/** Tried in this order until one is small enough; a noisy picture may need the second or third. */
const ATTEMPTS = [
  { side: PREVIEW_SIDE_PX, quality: 80 },
  { side: PREVIEW_SIDE_PX, quality: 50 },
  { side: PREVIEW_SIDE_PX / 2, quality: 50 },
];

/**
 * A small copy of a picture for the model to look at: at most PREVIEW_SIDE_PX a side and PREVIEW_BYTES_MAX bytes. The
 * work is done and paid for by now, so what goes wrong here must not fail the call: undefined says there is no preview.
 */
export async function preview(
  { pixels, results }: Pick<Services, 'pixels' | 'results'>,
  { result, content_type: type, width, height }: Picture,
  signal: AbortSignal,
): Promise<ImageContent | undefined> {
  try {
    const { bytes } = await results.open(result.replace(/^result:/, ''));
    const isSmall = Math.max(width, height) <= PREVIEW_SIDE_PX && bytes.byteLength <= PREVIEW_BYTES_MAX;
    if (isSmall && SHOWN_AS_THEY_ARE.has(type)) return image(bytes, type);
    for (const { side, quality } of ATTEMPTS) {
      const size = fitInside(width, height, side);
      const control = { pixels: width * height + size.width * size.height, signal };
      const small = await (type === DRAWING
        ? pixels.run('show_drawing', { bytes, ...size, quality }, control)
        : pixels.run('resize', { bytes, ...size, mode: 'contain', format: 'webp', quality }, control));
      if (small.bytes.byteLength <= PREVIEW_BYTES_MAX) return image(small.bytes, 'image/webp');
    }
  } catch {
    return undefined;
  }
  return undefined;
}

/** The size with its longest edge at most `side`, never enlarged. */
function fitInside(width: number, height: number, side: number): { width: number; height: number } {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const image = (bytes: Uint8Array, mimeType: string): ImageContent => ({
  type: 'image',
  data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  mimeType,
  annotations: { audience: ['user', 'assistant'], priority: 0.8 },
});
