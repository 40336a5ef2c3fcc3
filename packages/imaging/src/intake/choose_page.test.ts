import { expect, test } from 'vitest';
import { DECODER_RESOURCES } from '../../../../tests/support/decoder_resources.ts';
import { sharp } from '../codecs/sharp.ts';
import { encodePicture, sourceOf } from '../encoders/encode_picture.ts';
import { preparePicture } from './prepare_picture.ts';

/** Three pages, each of one grey, 10, 20 and 30 pixels wide. */
async function document(format: 'pdf' | 'tiff'): Promise<Uint8Array> {
  const pages = [10, 20, 30].map((width) =>
    sourceOf({ width, height: 8, channels: 3, data: new Uint8Array(width * 8 * 3).fill(8 * width) }),
  );
  const options = { format, quality: 100, isLossless: true, dpi: 150 };
  return (await encodePicture({ kind: 'pages', pages }, options)).bytes;
}

test.each(['tiff', 'pdf'] as const)('a page of a %s is decoded like a single-page file', async (format) => {
  const { bytes, pages, notes } = await preparePicture(await document(format), DECODER_RESOURCES, {
    page: 2,
  });
  const { width, pages: left = 1 } = await sharp(bytes).metadata();
  const { data } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  expect([width, left, data[0], pages, notes.warnings]).toEqual([20, 1, 160, { used: 2, of: 3 }, []]);
});

test.each(['tiff', 'pdf'] as const)(
  'a missing page of a %s is rejected with the page count',
  async (format) => {
    const bytes = await document(format);
    await expect(preparePicture(bytes, DECODER_RESOURCES, { page: 4 })).rejects.toMatchObject({
      code: 'unsuitable_image',
      message: expect.stringContaining('from 1 to 3'),
      details: { errors: [{ field: 'pages' }] },
    });
  },
);

test('an image in another format has only page 1', async () => {
  const bytes = await sharp(await document('tiff'))
    .png()
    .toBuffer();
  expect((await preparePicture(bytes, DECODER_RESOURCES, { page: 1 })).bytes).toBe(bytes);
  await expect(preparePicture(bytes, DECODER_RESOURCES, { page: 2 })).rejects.toThrow(/a PNG has one image/);
});

test('a page is rendered for its target size', async () => {
  const { bytes } = await preparePicture(await document('pdf'), DECODER_RESOURCES, {
    page: 3,
    drawnFor: { width: 90, height: 24 },
  });
  expect((await sharp(bytes).metadata()).width).toBeGreaterThanOrEqual(90);
});
