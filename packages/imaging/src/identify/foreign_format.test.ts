import { expect, test } from 'vitest';
import { DECODER_RESOURCES } from '../../../../tests/support/decoder_resources.ts';
import { openPicture } from '../codecs/open_picture.ts';
import { EngineError } from '../errors/engine_error.ts';
import { preparePicture } from '../intake/prepare_picture.ts';
import { foreignFormatOf, identifyForeign } from './foreign_format.ts';

const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="1in" height="40"><rect width="96" height="40" fill="#c84"/></svg>',
);

/** 24-bit greys, bottom-up rows. */
function bmp(width: number, height: number): Buffer {
  const row = Math.ceil((3 * width) / 4) * 4;
  const file = Buffer.alloc(54 + row * height, 0x80);
  file.fill(0, 0, 54);
  file.write('BM');
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  return file;
}

test.each([
  ['svg', SVG, 96, 40],
  ['svg', Buffer.from('<svg viewBox="0 0 30 20"/>'), 30, 20],
  ['bmp', bmp(5, 3), 5, 3],
  ['pdf', Buffer.from('%PDF-1.7\n<</Type/Page/MediaBox [0 0 72 144] /UserUnit 2>>'), 300, 600],
  ['psd', Buffer.from('38425053000100000000000000030000001e000000280008000300000000', 'hex'), 40, 30],
  [
    'ico',
    Buffer.from('00000100020010100000000000000000000000000000200000000000000000000000000000000000', 'hex'),
    32,
    256,
  ],
  ['jxl', Buffer.from('ff0a7a1f', 'hex'), 256, 256],
] as const)('the size of %s is identified', (format, bytes, width, height) => {
  expect(foreignFormatOf(bytes)).toBe(format);
  if (format !== 'jxl') expect(identifyForeign(format, bytes)).toMatchObject({ width, height });
});

test.each([
  ['an SVG', SVG, 96, 40],
  ['a BMP', bmp(5, 3), 5, 3],
])('%s is converted to a format every engine can decode', async (_, bytes, width, height) => {
  const prepared = await preparePicture(bytes, DECODER_RESOURCES);
  const { info } = await openPicture(prepared.bytes).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width, height });
});

test('common images and web pages are not identified as foreign formats', () => {
  for (const start of [
    '\x89PNG\r\n\x1a\n',
    '\xff\xd8\xff\xe0',
    'RIFF\0\0\0\0WEBP',
    '<html><svg></svg></html>',
    'BMW is a car',
  ])
    expect(foreignFormatOf(Buffer.from(start, 'latin1'))).toBeUndefined();
});

test('arbitrary bytes after a known signature are read or rejected with a known error', () => {
  const starts = [
    SVG,
    bmp(4, 4),
    Buffer.from('%PDF-1.4 /MediaBox [0 0 1 1]'),
    Buffer.from('8BPS'),
    Buffer.from('ff0a', 'hex'),
    Buffer.from('0000000c4a584c20', 'hex'),
    Buffer.from('0000001866747970686569630000', 'hex'),
    Buffer.from('FUJIFILMCCD-RAW'),
  ];
  const wrong: unknown[] = [];
  for (let round = 0; round < 2000; round += 1) {
    const start = starts[round % starts.length]!;
    const bytes = Buffer.concat([
      start,
      Buffer.from(Array.from({ length: round % 97 }, (_, at) => (at * 89 + round * 31) & 255)),
    ]);
    bytes[(round * 7) % bytes.length] = (round * 13) & 255;
    try {
      const format = foreignFormatOf(bytes);
      if (format) identifyForeign(format, bytes);
    } catch (error) {
      if (!(error instanceof EngineError)) wrong.push(error);
    }
  }
  expect(wrong).toEqual([]);
});

test('an SVG with nested entities is rejected, and one with plain entities is accepted', () => {
  const withEntities = (entities: string) =>
    Buffer.from(`<?xml version="1.0"?><!DOCTYPE svg [${entities}]><svg width="9" height="9"/>`);
  const nested = withEntities('<!ENTITY a "aa"><!ENTITY b "&a;&a;">');
  expect(() => identifyForeign('svg', nested)).toThrow(/refer to each other/);
  const plain = withEntities('<!ENTITY ns_svg "http://www.w3.org/2000/svg">');
  expect(identifyForeign('svg', plain)).toMatchObject({ width: 9, height: 9 });
});
