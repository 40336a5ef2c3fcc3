import { countFrames } from '@atelier/imaging/codecs/count_frames.ts';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { EXAMPLE_PNG_B64 } from '../../../features/definitions/example_image.ts';
import { pictureAddress, thumbnailAddress } from './picture_operation.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const made = async (tool: string, body: object): Promise<string> =>
  (await app.post(`/api/tools/${tool}`, { image: EXAMPLE_PNG_B64, output: 'url', ...body })).body.result;
async function shown(address: string | undefined) {
  const answer = await app.fetch(new Request(`http://atelier.test${address}`));
  const bytes = Buffer.from(await answer.arrayBuffer());
  const { width, height } = await sharp(bytes).metadata();
  return { type: answer.headers.get('content-type'), bytes, width, height };
}

test('a small file is shown unchanged', async () => {
  const result = await made('resize_image', { width: 200, height: 200 });
  expect(await shown(pictureAddress(result))).toMatchObject({ type: 'image/png', width: 200, height: 150 });
});

test.each(['png', 'tiff', 'avif'])(
  'a large %s is shown as a smaller WebP, and smaller still in lists',
  async (format) => {
    const result = await made('resize_image', { width: 2000, height: 2000, format });
    expect(await shown(pictureAddress(result))).toMatchObject({
      type: 'image/webp',
      width: 1600,
      height: 1200,
    });
    expect(await shown(thumbnailAddress(result))).toMatchObject({
      type: 'image/webp',
      width: 128,
      height: 96,
    });
  },
);

test('an image rotated by Exif is scaled by its displayed dimensions', async () => {
  const lying = await sharp({ create: { width: 2000, height: 1500, channels: 3, background: 'teal' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const sent = new Request('http://atelier.test/api/uploads', {
    method: 'POST',
    body: new Uint8Array(lying),
  });
  const { uri } = (await (await app.fetch(sent)).json()) as { uri: string };
  expect(await shown(pictureAddress(uri))).toMatchObject({ width: 1200, height: 1600 });
});

test('the preview of an animation is animated', async () => {
  const samples = Uint8Array.from({ length: 3 * 300 * 200 * 4 }, (_, at) => (at & 3 ? (at >> 9) % 256 : 255));
  const gif = await sharp(samples, { raw: { width: 300, height: 600, channels: 4, pageHeight: 200 } })
    .gif()
    .toBuffer();
  const result = await made('convert_image', { image: gif.toString('base64'), format: 'apng' });
  const { bytes, width } = await shown(thumbnailAddress(result));
  expect([countFrames(bytes), width]).toEqual([3, 128]);
});
