import sharp from 'sharp';
import { expect, test } from 'vitest';
import { smallCopy } from './small_copy.ts';

const picture = (width: number, alpha: number) =>
  sharp({ create: { width, height: 90, channels: 4, background: { r: 0, g: 0, b: 0, alpha } } })
    .png()
    .toBuffer();

test('a large image is reduced and transparency becomes white', async () => {
  const { width, height } = await sharp(await smallCopy(await picture(2560, 0))).metadata();
  expect([width, height]).toEqual([1280, 45]);
  const { channels } = await sharp(await smallCopy(await picture(2560, 0))).stats();
  expect(channels.map(({ mean }) => mean)).toEqual([255, 255, 255]);
});

test('a small opaque image is unchanged', async () => {
  const bytes = await sharp(await picture(1280, 1))
    .removeAlpha()
    .png()
    .toBuffer();
  expect(await smallCopy(bytes)).toBe(bytes);
});
