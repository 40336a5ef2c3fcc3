import { expect, test } from 'vitest';
import { CONVERT_RESOURCES } from '../../../../tests/support/decoder_resources.ts';
import { readHeader } from '../codecs/read_header.ts';
import { sharp } from '../codecs/sharp.ts';
import { decodeFrames } from '../decoders/frames.ts';
import { encodePicture, sourceOf } from '../encoders/encode_picture.ts';
import { type ConvertRequest, convertImage } from './convert_image.ts';

const noise = (length: number, step = 7919) =>
  Uint8Array.from({ length }, (_, at) => (at * step + (at >> 7) * 13) % 256);
const photo = () => sharp(noise(160 * 120 * 3), { raw: { width: 160, height: 120, channels: 3 } });
const animation = () =>
  sharp(noise(4 * 24 * 16 * 4), { raw: { width: 24, height: 64, channels: 4, pageHeight: 16 } })
    .gif({ delay: [100, 200, 300, 400], loop: 2 })
    .toBuffer();
const convert = (bytes: Uint8Array, request: Partial<ConvertRequest>) =>
  convertImage({ bytes, format: 'png', frames: 'all', ...request }, CONVERT_RESOURCES);

test('animation is preserved if the format supports it and reported as dropped otherwise', async () => {
  const bytes = await animation();
  for (const format of ['webp', 'apng', 'gif'] as const) {
    const made = await convert(bytes, { format });
    expect([made.frames, made.dropped, (await decodeFrames(made.bytes)).frames.length]).toEqual([4, [], 4]);
  }
  const still = await convert(bytes, { format: 'png' });
  expect(still.frames).toBeUndefined();
  expect(still.dropped).toEqual([
    {
      what: 'frames',
      why: 'the first of 4 was written: PNG stores one image; gif, webp and apng store frames',
    },
  ]);
  expect((await convert(bytes, { format: 'webp', frames: 'first' })).dropped[0]!.why).toMatch(
    'frames is "first"',
  );
});

test('one page can be selected, and several become a PDF', async () => {
  const bytes = await animation();
  const third = await convert(bytes, { pages: [3] });
  const { frames } = await decodeFrames(bytes);
  expect(Buffer.compare(await sharp(third.bytes).ensureAlpha().raw().toBuffer(), frames[2]!.data)).toBe(0);
  const pdf = await convert(bytes, { format: 'pdf', pages: 'all' });
  expect([
    pdf.pages,
    Buffer.from(pdf.bytes)
      .toString('latin1')
      .match(/\/Count 4/g)?.length,
  ]).toEqual([4, 1]);
  await expect(convert(bytes, { pages: [5] })).rejects.toMatchObject({
    code: 'invalid_input',
    message: /has 4/,
  });
});

/** Three page sizes; the second page is greyscale. */
const PAGE_SIZES = [
  [40, 30, 3],
  [24, 50, 1],
  [60, 20, 3],
] as const;
const pageOf = ([width, height, channels]: (typeof PAGE_SIZES)[number], seed: number) =>
  sourceOf({ width, height, channels, data: noise(width * height * channels, 7919 + 2 * seed) });
const document = async (format: 'pdf' | 'tiff') => {
  const pages = PAGE_SIZES.map((size, index) => pageOf(size, index));
  const options = { format, quality: 100, isLossless: true, dpi: 150 };
  return (await encodePicture({ kind: 'pages', pages }, options)).bytes;
};

test('pages of different sizes and channel counts form one TIFF unchanged', async () => {
  const tiff = await document('tiff');
  expect((await sharp(tiff).metadata()).pages).toBe(3);
  for (const [index, [width, height, channels]] of PAGE_SIZES.entries()) {
    const page = sharp(tiff, { page: index });
    const own = channels === 1 ? page.toColourspace('b-w') : page;
    const { data, info } = await own.raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([width, height, channels]);
    expect(Buffer.compare(data, noise(width * height * channels, 7919 + 2 * index))).toBe(0);
  }
});

test.each(['pdf', 'tiff'] as const)(
  'the pages of a %s are kept if the format supports pages',
  async (from) => {
    const bytes = await document(from);
    for (const format of ['pdf', 'tiff'] as const) {
      const made = await convert(bytes, { format });
      expect([made.pages, made.dropped, made.readsParts]).toEqual([3, [], true]);
    }
    const one = await convert(bytes, { pages: [3] });
    expect([one.width, one.height, one.pages, one.dropped[0]?.why]).toEqual([
      60,
      20,
      undefined,
      'page 3 was written, of 3',
    ]);
  },
);

test('several pages in a single-page format become files in a ZIP', async () => {
  const made = await convert(await document('pdf'), { format: 'jpeg', pages: [3, 2] });
  expect(made).toMatchObject({ contentType: 'application/zip', pages: 2, width: 60, height: 20 });
  expect(made.files!.map(({ name, page, width }) => [name, page, width])).toEqual([
    ['page-003.jpg', 3, 60],
    ['page-002.jpg', 2, 24],
  ]);
  const zip = Buffer.from(made.bytes);
  for (const { name, bytes } of made.files!) {
    expect(zip.includes(name)).toBe(true);
    expect(zip.includes(Buffer.from(bytes))).toBe(true);
  }
});

test('a PDF page is rendered at the requested resolution', async () => {
  const bytes = await document('pdf');
  expect(await convert(bytes, { pages: [1], dpi: 300 })).toMatchObject({ width: 80, height: 60 });
  expect(await convert(bytes, { dpi: 75 })).toMatchObject({ width: 20, height: 15 });
});

test('frames of an animated PNG count as pages', async () => {
  const { bytes } = await convert(await animation(), { format: 'apng' });
  const { frames } = await decodeFrames(bytes);
  const third = await convert(bytes, { pages: [3] });
  expect(Buffer.compare(await sharp(third.bytes).ensureAlpha().raw().toBuffer(), frames[2]!.data)).toBe(0);
  expect((await convert(bytes, { pages: 'all' })).files).toHaveLength(4);
});

test.each(['jpeg', 'webp', 'avif', 'png', 'pdf', 'tiff', 'ico'] as const)(
  'a %s stays within a byte limit, metadata included, and reports the adjustments',
  async (format) => {
    const bytes = await photo().png().toBuffer();
    const free = await convert(bytes, { format });
    const bytesMax = Math.round(free.bytes.length * 0.6);
    const extra = Math.round(bytesMax * 0.2);
    const request = { bytes, format, frames: 'all', bytesMax } as const;
    const made = await convertImage(request, CONVERT_RESOURCES, async (file) =>
      Buffer.concat([file.bytes, Buffer.alloc(extra)]),
    );
    expect(made.bytes.length).toBeLessThanOrEqual(bytesMax);
    expect(made.notes.join(' ')).toMatch(`to stay within ${bytesMax} bytes`);
  },
);

test('16-bit depth is kept if the format supports it', async () => {
  const deep = await photo().toColourspace('rgb16').png().toBuffer();
  for (const format of ['png', 'tiff'] as const) {
    const { depth } = await sharp((await convert(deep, { format })).bytes).metadata();
    expect(depth).toBe('ushort');
  }
});

test('orientation is applied and trailing data is removed', async () => {
  const bytes = Buffer.concat([
    await photo().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    Buffer.from('SECRET BEHIND THE PICTURE'),
  ]);
  for (const format of ['jpeg', 'png', 'webp', 'tiff', 'pdf'] as const) {
    const made = await convert(bytes, { format });
    expect([made.width, made.height]).toEqual([120, 160]);
    expect(Buffer.from(made.bytes).includes('SECRET')).toBe(false);
  }
});

test('contradictory options are rejected with a fix', async () => {
  const bytes = await photo().png().toBuffer();
  await expect(convert(bytes, { format: 'jpeg', isLossless: true })).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'JPEG is always lossy. Choose png, webp, avif, tiff or apng, or leave lossless out.',
  });
});

test('quality loss is measured on request', async () => {
  const bytes = await photo().png().toBuffer();
  const [lossless, good, bad] = [
    await convert(bytes, { isMeasured: true }),
    await convert(bytes, { format: 'avif', quality: 90, isMeasured: true }),
    await convert(bytes, { format: 'avif', quality: 10, isMeasured: true }),
  ];
  expect(lossless.quality).toMatchObject({ psnr_db: 99, ssim: 1 });
  expect(good.quality!.psnr_db).toBeGreaterThan(bad.quality!.psnr_db! + 1);
  expect((await convert(bytes, { format: 'webp' })).quality).toBeUndefined();
});

test('the result states the encoding quality', async () => {
  const bytes = await photo().png().toBuffer();
  const [asked, usual, lossless] = [
    await convert(bytes, { format: 'webp', quality: 33 }),
    await convert(bytes, { format: 'jpeg' }),
    await convert(bytes, { format: 'webp', isLossless: true }),
  ];
  expect([asked.savedQuality, usual.savedQuality, lossless.savedQuality]).toEqual([33, 85, undefined]);
  expect(readHeader(lossless.bytes).format).toBe('webp');
});
