import { randomBytes } from 'node:crypto';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { expect, test } from 'vitest';
import { openTestApp } from './support/open_test_app.ts';

/** Large enough for the memory pool, and different each time. */
const noise = () =>
  sharp(randomBytes(300 * 200 * 3), { raw: { width: 300, height: 200, channels: 3 } })
    .png()
    .toBuffer();

test('concurrent calls that reuse memory each resize their own image', async () => {
  const app = await openTestApp();
  const resize = async (image: string) =>
    (await app.post('/api/tools/resize_image', { image, width: 30, height: 20 })).body.image_b64;
  const images = await Promise.all(Array.from({ length: 4 }, noise));
  const texts = images.map((image) => image.toString('base64'));
  const expected = await Promise.all(texts.map(resize));
  expect(new Set(expected).size).toBe(4);
  const uploads = await Promise.all(
    images.map(async (body) => {
      const request = new Request('http://atelier.test/api/uploads', { method: 'POST', body: body as never });
      return ((await (await app.fetch(request)).json()) as { uri: string }).uri;
    }),
  );
  const made = await Promise.all([...texts, ...uploads, ...texts].map(resize));
  expect(made).toEqual([...expected, ...expected, ...expected]);
  await app.close();
});
