import { expect, test } from 'vitest';
import { type Rgba, writeBmp } from '../../../../tests/support/write_bmp.ts';
import { sharp } from '../codecs/sharp.ts';
import { decodeIco } from './ico.ts';

const RED: Rgba = [255, 0, 0, 255];
const BLUE: Rgba = [0, 0, 255, 255];
const CLEAR: Rgba = [0, 255, 0, 0];
const PICTURE = [
  [RED, BLUE],
  [BLUE, RED],
];

/** An icon of raw entries. */
function writeIco(entries: readonly Uint8Array[]): Uint8Array {
  const head = Buffer.alloc(6 + 16 * entries.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(entries.length, 4);
  let end = head.length;
  for (const [index, { length }] of entries.entries()) {
    head.writeUInt32LE(length, 6 + 16 * index + 8);
    head.writeUInt32LE(end, 6 + 16 * index + 12);
    end += length;
  }
  return Buffer.concat([head, ...entries]);
}

/** A bitmap without file header and with doubled height, and a mask with rows of 32 bits. */
function entryOf(bmp: Uint8Array, mask: readonly number[]): Uint8Array {
  const dib = Buffer.from(bmp.subarray(14));
  dib.writeInt32LE(2 * dib.readInt32LE(8), 8);
  return Buffer.concat([dib, ...mask.map((bits) => Buffer.of(bits, 0, 0, 0))]);
}

const png = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 4, background: '#00f8' } })
    .png()
    .toBuffer();

test('the icon mask makes pixels transparent, bottom row first', async () => {
  const bytes = writeIco([entryOf(writeBmp({ rows: PICTURE, bits: 24 }), [0x80, 0x40])]);
  const icon = await decodeIco(bytes);
  expect(icon).toMatchObject({ width: 2, height: 2, channels: 4, pages: undefined });
  expect([...icon.data]).toEqual([...RED, 0, 0, 255, 0, 0, 0, 255, 0, ...RED]);
});

test.each([1, 4, 8] as const)('an icon with %i bits per pixel is decoded', async (bits) => {
  const bytes = writeIco([entryOf(writeBmp({ rows: PICTURE, bits }), [0, 0])]);
  expect([...(await decodeIco(bytes)).data]).toEqual(PICTURE.flat(2));
});

test('in 32-bit icons the fourth byte is alpha, unless it is zero everywhere', async () => {
  const masks = [0xff0000, 0xff00, 0xff, 0xff000000] as const;
  const plain = (rows: Rgba[][]) => {
    const dib = Buffer.from(entryOf(writeBmp({ rows, bits: 32, masks }), [0x80]));
    // As in icons: no bit fields, short header.
    const short = Buffer.concat([dib.subarray(0, 40), dib.subarray(108)]);
    short.writeUInt32LE(40, 0);
    short.writeUInt32LE(0, 16);
    return writeIco([short]);
  };
  expect([...(await decodeIco(plain([[RED, CLEAR]]))).data]).toEqual([...RED, ...CLEAR]);
  const masked = await decodeIco(plain([[[255, 0, 0, 0], CLEAR]]));
  expect([...masked.data]).toEqual([255, 0, 0, 0, 0, 255, 0, 255]);
});

test('the largest image or the requested image is decoded', async () => {
  const bytes = writeIco([
    await png(16),
    await png(48),
    entryOf(writeBmp({ rows: PICTURE, bits: 24 }), [0, 0]),
  ]);
  expect(await decodeIco(bytes)).toMatchObject({ width: 48, height: 48, channels: 4, pages: 3 });
  expect(await decodeIco(bytes, { page: 1 })).toMatchObject({ width: 16, pages: 3 });
  await expect(decodeIco(bytes, { page: 4 })).rejects.toThrow('Send a number from 1 to 3');
});

test('an icon without a complete image is rejected', async () => {
  await expect(decodeIco(writeIco([]))).rejects.toThrow('no whole picture');
  await expect(decodeIco(writeIco([await png(16)]).subarray(0, 30))).rejects.toThrow('no whole picture');
});
