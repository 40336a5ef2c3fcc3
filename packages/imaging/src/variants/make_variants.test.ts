import { expect, test } from 'vitest';
import { readHeader } from '../codecs/read_header.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import { makeVariants, type Variant, type VariantsRequest } from './make_variants.ts';

type Color = readonly number[];
/** A PNG with the colour of each pixel from a function; RGBA if colours have four components. */
function draw(width: number, height: number, colorAt: (x: number, y: number) => Color): Promise<Buffer> {
  const channels = colorAt(0, 0).length as 3 | 4;
  const data = new Uint8Array(width * height * channels);
  for (let at = 0; at < width * height; at++)
    data.set(colorAt(at % width, Math.floor(at / width)), at * channels);
  return sharp(data, { raw: { width, height, channels } }).png().toBuffer();
}

const pixelsOf = async (bytes: Uint8Array) => {
  const { data, channels, width } = await decodeRaster(sharp(bytes));
  return (x: number, y: number) => [
    ...data.subarray((y * width + x) * channels, (y * width + x + 1) * channels),
  ];
};

const png = (width: number, height?: number, more: Partial<Variant> = {}): Variant => ({
  name: `${width}.png`,
  width,
  height,
  format: 'png',
  ...more,
});
const make = (bytes: Uint8Array, variants: readonly Variant[], more: Partial<VariantsRequest> = {}) =>
  makeVariants({ bytes, variants, fit: 'cover', ...more });

test('every size is exact, and the crop has the same aspect ratio', async () => {
  const bytes = await draw(1200, 800, (x, y) => [x % 256, y % 256, 90]);
  const made = await make(bytes, [png(400, 400), png(33, 77), png(1, 1), png(600)]);
  expect(made.map(({ width, height }) => [width, height])).toEqual([
    [400, 400],
    [33, 77],
    [1, 1],
    [600, 400],
  ]);
  expect(made.map(({ box }) => [box.width, box.height])).toEqual([
    [800, 800],
    [343, 800],
    [800, 800],
    [1200, 800],
  ]);
});

test('a black-and-white checkerboard reduces to mid grey in linear light at any size', async () => {
  const bytes = await draw(1024, 1024, (x, y) => ((x + y) % 2 ? [255, 255, 255] : [0, 0, 0]));
  for (const { bytes: file } of await make(bytes, [png(500, 500), png(128, 128), png(16, 16)])) {
    const at = await pixelsOf(file);
    for (const place of [3, 8]) expect(Math.abs(at(place, place)[0]! - 188)).toBeLessThanOrEqual(1);
  }
});

test('edges keep their position in a small icon of a large image', async () => {
  const bytes = await draw(2000, 2000, (x) => (x < 1000 ? [255, 0, 0] : [0, 0, 255]));
  const at = await pixelsOf((await make(bytes, [png(32, 32)]))[0]!.bytes);
  expect([at(14, 9), at(17, 9)]).toEqual([
    [255, 0, 0],
    [0, 0, 255],
  ]);
});

test('a subject that a crop would cut is padded with its background colour', async () => {
  const bytes = await draw(1000, 400, (x, y) =>
    x >= 50 && x < 950 && y >= 100 && y < 300 ? [200, 30, 30] : [240, 240, 230],
  );
  const located = { faces: [], places: [{ x: 0.05, y: 0.25, width: 0.9, height: 0.5 }], isIsolated: true };
  const [made] = await make(bytes, [png(200, 200, { margin: 0.1 })], { fit: 'subject', located });
  const at = await pixelsOf(made!.bytes);
  expect([at(5, 100), at(100, 5)]).toEqual([
    [240, 240, 230],
    [240, 240, 230],
  ]);
  expect([at(26, 100), at(173, 100)]).toEqual([
    [200, 30, 30],
    [200, 30, 30],
  ]);
});

test('a transparent logo stays transparent, or is flattened onto white if not permitted', async () => {
  const bytes = await draw(300, 300, (x) => (x < 150 ? [10, 120, 60, 255] : [0, 0, 0, 0]));
  const located = { faces: [], places: [{ x: 0, y: 0, width: 0.5, height: 1 }], isIsolated: true };
  const [clear, solid] = await make(
    bytes,
    [png(60, 60, { margin: 0.1 }), png(61, 61, { margin: 0.1, isOpaque: true })],
    { fit: 'subject', located },
  );
  expect((await pixelsOf(clear!.bytes))(1, 30)[3]).toBe(0);
  expect((await pixelsOf(solid!.bytes))(1, 30)).toEqual([255, 255, 255]);
  expect((await pixelsOf(solid!.bytes))(30, 30)).toEqual([10, 120, 60]);
});

test('pad crops nothing and uses the requested colour', async () => {
  const bytes = await draw(400, 200, () => [9, 9, 9]);
  const [made] = await make(bytes, [png(100, 100)], { fit: 'pad', background: '#f00' });
  const at = await pixelsOf(made!.bytes);
  expect([at(50, 10), at(50, 50), at(0, 50)]).toEqual([
    [255, 0, 0],
    [9, 9, 9],
    [9, 9, 9],
  ]);
});

test('an icon contains every standard size up to its own', async () => {
  const bytes = await draw(256, 256, () => [20, 40, 60]);
  const [made] = await make(bytes, [{ name: 'favicon.ico', width: 48, height: 48, format: 'ico' }]);
  const file = Buffer.from(made!.bytes);
  expect(Array.from({ length: file.readUInt16LE(4) }, (_, at) => file[6 + 16 * at])).toEqual([
    16, 24, 32, 48,
  ]);
});

test('widths above the image width give one file at the image width', async () => {
  const bytes = await draw(700, 350, () => [1, 2, 3]);
  const made = await make(bytes, [png(320), png(640), png(960), png(1280)]);
  expect(made.map(({ name, width }) => [name, width])).toEqual([
    ['320.png', 320],
    ['640.png', 640],
    ['960.png', 700],
  ]);
});

test('an enlarged variant is reported', async () => {
  const bytes = await draw(100, 100, () => [1, 2, 3]);
  const made = await make(bytes, [png(250, 250), png(50, 50)]);
  expect(made.map(({ enlarged }) => enlarged)).toEqual([2.5, undefined]);
});

test('a photograph with Exif rotation is cropped upright', async () => {
  const turned = await sharp(await draw(400, 300, (x) => (x < 200 ? [255, 255, 255] : [0, 0, 0])))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const [made] = await make(turned, [png(150)]);
  expect(readHeader(made!.bytes)).toMatchObject({ width: 150, height: 200 });
  const at = await pixelsOf(made!.bytes);
  expect([at(75, 20)[0]! > 250, at(75, 180)[0]! < 5]).toEqual([true, true]);
});

test('greyscale with and without alpha is preserved', async () => {
  const grey = await sharp(await draw(64, 64, () => [77, 77, 77]))
    .toColourspace('b-w')
    .png()
    .toBuffer();
  const [made] = await make(grey, [png(32, 16)], { fit: 'pad' });
  expect((await pixelsOf(made!.bytes))(16, 8).slice(0, 3)).toEqual([77, 77, 77]);
});
