import { riffChunks } from '../metadata/containers/riff_chunks.ts';
import { pngChunks } from '../pixels/png_chunks.ts';
import { identify } from './identify.ts';

/**
 * Counts the frames of an animation from the structure of its file, without decoding; 1 for a still image. Linear in the size of the file; damaged
 * files are counted as far as they are readable.
 */
export function countFrames(bytes: Uint8Array): number {
  const kind = identify(bytes);
  const count = 'format' in kind ? (COUNTS[kind.format]?.(bytes) ?? 1) : 1;
  return Math.max(1, count);
}

const COUNTS: Readonly<Record<string, (bytes: Uint8Array) => number>> = {
  gif: framesOfGif,
  webp: (bytes) => riffChunks(bytes).chunks.filter(({ type }) => type === 'ANMF').length,
  png: (bytes) => pngChunks(bytes).chunks.filter(({ type }) => type === 'fcTL').length,
};

const GIF = { extension: 0x21, frame: 0x2c } as const;
const colorTableBytes = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

/** Block by block. GIF89a, sections 18 to 26. */
function framesOfGif(bytes: Uint8Array): number {
  let at = 13 + colorTableBytes(bytes[10] ?? 0);
  let frames = 0;
  while (bytes[at] === GIF.extension || bytes[at] === GIF.frame) {
    if (bytes[at] === GIF.frame) {
      frames += 1;
      at += 11 + colorTableBytes(bytes[at + 9] ?? 0);
    } else at += 2;
    while ((bytes[at] ?? 0) > 0) at += bytes[at]! + 1;
    at += 1;
  }
  return frames;
}
