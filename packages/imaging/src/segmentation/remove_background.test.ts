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
  const result = await removeBackground({ bytes, format: 'png', look: { kind: 'transparent' }, ...more });
  const { channels } = await sharp(result.bytes).metadata();
  const { data, info } = await sharp(result.bytes)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * info.channels).subarray(0, info.channels),
  ];
  return { ...result, info, channels, centre: at(60, 45), corner: at(2, 2) };
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
] as const)('%s: the object stays opaque, the corner is removed and the size is kept', async (_, encoded) => {
  const { centre, corner, info, engine } = await cut(await encoded().toBuffer());
  expect([centre[3], corner[3], info.width, info.height]).toEqual([255, 0, size.width, size.height]);
  expect(engine.name).toBe('atelier-matte');
});

test('PNG keeps foreground colours exactly; mask and solid-background results report no quality', async () => {
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

test('the mask is greyscale, a solid background is opaque and WebP keeps transparency', async () => {
  const bytes = await opaque().png().toBuffer();
  const mask = await cut(bytes, { look: { kind: 'mask' } });
  expect([mask.channels, mask.centre[0], mask.corner[0]]).toEqual([1, 255, 0]);
  const onColor = await cut(bytes, { look: { kind: 'on_color', color: [12, 200, 30] } });
  expect([onColor.channels, onColor.corner]).toEqual([3, [12, 200, 30]]);
  const webp = await cut(bytes, { format: 'webp' });
  expect([webp.contentType, webp.centre[3], webp.corner[3]]).toEqual(['image/webp', 255, 0]);
});

test('an image with a transparent background is unchanged', async () => {
  const rgba = Buffer.alloc(size.width * size.height * 4);
  made.truth.forEach((alpha, pixel) => {
    rgba.set([200, 90, 40, Math.round(255 * alpha)], pixel * 4);
  });
  const bytes = await sharp(rgba, { raw: { ...size, channels: 4 } })
    .png()
    .toBuffer();
  const result = await cut(bytes);
  expect(result).toMatchObject({
    foundBy: 'own_transparency',
    centre: [200, 90, 40, 255],
    uncertaintyShare: 0,
  });
  expect(result.corner[3]).toBe(0);
  expect(result.haloScore).toBeUndefined();
});

const flat = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: background.length > 7 ? 4 : 3, background } })
    .png()
    .toBuffer();

test.each([
  ['one pixel', () => flat(1, 1, '#ff0000'), /unsuitable_image: The image has 1 × 1 pixels/],
  ['a line', () => flat(400, 1, '#ff0000'), /at least 8 on each side/],
  ['one colour', () => flat(64, 64, '#ff8800'), /unsuitable_image: .*a single colour/],
  ['fully transparent', () => flat(64, 64, '#ff880000'), /unsuitable_image: .*fully transparent/],
  ['100 megapixels', () => flat(10_000, 10_000, '#ff8800'), /image_too_large/],
  ['not an image', async () => Buffer.from('not an image'), /unsupported_image/],
])('%s is rejected with an explanation', async (_, bytes, expected) => {
  expect(await refusal(await bytes())).toMatch(expected);
});

const TWO = { width: 160, height: 90 };
const isLeft = disc(40, 45, 25);
const isRight = disc(125, 45, 18);
/** Two discs on white. */
const two = madePicture({
  ...TWO,
  opacity: (x, y) => Math.max(isLeft(x, y), isRight(x, y)),
  object: () => [30, 60, 160],
  background: () => [255, 255, 255],
});
const alphaOf = async (bytes: Uint8Array, more: object) => {
  const result = await removeBackground({ bytes, format: 'png', look: { kind: 'transparent' }, ...more });
  const { data } = await sharp(result.bytes)
    .extractChannel(3)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { ...result, at: (x: number, y: number) => data[y * result.width + x] };
};

test.each([
  ['nothing', {}, [255, 255]],
  ['a point on the right one', { where: { x: 120, y: 50 } }, [0, 255]],
  ['a box around the left one', { where: { left: 10, top: 15, width: 60, height: 60 } }, [255, 0]],
])('with two subjects on a flat background, %s keeps the selected one', async (_how, more, expected) => {
  const png = await sharp(two.data, { raw: { ...TWO, channels: 3 } })
    .png()
    .toBuffer();
  const { at, subjects } = await alphaOf(png, more);
  expect([at(40, 45), at(125, 45)]).toEqual(expected);
  expect(subjects).toHaveLength(expected.filter((level) => level === 255).length);
});

test('black bars become transparent, and coordinates refer to the full image', async () => {
  const barred = await sharp(two.data, { raw: { ...TWO, channels: 3 } })
    .extend({ top: 20, bottom: 20, background: '#000000' })
    .png()
    .toBuffer();
  const { at, width, height, subjects, foundBy } = await alphaOf(barred, { where: { x: 125, y: 65 } });
  expect([width, height, foundBy]).toEqual([160, 130, 'flat_background']);
  expect([at(80, 5), at(80, 30), at(125, 65), at(40, 65)]).toEqual([0, 0, 255, 0]);
  expect(subjects[0]!.top + subjects[0]!.height / 2).toBeCloseTo(65, -1);
});

test('a position outside the image is rejected by field name', async () => {
  const png = await opaque().png().toBuffer();
  await expect(alphaOf(png, { where: { x: 500, y: 5 } })).rejects.toMatchObject({
    code: 'invalid_input',
    details: { errors: [{ field: 'where' }] },
  });
});

/** A busy background that contains the colours of the object. */
const crowd = madePicture({
  ...size,
  opacity: disc(60, 45, 25),
  object: (x, y) => [90 + 80 * Math.sin(y / 4), 90 + 70 * Math.sin(x / 5), 90],
  background: (x, y) => [90 + 80 * Math.sin(x / 4), 90 + 70 * Math.sin(y / 5), 90],
  noise: 8,
});

test('without a model, a busy image is rejected with a fix, and a box gives uncertain output', async () => {
  const bytes = await sharp(crowd.data, { raw: { ...size, channels: 3 } })
    .png()
    .toBuffer();
  expect(await refusal(bytes)).toMatch(/subject_unclear: No segmentation network.*`where`.*models pull/);
  const { at, foundBy, doubt } = await alphaOf(bytes, {
    where: { left: 32, top: 17, width: 56, height: 56 },
  });
  expect([foundBy, at(2, 2), at(110, 80)]).toEqual(['colors', 0, 0]);
  expect(doubt).toBeGreaterThan(0.2);
});
