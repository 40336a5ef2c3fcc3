import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { picturesWithTruth, randomFrom } from '../../../../tests/support/pictures_with_truth.ts';
import { analysePicture } from './analyse_picture.ts';

describe('measurements match the known properties of generated images', () => {
  // Each property once, and one lit ball; the benchmark runs all with many seeds.
  const made = picturesWithTruth(1).filter(
    ({ claim, truth }, index, all) =>
      all.findIndex((other) => other.claim === claim && other.truth === truth) === index &&
      (claim !== 'light from' || truth === 'the upper right, ball'),
  );
  test.each(made.map((picture) => [picture.claim, picture.truth, picture] as const))(
    '%s: %s',
    async (_claim, _truth, picture) => {
      const measures = await analysePicture({ bytes: await picture.bytes() });
      expect(picture.isRight(measures)).not.toBe(false);
    },
  );
});

test('measuring the same image twice gives the same result', async () => {
  const bytes = await noise(200, 150);
  expect(await analysePicture({ bytes })).toEqual(await analysePicture({ bytes }));
});

test.each([
  [1, 1],
  [1, 400],
  [400, 1],
  [3, 2],
  [31, 31],
])('an image of %i × %i pixels is measured as far as possible', async (width, height) => {
  const measures = await analysePicture({ bytes: await noise(width, height) });
  expect(measures).toMatchObject({ width, height, subject: { textLines: 0 }, symmetry: { name: 'none' } });
  expect(JSON.stringify(measures)).not.toMatch(/null/);
});

test('dimensions respect the Exif orientation', async () => {
  const turned = await sharp(await noise(60, 40))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect(await analysePicture({ bytes: turned })).toMatchObject({ width: 40, height: 60 });
});

test('a fully transparent image is rejected', async () => {
  const clear = await sharp({ create: { width: 40, height: 40, channels: 4, background: '#0000' } })
    .png()
    .toBuffer();
  await expect(analysePicture({ bytes: clear })).rejects.toMatchObject({ code: 'unsuitable_image' });
});

function noise(width: number, height: number): Promise<Buffer> {
  const random = randomFrom(7);
  const samples = Uint8Array.from({ length: 3 * width * height }, () => 256 * random());
  return sharp(samples, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}
