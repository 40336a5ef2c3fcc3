import { expect, test } from 'vitest';
import { disc, madePicture } from '../../../../tests/support/made_pictures.ts';
import { sharp } from '../codecs/sharp.ts';
import { removeBackground } from './remove_background.ts';

const size = { width: 120, height: 90 };
const made = madePicture({
  ...size,
  opacity: disc(60, 45, 30),
  object: () => [30, 60, 160],
  background: () => [240, 236, 230],
  noise: 2,
});
const opaque = () => sharp(made.data, { raw: { ...size, channels: 3 } });
const cut = async (bytes: Uint8Array, more: Partial<Parameters<typeof removeBackground>[0]> = {}) => {
  const answer = await removeBackground({ bytes, format: 'png', look: { kind: 'transparent' }, ...more });
  const { channels } = await sharp(answer.bytes).metadata();
  const { data, info } = await sharp(answer.bytes)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * info.channels).subarray(0, info.channels),
  ];
  return { ...answer, info, channels, centre: at(60, 45), corner: at(2, 2) };
};
const refusal = (bytes: Uint8Array) =>
  cut(bytes).then(
    () => 'done',
    ({ code, message }) => `${code}: ${message}`,
  );

test.each([
  ['png', () => opaque().png()],
  ['jpeg', () => opaque().jpeg({ quality: 95 })],
  ['CMYK', () => opaque().toColourspace('cmyk').jpeg({ quality: 95 })],
  ['16-bit', () => opaque().toColourspace('rgb16').png()],
  ['grey', () => opaque().toColourspace('b-w').png()],
  ['animated', () => opaque().gif()],
] as const)('%s: the object stays opaque, the corner goes, the size is kept', async (_, encoded) => {
  const { centre, corner, info, engine } = await cut(await encoded().toBuffer());
  expect([centre[3], corner[3], info.width, info.height]).toEqual([255, 0, size.width, size.height]);
  expect(engine.name).toBe('atelier-matte');
});

test('what is kept has the colours it had, in PNG to the last level; a mask and a colour have none to compare', async () => {
  const bytes = await opaque().png().toBuffer();
  const [png, webp] = [await cut(bytes), await cut(bytes, { format: 'webp' })];
  expect(png.quality).toEqual({ compared_at: 'source_size', delta_e00_mean: 0, delta_e00_p95: 0 });
  expect(webp.quality!.delta_e00_mean).toBeGreaterThan(0);
  expect(webp.quality!.delta_e00_mean).toBeLessThan(3);
  const onColor = await cut(bytes, { look: { kind: 'on_color', color: [12, 200, 30] } });
  expect([onColor.quality, (await cut(bytes, { look: { kind: 'mask' } })).quality]).toEqual([
    undefined,
    undefined,
  ]);
});

test('the mask is grey, the object on a colour is opaque, and webp keeps transparency', async () => {
  const bytes = await opaque().png().toBuffer();
  const mask = await cut(bytes, { look: { kind: 'mask' } });
  expect([mask.channels, mask.centre[0], mask.corner[0]]).toEqual([1, 255, 0]);
  const onColor = await cut(bytes, { look: { kind: 'on_color', color: [12, 200, 30] } });
  expect([onColor.channels, onColor.corner]).toEqual([3, [12, 200, 30]]);
  const webp = await cut(bytes, { format: 'webp' });
  expect([webp.contentType, webp.centre[3], webp.corner[3]]).toEqual(['image/webp', 255, 0]);
});

test('a picture with a transparent background keeps it, colours and all', async () => {
  const rgba = Buffer.alloc(size.width * size.height * 4);
  made.truth.forEach((alpha, pixel) => {
    rgba.set([200, 90, 40, Math.round(255 * alpha)], pixel * 4);
  });
  const bytes = await sharp(rgba, { raw: { ...size, channels: 4 } })
    .png()
    .toBuffer();
  const answer = await cut(bytes);
  expect(answer).toMatchObject({
    foundBy: 'own_transparency',
    centre: [200, 90, 40, 255],
    uncertaintyShare: 0,
  });
  expect(answer.corner[3]).toBe(0);
  expect(answer.haloScore).toBeUndefined();
});

const flat = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: background.length > 7 ? 4 : 3, background } })
    .png()
    .toBuffer();

test.each([
  ['one pixel', () => flat(1, 1, '#ff0000'), /unsuitable_image: The picture has 1 × 1 pixels/],
  ['a line', () => flat(400, 1, '#ff0000'), /at least 8 on each side/],
  ['one colour', () => flat(64, 64, '#ff8800'), /unsuitable_image: .*one colour throughout/],
  ['fully transparent', () => flat(64, 64, '#ff880000'), /unsuitable_image: .*fully transparent/],
  ['100 megapixels', () => flat(10_000, 10_000, '#ff8800'), /image_too_large/],
  ['no picture', async () => Buffer.from('no picture at all'), /unsupported_image/],
])('%s is refused in plain words', async (_, bytes, expected) => {
  expect(await refusal(await bytes())).toMatch(expected);
});
