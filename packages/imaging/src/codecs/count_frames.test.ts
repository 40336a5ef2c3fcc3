import { expect, test } from 'vitest';
import { countFrames } from './count_frames.ts';
import { sharp } from './sharp.ts';

const frames = (count: number) =>
  sharp(
    Uint8Array.from({ length: count * 8 * 8 * 4 }, (_, at) => (at * 7919 + (at >> 8) * 31) % 256),
    { raw: { width: 8, height: 8 * count, channels: 4, pageHeight: 8 } },
  );

test.each(['gif', 'webp'] as const)('frames of a %s are counted without decoding', async (format) => {
  expect(countFrames(await frames(5)[format]().toBuffer())).toBe(5);
});

test.each(['png', 'jpeg', 'tiff', 'avif', 'webp', 'gif'] as const)(
  'a still %s has one frame',
  async (format) => {
    expect(countFrames(await frames(1)[format]().toBuffer())).toBe(1);
  },
);

test('truncated files and non-images are counted without an error', async () => {
  const gif = await frames(5).gif().toBuffer();
  for (let length = 0; length < gif.length; length += 7)
    expect(countFrames(gif.subarray(0, length))).toBeLessThanOrEqual(5);
  expect(countFrames(Buffer.from('no picture'))).toBe(1);
});
