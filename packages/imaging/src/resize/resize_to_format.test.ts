import { expect, test } from 'vitest';
import { sharp } from '../codecs/sharp.ts';
import { decodeFrames } from '../decoders/frames.ts';
import { type ResizeToFormatRequest, resizeImage, resizeToFormat } from './resize_image.ts';

/** Frames of one colour each, which resizing does not change. */
const COLORS = [
  [255, 0, 0, 255],
  [0, 128, 0, 255],
  [0, 0, 255, 255],
];
const animation = () =>
  sharp(Uint8Array.from(COLORS.flatMap((color) => Array.from({ length: 40 * 30 }, () => color).flat())), {
    raw: { width: 40, height: 90, channels: 4, pageHeight: 30 },
  })
    .webp({ lossless: true, delay: [100, 200, 300], loop: 1 })
    .toBuffer();
const resize = (bytes: Uint8Array, request: Partial<ResizeToFormatRequest>) =>
  resizeToFormat(
    { bytes, width: 20, height: 20, mode: 'contain', format: 'png', quality: 90, frames: 'all', ...request },
    resizeImage,
  );

test.each(['gif', 'webp', 'apng'] as const)(
  'every frame of an animation is resized to a %s',
  async (format) => {
    const made = await resize(await animation(), {
      format,
      isLossless: format === 'webp' ? true : undefined,
    });
    const read = await decodeFrames(made.bytes);
    expect([made.frames, made.width, made.height, read.width, read.height, read.loop]).toEqual([
      3, 20, 15, 20, 15, 1,
    ]);
    expect(read.frames.map(({ data }) => [...data.subarray(0, 4)])).toEqual(COLORS);
    expect(read.frames.map(({ delayMs }) => delayMs)).toEqual([100, 200, 300]);
  },
);

test('cover and enlargement apply to animation frames', async () => {
  const made = await resize(await animation(), { format: 'webp', mode: 'cover', width: 64, height: 64 });
  expect([made.frames, made.width, made.height]).toEqual([3, 64, 64]);
});

test('a single-image format reports dropped frames', async () => {
  const made = await resize(await animation(), { format: 'jpeg' });
  expect(made.dropped).toEqual([{ what: 'frames', why: expect.stringMatching('the first of 3') }]);
});

test.each(['avif', 'gif', 'tiff', 'pdf', 'ico', 'apng'] as const)(
  'an image is resized to a %s',
  async (format) => {
    const bytes = await sharp({ create: { width: 200, height: 100, channels: 3, background: '#c08040' } })
      .png()
      .toBuffer();
    const made = await resize(bytes, { format, width: 100, height: 100, isMeasured: true });
    const size = format === 'ico' ? [64, 64] : [100, 50];
    expect([made.width, made.height]).toEqual(size);
  },
);

test('a byte limit is respected, and without one the resized bytes are returned unchanged', async () => {
  const noise = Uint8Array.from({ length: 300 * 200 * 3 }, (_, at) => (at * 7919) % 251);
  const bytes = await sharp(noise, { raw: { width: 300, height: 200, channels: 3 } })
    .png()
    .toBuffer();
  const wanted = { format: 'jpeg', width: 240, height: 240 } as const;
  const bounded = await resize(bytes, { ...wanted, bytesMax: 9000 });
  expect(bounded.bytes.length).toBeLessThanOrEqual(9000);
  expect(bounded.notes.length).toBeGreaterThan(0);
  const direct = await resizeImage({ bytes, mode: 'contain', quality: 90, ...wanted });
  expect(Buffer.compare((await resize(bytes, wanted)).bytes, direct.bytes)).toBe(0);
});
