import { expect, test } from 'vitest';
import { ADOBE_RGB, codingOf } from '../color/color_coding.ts';
import { writeProfile } from '../color/write_profile.ts';
import { awaitDecoding, openPicture } from './open_picture.ts';
import { readRaster } from './read_raster.ts';
import { sharp } from './sharp.ts';
import { writeTaggedTiff } from './write_tagged_tiff.ts';

/** Two pixels, red on the left and blue on the right. */
const PAIR = Buffer.from([255, 0, 0, 0, 0, 255]);
const pair = () => sharp(PAIR, { raw: { width: 2, height: 1, channels: 3 } });
const pixelsOf = async (bytes: Uint8Array) => {
  const { data, info } = await openPicture(bytes).raw().toBuffer({ resolveWithObject: true });
  const names = Array.from({ length: info.width * info.height }, (_, index) =>
    data[index * info.channels]! > 128 ? 'red' : 'blue',
  );
  return `${info.width}×${info.height} ${names.join(' ')}`;
};

test.each([
  [1, '2×1 red blue'],
  [2, '2×1 blue red'],
  [3, '2×1 blue red'],
  [4, '2×1 red blue'],
  [5, '1×2 red blue'],
  [6, '1×2 red blue'],
  [7, '1×2 blue red'],
  [8, '1×2 blue red'],
])('EXIF orientation %i is applied', async (orientation, expected) => {
  expect(await pixelsOf(await pair().withMetadata({ orientation }).png().toBuffer())).toBe(expected);
});

test('only the first frame is decoded', async () => {
  const frames = Buffer.concat([Buffer.alloc(12, 255), Buffer.alloc(12, 0)]);
  const gif = await sharp(frames, { raw: { width: 2, height: 4, channels: 3, pageHeight: 2 } })
    .gif()
    .toBuffer();
  expect((await sharp(gif).metadata()).pages).toBe(2);
  expect(await pixelsOf(gif)).toBe('2×2 red red red red');
});

test('a damaged image is rejected without internal details in the error', async () => {
  const png = await sharp({ create: { width: 60, height: 60, channels: 3, background: 'red' } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const cut = awaitDecoding(openPicture(png.subarray(0, 3000)).raw().toBuffer());
  await expect(cut).rejects.toMatchObject({
    code: 'undecodable_image',
    message: expect.stringMatching(/^The image cannot be decoded: [^/\n]*$/),
  });
});

test('the decoder also blocks SVG, which could read files', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  await expect(sharp(svg).png().toBuffer()).rejects.toThrow('unsupported image format');
});

test.each([
  ['Display P3', codingOf(12, 13)!, [215, 93, 31]],
  ['Adobe RGB', ADOBE_RGB, [227, 100, 42]],
])('16-bit %s is converted to sRGB at 16 and 8 bits', async (_, coding, expected) => {
  const data = Uint16Array.from([200 * 257, 100 * 257, 50 * 257]);
  const profile = writeProfile(coding, 'rgb');
  const bytes = writeTaggedTiff({ width: 1, height: 1, model: 'rgb', hasAlpha: false, data, profile });
  const narrow = await openPicture(bytes).toColourspace('srgb').raw().toBuffer();
  const wide = await readRaster(bytes);
  for (const [channel, value] of expected.entries()) {
    expect(Math.abs(narrow[channel]! - value)).toBeLessThanOrEqual(2);
    expect(Math.abs(wide.data[channel]! / 257 - value)).toBeLessThanOrEqual(1);
  }
});
