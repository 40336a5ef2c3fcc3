import { expect, test } from 'vitest';
import { EngineError } from '../errors/engine_error.ts';
import { readHeader } from './read_header.ts';
import { sharp } from './sharp.ts';

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#c0402080' } });
const codeOf = (bytes: Uint8Array) => {
  try {
    readHeader(bytes);
    return 'read';
  } catch (error) {
    return error instanceof EngineError ? error.code : error;
  }
};
const text = (value: string) => Buffer.from(value, 'latin1');

test.each([
  ['png', picture(31, 17).png()],
  ['png', picture(31, 17).png({ progressive: true, palette: true })],
  ['jpeg', picture(31, 17).jpeg()],
  ['jpeg', picture(31, 17).jpeg({ progressive: true })],
  ['webp', picture(31, 17).webp()],
  ['webp', picture(31, 17).flatten().webp()],
  ['webp', picture(31, 17).flatten().webp({ lossless: true })],
  ['webp', picture(31, 17).withIccProfile('p3').webp()],
  ['avif', picture(31, 17).avif({ effort: 0 })],
  ['tiff', picture(31, 17).tiff()],
  ['tiff', picture(31, 17).tiff({ bigtiff: true, compression: 'lzw' })],
  ['gif', picture(31, 17).gif()],
] as const)('the header of %s yields its format and size', async (format, encoder) => {
  expect(readHeader(await encoder.toBuffer())).toEqual({ format, width: 31, height: 17 });
});

test.each([
  ['an SVG drawing', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a BMP picture', 'BM\x46\0\0\0'],
  ['a HEIC picture', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
  ['a JPEG XL picture', '\xff\x0a\xfa\x1f'],
  ['a PDF document', '%PDF-1.7'],
  ['an HTML page', '<!DOCTYPE html><title>404</title>'],
  ['text', 'this is not a picture'],
  ['bytes of no picture format known here', '\0\x01\x02\x03\x04'],
])('%s is named and rejected', (name, start) => {
  expect(() => readHeader(text(start))).toThrow(`This is ${name}. Send a PNG, JPEG`);
  expect(codeOf(text(start))).toBe('unsupported_image');
});

/** A valid JPEG of one block whose coefficients come bit by bit, each in its own scan. */
function jpegOfScans(scans: number): Buffer {
  const segment = (marker: number, ...body: number[]) =>
    Buffer.from([0xff, marker, 0, body.length + 2, ...body]);
  const shortest = [1, ...Array<number>(15).fill(0)];
  const refined = Array.from({ length: scans - 1 }, (_, at) =>
    Buffer.concat([
      segment(0xda, 1, 1, 0, 1 + Math.floor(at / 14), 1 + Math.floor(at / 14), 0xd),
      Buffer.of(0x7f),
    ]),
  );
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    segment(0xdb, 0, ...Array<number>(64).fill(16)),
    segment(0xc2, 8, 0, 8, 0, 8, 1, 1, 0x11, 0),
    segment(0xc4, 0x00, ...shortest, 0),
    segment(0xc4, 0x10, ...shortest, 0),
    segment(0xda, 1, 1, 0, 0, 0, 0),
    Buffer.of(0x7f),
    ...refined,
    Buffer.of(0xff, 0xd9),
  ]);
}

test('a JPEG with more than 50 scans is rejected, as each scan decodes all pixels', () => {
  expect([codeOf(jpegOfScans(50)), codeOf(jpegOfScans(51))]).toEqual(['read', 'undecodable_image']);
  expect(() => readHeader(jpegOfScans(900))).toThrow('more than 50 scans');
});

test('the scans of a JPEG appended to another JPEG are not counted', async () => {
  const [first, second] = [await picture(31, 17).jpeg().toBuffer(), jpegOfScans(51)];
  expect(codeOf(Buffer.concat([first, second]))).toBe('read');
});

/** Overwrites the stated size, which must occur once. */
async function avifOf(width: number, height: number): Promise<Buffer> {
  const bytes = await picture(31, 17).flatten().avif({ effort: 0 }).toBuffer();
  const at = bytes.indexOf('ispe') + 8;
  bytes.writeUInt32BE(width, at);
  bytes.writeUInt32BE(height, at + 4);
  return bytes;
}

test('an AVIF has a lower pixel limit, and the error suggests another format', async () => {
  expect(codeOf(await avifOf(6000, 4000))).toBe('read');
  const large = await avifOf(6001, 4000);
  expect(codeOf(large)).toBe('image_too_large');
  expect(() => readHeader(large)).toThrow('Send it as JPEG, WebP or PNG');
});

test('every truncation of every format is read or rejected with a known error', async () => {
  const encoders = [picture(9, 9).png(), picture(9, 9).jpeg(), picture(9, 9).webp(), picture(9, 9).tiff()];
  const more = [picture(9, 9).gif(), picture(9, 9).avif({ effort: 0 })];
  const known = new Set(['read', 'unsupported_image', 'undecodable_image', 'image_too_large']);
  for (const bytes of await Promise.all([...encoders, ...more].map((encoder) => encoder.toBuffer()))) {
    const outcomes = Array.from({ length: bytes.length }, (_, end) => codeOf(bytes.subarray(0, end)));
    expect(outcomes.filter((outcome) => !known.has(outcome as string))).toEqual([]);
  }
});

test('every single-byte change of every header is read or rejected with a known error', async () => {
  const encoders = [picture(9, 9).png(), picture(9, 9).webp(), picture(9, 9).tiff(), picture(9, 9).gif()];
  const known = new Set(['read', 'unsupported_image', 'undecodable_image', 'image_too_large']);
  for (const bytes of await Promise.all(encoders.map((encoder) => encoder.toBuffer()))) {
    const outcomes = Array.from({ length: Math.min(400, bytes.length) * 3 }, (_, index) => {
      const changed = Buffer.from(bytes);
      changed[Math.floor(index / 3)] = [0, 0x7f, 0xff][index % 3]!;
      return codeOf(changed);
    });
    expect(outcomes.filter((outcome) => !known.has(outcome as string))).toEqual([]);
  }
});

test('an image above the pixel limit is rejected with its size and the limit', () => {
  const gif = Buffer.concat([text('GIF89a\xff\xff\xff\xff\0\0\0'), text(`,${'\0'.repeat(9)}`)]);
  expect(() => readHeader(gif)).toThrow('65535 × 65535 pixels. The limit is 64 million');
});

test('a PNG with a text chunk that inflates to megabytes is rejected', async () => {
  const { deflateSync } = await import('node:zlib');
  const png = await picture(4, 4).png().toBuffer();
  const data = Buffer.concat([text('note\0\0'), deflateSync(Buffer.alloc(5_000_000))]);
  const frame = Buffer.concat([Buffer.alloc(4), text('zTXt'), data, Buffer.alloc(4)]);
  frame.writeUInt32BE(data.length);
  const bomb = Buffer.concat([png.subarray(0, 33), frame, png.subarray(33)]);
  expect(() => readHeader(bomb)).toThrow('inflates to more than 4 MiB');
});

test('a TIFF with too many channels is rejected', async () => {
  const tiff = await picture(4, 4).tiff({ compression: 'none' }).toBuffer();
  const littleEndian = tiff[0] === 0x49;
  const channels = littleEndian ? tiff.indexOf(Buffer.from([0x15, 1, 3, 0])) : -1;
  tiff.writeUInt16LE(60_000, channels + 8);
  expect(codeOf(tiff)).toBe('unsupported_image');
});
