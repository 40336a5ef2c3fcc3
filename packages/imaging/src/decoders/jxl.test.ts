import { expect, test } from 'vitest';
import { DECODER_RESOURCES as resources } from '../../../../tests/support/decoder_resources.ts';
import { writeBox } from './heif_boxes.ts';
import { decodeJxl, jxlSize } from './jxl.ts';

/** 20 × 12 pixels, lossless, from libjxl: upper half (255, 10, 0), lower half (0, 10, 255). */
const LOSSLESS = Buffer.from(
  '/wpYACaAlQgIEADAAEsSCRIYOARBSIENlzkxGBODMTF4vI0ACAAxEABAjGBij/hAoT4r0ggQ4ZYVNOBRPg==',
  'base64',
);
const SIGNATURE = Buffer.concat([
  Buffer.from('0000000c4a584c200d0a870a', 'hex'),
  writeBox('ftyp', Buffer.from('jxl \0\0\0\0jxl ')),
]);

test('a JPEG XL is decoded with or without a container', async () => {
  const picture = await decodeJxl(LOSSLESS, { resources });
  const boxed = Buffer.concat([SIGNATURE, writeBox('jxlc', LOSSLESS)]);
  const parts = Buffer.concat([SIGNATURE, writeBox('jxlp', Buffer.of(0x80, 0, 0, 0), LOSSLESS)]);
  expect(picture).toMatchObject({ width: 20, height: 12, channels: 4, warnings: [] });
  expect([...picture.data.slice(0, 4)]).toEqual([255, 10, 0, 255]);
  expect([...picture.data.slice(-4)]).toEqual([0, 10, 255, 255]);
  expect(await decodeJxl(boxed, { resources })).toEqual(picture);
  expect(await decodeJxl(parts, { resources })).toEqual(picture);
});

/** A header from [value, bits] fields, least significant bit first. */
function headerOf(...fields: readonly (readonly [number, number])[]): Buffer {
  const bits = fields.flatMap(([value, count]) =>
    Array.from({ length: count }, (_, bit) => (value >> bit) & 1),
  );
  const bytes = Buffer.alloc(8);
  for (const [at, bit] of bits.entries()) bytes[at >> 3]! |= bit << (at & 7);
  return Buffer.concat([Buffer.of(0xff, 0x0a), bytes]);
}

test.each([
  // Small in units of eight; 16:9; 13-bit sides; 30-bit sides.
  [headerOf([1, 1], [3, 5], [1, 3]), 32, 32],
  [headerOf([1, 1], [8, 5], [5, 3]), 128, 72],
  [headerOf([0, 1], [1, 2], [2999, 13], [0, 3], [1, 2], [3999, 13]), 4000, 3000],
  [headerOf([0, 1], [3, 2], [99_999, 30], [1, 3]), 100_000, 100_000],
])('the size of %# is read from its header', (bytes, width, height) => {
  expect(jxlSize(bytes)).toEqual({ width, height });
});

test('an oversized or truncated JPEG XL is rejected', async () => {
  const large = headerOf([0, 1], [3, 2], [29_999, 30], [1, 3]);
  await expect(decodeJxl(large, { resources })).rejects.toThrow('30000 × 30000 pixels; at most 12.5 million');
  await expect(decodeJxl(LOSSLESS.subarray(0, 40), { resources })).rejects.toThrow('damaged or cut off');
  await expect(decodeJxl(LOSSLESS.subarray(0, 3), { resources })).rejects.toThrow('ends after 3 bytes');
});
