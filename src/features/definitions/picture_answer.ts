import { BASE64_COPIES } from '../../config/limits.ts';
import type { KeptResult, Results } from '../assets/results/results.ts';
import { BASE64_ANSWER_BYTES_MAX } from './tool_limits.ts';

interface Picture {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
}

/**
 * Stores an image and returns the fields of `imageAnswer`, with base64 unless only a link was requested or the image is large.
 * `durable` waits for the disk, for paid calls.
 */
export async function pictureAnswer(
  results: Pick<Results, 'keep'>,
  { bytes, contentType, width, height }: Picture,
  options: { output: 'base64' | 'url'; durable?: boolean; warn: (message: string) => void },
) {
  const isTooLong = options.output === 'base64' && bytes.length > BASE64_ANSWER_BYTES_MAX;
  if (isTooLong) options.warn('The image is too large for base64; use result_url.');
  const isInline = options.output === 'base64' && !isTooLong;
  const kept = await results.keep(bytes, contentType, {
    durable: options.durable ?? false,
    copies: isInline ? BASE64_COPIES : 1,
  });
  return {
    ...(isInline && { image_b64: base64(bytes) }),
    width,
    height,
    content_type: contentType,
    size_bytes: bytes.length,
    ...linkAnswer(kept),
  };
}

/** The fields of `fileAnswer` that depend only on the stored file. */
export const linkAnswer = ({ handle, url, expiresAt, name }: KeptResult) => ({
  result: handle,
  result_url: url,
  expires_at: expiresAt.toISOString(),
  ...(name !== undefined && { name }),
});

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
