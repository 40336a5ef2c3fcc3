import { expect, test } from 'vitest';
import { sharp } from '../codecs/sharp.ts';
import { type ResizeRequest, resizeImage } from './resize_image.ts';

const WANTED = { mode: 'contain', format: 'png', quality: 90 } as const;
const flat = (width: number, height: number, background: string | object = '#3366cc') =>
  sharp({ create: { width, height, channels: 4, background: background as string } });
const pngOf = (width: number, height: number) => flat(width, height).png().toBuffer();
const resizePicture = async (bytes: Uint8Array, request: Partial<ResizeRequest>) =>
  resizeImage({ bytes, width: 8, height: 8, ...WANTED, ...request });
const pixelsOf = async (bytes: Uint8Array) => [...(await sharp(bytes).raw().toBuffer())];
const firstPixel = async (bytes: Uint8Array, channels = 3) => (await pixelsOf(bytes)).slice(0, channels);

test.each([
  ['contain', 300, 200, 150, 150, '150×100'],
  ['contain', 200, 300, 150, 150, '100×150'],
  ['contain', 30, 20, 150, 150, '150×100'],
  ['contain', 1, 1, 40, 30, '30×30'],
  ['contain', 1000, 1, 10, 10, '10×1'],
  ['contain', 1, 32768, 8192, 8192, '1×8192'],
  ['contain', 333, 500, 100, 100, '67×100'],
  ['cover', 300, 200, 150, 150, '150×150'],
  ['cover', 30, 20, 100, 7, '100×7'],
  ['cover', 1, 1, 40, 30, '40×30'],
  ['cover', 32768, 1, 300, 300, '300×300'],
  ['cover', 1, 32768, 300, 300, '300×300'],
  ['cover', 32768, 1, 1, 1, '1×1'],
  ['cover', 3, 20_000, 4000, 1, '4000×1'],
  ['stretch', 300, 200, 7, 91, '7×91'],
  ['stretch', 1, 1, 90, 1, '90×1'],
  ['stretch', 32768, 1, 1, 8192, '1×8192'],
] as const)('%s of %i×%i into %i×%i is %s', async (mode, fromWidth, fromHeight, width, height, size) => {
  const answer = await resizePicture(await pngOf(fromWidth, fromHeight), { mode, width, height });
  const real = await sharp(answer.bytes).metadata();
  expect([`${answer.width}×${answer.height}`, `${real.width}×${real.height}`]).toEqual([size, size]);
});

test('cover keeps the centre, contain keeps everything and stretch distorts', async () => {
  // Black, white and black, each one third of the width.
  const bars = Buffer.from(
    Array.from({ length: 90 * 30 }, (_, i) => (Math.floor((i % 90) / 30) === 1 ? 255 : 0)),
  );
  const bytes = await sharp(bars, { raw: { width: 90, height: 30, channels: 1 } })
    .png()
    .toBuffer();
  const meanOf = async (mode: ResizeRequest['mode']) => {
    const { bytes: out } = await resizePicture(bytes, { mode, width: 30, height: 30 });
    return (await sharp(out).stats()).channels[0]!.mean;
  };
  expect(await meanOf('cover')).toBeGreaterThan(250);
  // One third white, plus the light of the pixels between black and white.
  for (const mode of ['stretch', 'contain'] as const)
    expect(Math.abs((await meanOf(mode)) - 88)).toBeLessThan(4);
});

test.each(['png', 'jpeg', 'webp'] as const)('the result is %s without metadata', async (format) => {
  const bytes = await flat(20, 10)
    .withMetadata({ density: 300 })
    .withExif({ IFD0: { Artist: 'A' } })
    .tiff()
    .toBuffer();
  const answer = await resizePicture(bytes, { format });
  const { format: real, exif, icc, xmp } = await sharp(answer.bytes).metadata();
  expect([answer.contentType, real, exif, icc, xmp]).toEqual([
    `image/${format}`,
    format,
    undefined,
    undefined,
    undefined,
  ]);
});

test.each(['png', 'webp'] as const)('%s keeps transparency', async (format) => {
  const clear = await flat(20, 20, { r: 200, g: 0, b: 0, alpha: 0.5 }).png().toBuffer();
  const { bytes } = await resizePicture(clear, { format });
  expect((await firstPixel(bytes, 4))[3]).toBe(128);
});

test('transparent pixels do not bleed colour', async () => {
  const pixels = Buffer.from([255, 0, 0, 255, 0, 255, 0, 0]);
  const bytes = await sharp(pixels, { raw: { width: 2, height: 1, channels: 4 } })
    .png()
    .toBuffer();
  const { bytes: out } = await resizePicture(bytes, { mode: 'stretch', width: 1, height: 1 });
  expect((await firstPixel(out, 3)).slice(0, 2)).toEqual([255, 0]);
});

test('JPEG flattens transparency onto white', async () => {
  const clear = await flat(20, 20, { r: 255, g: 0, b: 0, alpha: 0 }).png().toBuffer();
  const { bytes } = await resizePicture(clear, { format: 'jpeg' });
  expect(await firstPixel(bytes)).toEqual([255, 255, 255]);
});

test('an embedded Display P3 profile is applied to colours and neutral greys', async () => {
  const p3 = (background: string) =>
    flat(9, 9, background).removeAlpha().withIccProfile('p3').png().toBuffer();
  const raw = await sharp(await p3('#00ff00')).metadata();
  expect(raw.icc?.length).toBeGreaterThan(100);
  expect(await firstPixel((await resizePicture(await p3('#808080'), {})).bytes)).toEqual([128, 128, 128]);
});

test.each([
  ['16-bit', () => flat(9, 9).toColourspace('rgb16').png(), [51, 102, 204]],
  ['grey', () => flat(9, 9, '#777777').removeAlpha().toColourspace('b-w').png(), [119]],
  ['palette', () => flat(9, 9).png({ palette: true }), [51, 102, 204]],
  ['AVIF', () => flat(9, 9).avif({ lossless: true, effort: 0 }), [51, 102, 204]],
  ['GIF', () => flat(9, 9).gif(), [51, 102, 204]],
] as const)('%s input is converted to 8-bit sRGB', async (_, encoder, expected) => {
  const { bytes } = await resizePicture(await encoder().toBuffer(), {});
  const [{ depth, space }, pixel] = [await sharp(bytes).metadata(), await firstPixel(bytes, expected.length)];
  expect([depth, /srgb|b-w/.test(space)]).toEqual(['uchar', true]);
  for (const [index, value] of expected.entries())
    expect(Math.abs(pixel[index]! - value)).toBeLessThanOrEqual(2);
});

test('CMYK input is converted to RGB by its profile', async () => {
  const bytes = await flat(9, 9, '#8c7a5a')
    .flatten()
    .withIccProfile('cmyk')
    .jpeg({ quality: 100 })
    .toBuffer();
  const pixel = await firstPixel((await resizePicture(bytes, {})).bytes);
  for (const [index, value] of [0x8c, 0x7a, 0x5a].entries())
    expect(Math.abs(pixel[index]! - value)).toBeLessThan(20);
});

test('orientation is applied before fitting', async () => {
  const bytes = await flat(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const { width, height } = await resizePicture(bytes, { width: 10, height: 10 });
  expect([width, height]).toEqual([5, 10]);
});

const waves = sharp(
  Buffer.from(
    Uint8Array.from({ length: 160 * 120 * 3 }, (_, at) => 128 + 100 * Math.sin(at / 7) * Math.cos(at / 900)),
  ),
  { raw: { width: 160, height: 120, channels: 3 } },
);
const measured = async (request: Partial<ResizeRequest>) =>
  resizePicture(await waves.clone().png().toBuffer(), {
    width: 80,
    height: 60,
    isMeasured: true,
    ...request,
  });

test('encoding loss is measured on request: none for PNG, more for lower JPEG quality', async () => {
  const [png, good, bad] = [
    await measured({}),
    await measured({ format: 'jpeg', quality: 95 }),
    await measured({ format: 'jpeg', quality: 20 }),
  ];
  expect(png.quality).toMatchObject({ compared_at: 'result_size', psnr_db: 99, ssim: 1, delta_e00_p95: 0 });
  expect(good.quality!.psnr_db).toBeGreaterThan(bad.quality!.psnr_db! + 3);
  expect(await measured({ isMeasured: false })).not.toHaveProperty('quality');
});

test.each(['jpeg', 'webp'] as const)('measuring a %s does not change its bytes', async (format) => {
  const [told, bare] = [await measured({ format }), await measured({ format, isMeasured: false })];
  expect(Buffer.compare(told.bytes, bare.bytes)).toBe(0);
});

test('halos are reported only for enlargement', async () => {
  const large = { width: 640, height: 480 };
  expect((await measured(large)).quality!.halo_percent).toBeGreaterThan(0);
  expect(await measured({})).not.toHaveProperty('quality.halo_percent');
});
