import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DECODER_RESOURCES } from '../../../../tests/support/decoder_resources.ts';
import { openPicture } from '../codecs/open_picture.ts';
import { readHeader } from '../codecs/read_header.ts';
import { preparePicture } from './prepare_picture.ts';

const FOLDER = join(import.meta.dirname, '../../../../../shared/fixtures/reported');
const read = (name: string) => readFileSync(join(FOLDER, name));

async function pixel(bytes: Uint8Array, x: number, y: number): Promise<number[]> {
  const { data, info } = await openPicture(bytes)
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * info.channels;
  return [...data.subarray(at, at + info.channels)];
}

/** Expected values from Chromium and by calculation: see the README beside the files. */
test.each([
  ['05-tiff-cmyk-plus-spot.tif', 10, 30, [232, 0, 0]],
  ['07-png-gama-1.0.png', 8, 8, [128, 128, 128]],
  ['09-png-cicp-display-p3.png', 8, 8, [215, 93, 31]],
  ['10b-avif-nclx-p3.avif', 8, 8, [214, 93, 29]],
  ['11-avif-premultiplied.avif', 200, 64, [202, 128, 54, 128]],
  ['15-tiff-float-gray.tif', 90, 30, [242, 242, 242]],
] as const)('%s is decoded with the intended colours', async (name, x, y, expected) => {
  const { bytes } = await preparePicture(read(name), DECODER_RESOURCES);
  const found = await pixel(bytes, x, y);
  expect(found).toHaveLength(expected.length);
  for (const [channel, value] of expected.entries())
    expect(Math.abs(found[channel]! - value)).toBeLessThan(8);
});

test.each([
  ['01-avif-grid-primary-item-last.avif', 256, 128],
  ['02-tiff-ascii-tag-without-nul.tif', 96, 64],
  ['04-jpeg-whole-but-no-eoi.jpg', 320, 240],
  ['12-avif-sequence.avif', 64, 64],
  ['14-tiff-thumbnail-first.tif', 120, 80],
])('%s decodes to the intended image of %i × %i', async (name, width, height) => {
  const { bytes } = await preparePicture(read(name), DECODER_RESOURCES);
  expect(readHeader(read(name))).toMatchObject({ width, height });
  expect((await openPicture(bytes).raw().toBuffer({ resolveWithObject: true })).info).toMatchObject({
    width,
    height,
  });
});

test.each([
  ['13-apng-3-frames.png', 'frame 1 of 3'],
  ['13b-webp-3-frames.webp', 'frame 1 of 3'],
  ['13c-gif-3-frames.gif', 'frame 1 of 3'],
  ['13d-tiff-two-pages.tif', 'page 1 of 2'],
  ['14-tiff-thumbnail-first.tif', 'page 2 of 2'],
])('%s: the notes state %s', async (name, lookedAt) => {
  const { notes } = await preparePicture(read(name), DECODER_RESOURCES);
  expect(notes.lookedAt).toBe(lookedAt);
  expect(notes.warnings).toHaveLength(1);
});

test.each(['16-tiff-zstd.tif', '16c-tiff-lzma.tif'])(
  '%s is decoded, with a compression libtiff does not support',
  async (name) => {
    const { bytes } = await preparePicture(read(name), DECODER_RESOURCES);
    const found = await pixel(bytes, 8, 8);
    expect(found.slice(0, 3)).toEqual([200, 100, 50]);
  },
);
