import { expect, test } from 'vitest';
import { DECODER_RESOURCES as resources } from '../../../../tests/support/decoder_resources.ts';
import { sharp } from '../codecs/sharp.ts';
import { decodeHeic } from './heic.ts';
import { type HeifItem, sizeProperty, writeBox, writeHeif } from './heif_boxes.ts';

/** 64 × 64 pixels, left half red and right half blue, from x265: configuration and one slice. */
const EIGHT_BITS = {
  configuration:
    'AQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbqSSmubgQEDAgAAAMACAAAAwAIQCIAAQAHRAHBcrAiQA==',
  slice: 'AAAAKSgBrwngITl1X//8UD///GI3IfwcYlP//GC8+/xzVf/9260KuBn//M7/',
};
const TEN_BITS = {
  configuration:
    'AQQIAAAAAAAAAAAAHvAA/P36+gAADwMgAAEAF0ABDAH//wQIAAADAJ24AAADAAAeugJAIQABACpCAQEECAAAAwCduAAAAwAAHqAggQTZbqSSmubgQEDAgAAAAwCAAAADAIQiAAEAB0QBwXKwIkA=',
  slice: 'AAAAKigBrwngITl7z//9TV///SUfIfzf/Fn//4glp3+lRL//xhhyKrI//2I/wA==',
};
const BRANDS = ['heic', 'mif1'];

function itemOf({ configuration, slice } = EIGHT_BITS, ...properties: Uint8Array[]): HeifItem {
  const data = Buffer.from(slice, 'base64');
  const own = [writeBox('hvcC', Buffer.from(configuration, 'base64')), sizeProperty(64, 64)];
  return { type: 'hvc1', data, properties: [...own, ...properties] };
}
const heicOf = (...properties: Uint8Array[]) => writeHeif(BRANDS, [itemOf(EIGHT_BITS, ...properties)]);

/** The colour of a pixel as `red` or `blue`, if close to one of them. */
function colorAt(
  { width, channels, data }: Awaited<ReturnType<typeof decodeHeic>>,
  x: number,
  y: number,
): string {
  const at = (y * width + x) * channels;
  const scale = data instanceof Uint16Array ? 257 : 1;
  const [red, green, blue] = [...data.slice(at, at + 3)].map((sample) => sample / scale);
  if (green! > 60) return 'neither';
  return red! > 200 && blue! < 60 ? 'red' : blue! > 200 && red! < 60 ? 'blue' : 'neither';
}

test('a HEIC without colour information is decoded as sRGB', async () => {
  const picture = await decodeHeic(heicOf(), { resources });
  expect(picture).toMatchObject({ width: 64, height: 64, channels: 3, pages: undefined, warnings: [] });
  expect([picture.icc, picture.cicp]).toEqual([undefined, undefined]);
  expect([colorAt(picture, 8, 32), colorAt(picture, 56, 32)]).toEqual(['red', 'blue']);
});

test('a HEIC is rotated by its irot property', async () => {
  // A quarter turn anticlockwise: the left side becomes the bottom.
  const picture = await decodeHeic(heicOf(writeBox('irot', Buffer.of(1))), { resources });
  expect([colorAt(picture, 32, 8), colorAt(picture, 32, 56)]).toEqual(['blue', 'red']);
});

test('grid tiles are joined and cropped to the image size', async () => {
  // Version, flags, rows - 1, columns - 1, width and height in 16 bits.
  const layout = Buffer.of(0, 0, 0, 1, 0, 100, 0, 64);
  const grid: HeifItem = {
    type: 'grid',
    data: layout,
    properties: [sizeProperty(100, 64)],
    references: { type: 'dimg', to: [1, 2] },
  };
  const tile = { ...itemOf(), isHidden: true };
  const picture = await decodeHeic(writeHeif(BRANDS, [tile, tile, grid], 3), { resources });
  expect(picture).toMatchObject({ width: 100, height: 64, pages: undefined });
  expect([8, 56, 72, 98].map((x) => colorAt(picture, x, 32))).toEqual(['red', 'blue', 'red', 'blue']);
});

test('an ICC profile or the code points of another colour space are kept', async () => {
  const png = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
    .withIccProfile('p3')
    .png()
    .toBuffer();
  const icc = (await sharp(png).metadata()).icc!;
  const profiled = await decodeHeic(heicOf(writeBox('colr', Buffer.from('prof'), icc)), { resources });
  const nclx = writeBox('colr', Buffer.from('nclx'), Buffer.of(0, 12, 0, 13, 0, 6, 0x80));
  const coded = await decodeHeic(heicOf(nclx), { resources });
  expect(Buffer.from(profiled.icc!).equals(icc)).toBe(true);
  expect(coded).toMatchObject({ cicp: { primaries: 12, transfer: 13 } });
});

test('10-bit samples are returned as 16-bit', async () => {
  const picture = await decodeHeic(writeHeif(BRANDS, [itemOf(TEN_BITS)]), { resources });
  expect(picture.data).toBeInstanceOf(Uint16Array);
  expect(colorAt(picture, 8, 32)).toBe('red');
});

test('the primary image or the requested image of several is decoded', async () => {
  const bytes = writeHeif(BRANDS, [itemOf(EIGHT_BITS, writeBox('irot', Buffer.of(2))), itemOf()], 2);
  const [primary, first] = [
    await decodeHeic(bytes, { resources }),
    await decodeHeic(bytes, { resources, page: 1 }),
  ];
  expect(primary.pages).toBe(2);
  expect([colorAt(primary, 8, 32), colorAt(first, 8, 32)]).toEqual(['red', 'blue']);
  await expect(decodeHeic(bytes, { resources, page: 3 })).rejects.toThrow('no page 3');
});

test('dimensions above the limit are rejected before decoding', async () => {
  const item = itemOf();
  const properties = [item.properties[0]!, sizeProperty(20_000, 20_000)];
  const bytes = writeHeif(BRANDS, [{ ...item, properties }]);
  await expect(decodeHeic(bytes, { resources })).rejects.toThrow('at most 50 million pixels');
});

test('a missing optional package is named in the error', async () => {
  const { compileModule } = await import('./webassembly_modules.ts');
  expect(() =>
    compileModule('@jsquash/jxl', 'JPEG XL', { ...resources, readModule: () => undefined }),
  ).toThrow('the optional package @jsquash/jxl is not installed. Send the picture as JPEG or PNG');
});

test('a truncated HEIC is rejected, and the next one is decoded', async () => {
  const bytes = heicOf();
  await expect(decodeHeic(bytes.subarray(0, 200), { resources })).rejects.toThrow('damaged');
  expect((await decodeHeic(bytes, { resources })).width).toBe(64);
});
