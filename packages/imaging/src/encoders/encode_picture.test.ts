import { expect, test } from 'vitest';
import { readHeader } from '../codecs/read_header.ts';
import { sharp } from '../codecs/sharp.ts';
import { decodeFrames } from '../decoders/frames.ts';
import type { DecodedAnimation } from '../decoders/types.ts';
import { pngChunks } from '../pixels/png_chunks.ts';
import { codingOf } from './coding.ts';
import { type EncodeOptions, encodePicture, sourceOf } from './encode_picture.ts';
import { FORMAT_TRAITS, OUTPUT_FORMATS, type OutputFormat } from './formats.ts';

const [WIDTH, HEIGHT] = [60, 40];
/** Red left, green right; the upper half is transparent. */
const pixels = Uint8Array.from({ length: WIDTH * HEIGHT * 4 }, (_, at) => {
  const [pixel, channel] = [at >> 2, at & 3];
  if (channel === 3) return pixel < (WIDTH * HEIGHT) / 2 ? 0 : 255;
  return (pixel % WIDTH < WIDTH / 2 ? [220, 20, 20] : [20, 160, 40])[channel]!;
});
const picture = sourceOf({ width: WIDTH, height: HEIGHT, channels: 4, data: pixels });
const encode = (format: OutputFormat, more: Partial<EncodeOptions> = {}, source = picture) =>
  encodePicture({ kind: 'pages', pages: [source] }, { format, ...codingOf(format, {}), ...more });

const RASTER_FORMATS = OUTPUT_FORMATS.filter((format) => format !== 'pdf' && format !== 'ico');

test.each(RASTER_FORMATS)(
  'a %s has the declared format and keeps colours and supported transparency',
  async (format) => {
    const { bytes, contentType, width, height } = await encode(format);
    expect(contentType).toBe(`image/${format}`);
    expect(readHeader(bytes)).toMatchObject({ format: format === 'apng' ? 'png' : format, width, height });
    const { data } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [...data.subarray((y * WIDTH + x) * 4, (y * WIDTH + x) * 4 + 4)];
    const [red, green, clear] = [at(10, 35), at(50, 35), at(10, 5)];
    for (const [index, value] of [220, 20, 20].entries())
      expect(Math.abs(red[index]! - value)).toBeLessThan(14);
    for (const [index, value] of [20, 160, 40].entries())
      expect(Math.abs(green[index]! - value)).toBeLessThan(14);
    if (FORMAT_TRAITS[format].alpha) expect(clear[3]).toBe(0);
    else expect(clear.map((value) => Math.round(value / 16))).toEqual([16, 16, 16, 16]);
  },
);

test('transparency is flattened onto the requested colour', async () => {
  const { bytes } = await encode('jpeg', { background: '#0000ff', quality: 100 });
  const [red, green, blue] = await sharp(bytes).raw().toBuffer();
  expect([red! < 10, green! < 10, blue! > 245]).toEqual([true, true, true]);
});

test.each(['png', 'webp', 'avif', 'tiff'] as const)('a lossless %s preserves every pixel', async (format) => {
  const { bytes } = await encode(format, { isLossless: true });
  const { data } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const shown = (samples: Uint8Array) => samples.filter((_, at) => samples[at | 3] === 255);
  expect(Buffer.compare(shown(data), shown(pixels))).toBe(0);
});

test.each(['png', 'jpeg', 'tiff', 'apng'] as const)('a %s stores its density in dpi', async (format) => {
  const { bytes } = await encode(format, { dpi: 300 });
  expect((await sharp(bytes).metadata()).density).toBe(300);
});

test('an icon contains the standard sizes up to the image size as PNGs', async () => {
  const { bytes, width, height } = await encode('ico');
  const view = Buffer.from(bytes);
  const sides = Array.from({ length: view.readUInt16LE(4) }, (_, index) => view[6 + 16 * index]);
  expect([sides, width, height]).toEqual([[16, 24, 32, 48], 48, 48]);
  for (const index of sides.keys()) {
    const [size, at] = [view.readUInt32LE(14 + 16 * index), view.readUInt32LE(18 + 16 * index)];
    const own = await sharp(view.subarray(at, at + size)).metadata();
    expect([own.format, own.width, own.height, own.hasAlpha]).toEqual([
      'png',
      sides[index],
      sides[index],
      true,
    ]);
  }
});

test('a PDF has one page per image with its size in points', async () => {
  const small = sourceOf({ width: 10, height: 20, channels: 1, data: new Uint8Array(200).fill(128) });
  const pages = { kind: 'pages', pages: [picture, small] } as const;
  const { bytes } = await encodePicture(pages, { format: 'pdf', quality: 85, isLossless: true, dpi: 72 });
  const text = Buffer.from(bytes).toString('latin1');
  expect(text.match(/\/MediaBox \[[^\]]*\]/g)).toEqual(['/MediaBox [0 0 60 40]', '/MediaBox [0 0 10 20]']);
  expect(text.match(/\/ColorSpace \/\w+/g)).toEqual(['/ColorSpace /DeviceRGB', '/ColorSpace /DeviceGray']);
  // Every entry of the cross-reference table points to its object.
  const table = /xref\n0 \d+\n([\s\S]*?)trailer/.exec(text)![1]!.split('\n').slice(1, -1);
  for (const [index, row] of table.entries())
    expect(text.slice(Number(row.slice(0, 10)))).toMatch(new RegExp(`^${index + 1} 0 obj\n`));
});

test('an image that exceeds a format limit is rejected with the format named', async () => {
  const long = sourceOf({ width: 16_400, height: 1, channels: 1, data: new Uint8Array(16_400) });
  await expect(encode('webp', {}, long)).rejects.toMatchObject({
    code: 'unsuitable_image',
    message: expect.stringContaining('16383'),
  });
  const large = { width: 5000, height: 4000, open: picture.open };
  await expect(encode('avif', {}, large)).rejects.toMatchObject({ code: 'image_too_large' });
});

/** A dot that moves over a still background; the third frame equals the second. */
function moving(colors: (x: number, y: number) => number[]): DecodedAnimation {
  const frameOf = (left: number) =>
    Uint8Array.from({ length: 32 * 16 * 4 }, (_, at) => {
      const [x, y] = [(at >> 2) % 32, Math.floor((at >> 2) / 32)];
      const isDot = x >= left && x < left + 4 && y >= 6 && y < 10;
      return (isDot ? [255, 255, 255, 255] : colors(x, y))[at & 3]!;
    });
  const delays = [100, 250, 40, 1000];
  return {
    width: 32,
    height: 16,
    loop: 3,
    frames: [2, 10, 10, 20].map((left, at) => ({ data: frameOf(left), delayMs: delays[at]! })),
  };
}
const flat = moving((_, y) => [10, 20, y < 4 ? 0 : 200, y < 4 ? 0 : 255]);
const colourful = moving((x, y) => [x * 8, y * 16, (x * y) % 256, 255]);

test.each([
  ['flat', flat],
  ['colourful', colourful],
])('an APNG of %s frames round-trips and stores only changed regions', async (_, animation) => {
  const { bytes } = await encodePicture(
    { kind: 'frames', animation },
    { format: 'apng', quality: 100, isLossless: true },
  );
  const read = await decodeFrames(bytes);
  expect(read.loop).toBe(3);
  expect(read.frames.map(({ delayMs }) => delayMs)).toEqual([100, 290, 1000]);
  for (const [at, frame] of [0, 1, 3].entries())
    expect(Buffer.compare(read.frames[at]!.data, animation.frames[frame]!.data)).toBe(0);
  const boxes = pngChunks(bytes)
    .chunks.filter(({ type }) => type === 'fcTL')
    .map(({ data }) => [4, 8, 12, 16].map((place) => data.readUInt32BE(place)));
  expect(boxes).toEqual([
    [32, 16, 0, 0],
    [12, 4, 2, 6],
    [14, 4, 10, 6],
  ]);
});

test.each(['gif', 'webp'] as const)('a %s keeps frames, delays and loop count', async (format) => {
  const { bytes } = await encodePicture(
    { kind: 'frames', animation: colourful },
    { format, quality: 100, isLossless: format === 'webp' },
  );
  const read = await decodeFrames(bytes);
  const shown = read.frames.reduce((sum, { delayMs }) => sum + delayMs, 0);
  expect([read.loop, read.width, read.height, shown]).toEqual([3, 32, 16, 1390]);
  if (format === 'webp') expect(Buffer.compare(read.frames.at(-1)!.data, colourful.frames[3]!.data)).toBe(0);
});
