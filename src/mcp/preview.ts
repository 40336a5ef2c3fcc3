import type { ImageContent } from '@modelcontextprotocol/server';
import { PREVIEW_BYTES_MAX, PREVIEW_SIDE_PX } from '../limits.ts';
import type { Services } from '../services/services.ts';

type Needs = Pick<Services, 'pixels' | 'results'>;

const SHOWN_AS_THEY_ARE = new Set(['image/png', 'image/jpeg', 'image/webp']);
const PICTURES = new Set([...SHOWN_AS_THEY_ARE, 'image/avif', 'image/tiff', 'image/gif']);

/** Tried in this order until one is small enough; a noisy picture may need the second or third. */
const ATTEMPTS = [
  { side: PREVIEW_SIDE_PX, quality: 80 },
  { side: PREVIEW_SIDE_PX, quality: 50 },
  { side: PREVIEW_SIDE_PX / 2, quality: 50 },
];

/**
 * A small copy of the picture an answer names, for the model to look at; undefined where the answer is no picture of
 * known size. The work is done and paid for by now, so a preview that cannot be made never fails the call.
 */
export async function preview(
  { pixels, results }: Needs,
  body: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ImageContent | undefined> {
  const { result, content_type: type, width, height } = body;
  if (typeof result !== 'string' || typeof type !== 'string' || !PICTURES.has(type)) return undefined;
  if (typeof width !== 'number' || typeof height !== 'number') return undefined;
  try {
    const { bytes } = await results.open(result.replace(/^result:/, ''));
    const isSmall = Math.max(width, height) <= PREVIEW_SIDE_PX && bytes.byteLength <= PREVIEW_BYTES_MAX;
    if (isSmall && SHOWN_AS_THEY_ARE.has(type)) return image(bytes, type);
    for (const { side, quality } of ATTEMPTS) {
      const size = fitted(width, height, side);
      const small = await pixels.run(
        'resize',
        { bytes, ...size, mode: 'contain', format: 'webp', quality },
        { pixels: width * height + size.width * size.height, signal },
      );
      if (small.bytes.byteLength <= PREVIEW_BYTES_MAX) return image(small.bytes, 'image/webp');
    }
  } catch {
    return undefined;
  }
  return undefined;
}

/** The size with its longest edge at most `side`, never enlarged. */
function fitted(width: number, height: number, side: number): { width: number; height: number } {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const image = (bytes: Uint8Array, mimeType: string): ImageContent => ({
  type: 'image',
  data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  mimeType,
  annotations: { audience: ['user', 'assistant'], priority: 0.8 },
});
