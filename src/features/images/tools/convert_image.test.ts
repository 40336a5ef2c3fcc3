import { readHeader } from '@atelier/imaging/codecs/read_header.ts';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { convertImage } from './convert_image.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const convert = (body: object) => app.post('/api/tools/convert_image', { image: EXAMPLE_PNG_B64, ...body });

test.each(['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff', 'pdf', 'ico', 'apng'])(
  'an image is converted to %s, stored with its type and served with it',
  async (format) => {
    const { status, body } = await convert({ format });
    expect(status).toBe(200);
    expect(convertImage.output.loose().safeParse(body).success).toBe(true);
    const link = new URL(body.result_url);
    const answer = await app.fetch(new Request(`http://atelier.test${link.pathname}${link.search}`));
    expect(answer.headers.get('content-type')).toBe(body.content_type);
    expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).toBe(body.image_b64);
    if (format !== 'pdf' && format !== 'ico')
      expect(readHeader(Buffer.from(body.image_b64, 'base64'))).toMatchObject({ width: body.width });
  },
);

const noise = () =>
  sharp(
    Uint8Array.from({ length: 200 * 150 * 3 }, (_, at) => (at * 7919) % 251),
    { raw: { width: 200, height: 150, channels: 3 } },
  );

test('max_bytes applies to the whole file, and the response says what was reduced', async () => {
  const image = (
    await noise()
      .withExif({ IFD0: { Artist: 'Ann' } })
      .png()
      .toBuffer()
  ).toString('base64');
  const { body } = await convert({ image, format: 'jpeg', max_bytes: 15_000 });
  expect(body.size_bytes).toBeLessThanOrEqual(15_000);
  expect(body.saved_quality).toBeLessThan(85);
  expect(body.warnings.join(' ')).toMatch('to stay within 15000 bytes');
  expect(body.metadata.kept).toContain('exif');
});

test('pages are selected by number, and a missing page is rejected without charge', async () => {
  const tall = await noise().raw().toBuffer();
  const tiff = await sharp(tall, { raw: { width: 200, height: 150, channels: 3, pageHeight: 50 } })
    .tiff()
    .toBuffer();
  const image = tiff.toString('base64');
  expect((await convert({ image, format: 'pdf', pages: 'all' })).body.pages).toBe(3);
  expect((await convert({ image, format: 'pdf', pages: '1-2' })).body.pages).toBe(2);
  expect((await convert({ image, format: 'tiff' })).body.pages).toBe(3);
  expect((await convert({ image, format: 'png', pages: '3' })).status).toBe(200);
  for (const pages of ['4', '0', '3-1', 'last'])
    expect((await convert({ image, format: 'png', pages })).status).toBe(400);
});

test('several pages in a single-page format become linked images and a ZIP', async () => {
  const tall = await noise().raw().toBuffer();
  const tiff = await sharp(tall, { raw: { width: 200, height: 150, channels: 3, pageHeight: 50 } })
    .tiff()
    .toBuffer();
  const { body } = await convert({ image: tiff.toString('base64'), format: 'webp', pages: 'all' });
  expect([body.content_type, body.pages]).toEqual(['application/zip', 3]);
  expect(body.files).toMatchObject(
    [1, 2, 3].map((page) => ({ name: `page-00${page}.webp`, page, width: 200, height: 50 })),
  );
  const again = await convert({ image: body.files[1].result, format: 'png' });
  expect([again.status, again.body.width, again.body.height]).toEqual([200, 200, 50]);
});

test.each([
  [{ format: 'jpeg', lossless: true }, 'lossless'],
  [{ format: 'png', max_bytes: 100, keep: 'all', lossless: true, image: undefined }, ''],
  [{ format: 'bmp' }, 'format'],
  [{}, 'format'],
])('%o is rejected with the field and a fix', async (wrong, field) => {
  const image = (await noise().png().toBuffer()).toString('base64');
  const { status, body } = await convert({ ...wrong, image });
  expect([400, 422]).toContain(status);
  if (field) expect(body.errors[0].field).toBe(field);
});

test('every example is valid', () => {
  for (const example of convertImage.examples)
    expect(convertImage.input.safeParse(example).success).toBe(true);
});
