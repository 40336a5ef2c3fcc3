import { expect, test } from 'vitest';
import { DECODER_RESOURCES } from '../../../../tests/support/decoder_resources.ts';
import { writeBmp } from '../../../../tests/support/write_bmp.ts';
import { writePsd } from '../../../../tests/support/write_psd.ts';
import { preparePicture } from '../intake/prepare_picture.ts';
import { refuseCutOff, refuseForeignCutOff } from './cut_off.ts';
import { sharp } from './sharp.ts';

const noise = Uint8Array.from({ length: 90 * 60 * 3 }, (_, at) => (at * 7919) % 251);
const picture = () => sharp(noise, { raw: { width: 90, height: 60, channels: 3 } });
const thumbnail = await picture().resize(8).jpeg().toBuffer();

/** Variants of each format, and the number of bytes each may lose at its end without losing content. */
const FORMATS = [
  ['jpeg', 'baseline', picture().jpeg(), 4],
  ['jpeg', 'progressive', picture().jpeg({ progressive: true }), 4],
  [
    'jpeg',
    'with metadata',
    picture()
      .withExif({ IFD0: { Copyright: 'A' } })
      .jpeg(),
    4,
  ],
  ['png', 'plain', picture().png(), 12],
  ['png', 'interlaced', picture().png({ progressive: true }), 12],
  ['webp', 'lossy', picture().webp(), 1],
  ['webp', 'lossless', picture().webp({ lossless: true }), 1],
  ['gif', 'one frame', picture().gif(), 1],
  ['tiff', 'strips', picture().tiff({ compression: 'none' }), undefined],
  ['tiff', 'tiles', picture().tiff({ tile: true, tileWidth: 16, tileHeight: 16 }), undefined],
  ['tiff', 'big', picture().tiff({ bigtiff: true, compression: 'lzw' }), undefined],
  ['avif', 'still', picture().avif({ effort: 0 }), 0],
] as const;

/** For a JPEG without its end marker, only decoding shows whether it is complete. */
async function judgeDecoded(format: (typeof FORMATS)[number][0], bytes: Uint8Array): Promise<string> {
  const judged = judge(format, bytes);
  if (judged !== 'whole') return judged;
  return preparePicture(bytes, DECODER_RESOURCES).then(
    () => 'whole',
    (error: Error) => error.message,
  );
}

const judge = (format: (typeof FORMATS)[number][0], bytes: Uint8Array): string => {
  try {
    refuseCutOff(format, bytes);
    return 'whole';
  } catch (error) {
    return (error as Error).message;
  }
};

test.each(FORMATS)('a %s (%s) is complete, also with trailing data', async (format, _kind, encoder) => {
  const bytes = await encoder.toBuffer();
  expect(judge(format, bytes)).toBe('whole');
  expect(judge(format, Buffer.concat([bytes, Buffer.from('more of something else')]))).toBe('whole');
});

test.each(FORMATS)(
  'a truncated %s (%s) is distinguished from a complete one',
  async (format, _kind, encoder, spare) => {
    const bytes = await encoder.toBuffer();
    // A TIFF may have other data after its pixels, which the image does not need.
    const parts = spare === undefined ? [0.3, 0.5] : [0.3, 0.5, 0.9];
    const ends = parts.map((part) => Math.floor(bytes.length * part));
    const lastByte = spare === undefined ? [] : [bytes.length - 1 - spare];
    for (const end of [...ends, ...lastByte])
      expect(await judgeDecoded(format, bytes.subarray(0, end))).toMatch(`it ends after ${end} bytes, `);
  },
);

test('the end marker of an embedded thumbnail does not end the image', async () => {
  const whole = await picture().jpeg().toBuffer();
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 0]), thumbnail]);
  segment.writeUInt16BE(thumbnail.length + 2, 2);
  const bytes = Buffer.concat([whole.subarray(0, 2), segment, whole.subarray(2)]);
  expect(judge('jpeg', bytes)).toBe('whole');
  expect(await judgeDecoded('jpeg', bytes.subarray(0, -40))).toMatch(
    'without the end-of-image marker of a JPEG',
  );
});

test.each(FORMATS)('a %s (%s) that lacks only its end marker is decoded', async (format, _kind, encoder) => {
  const bytes = await encoder.toBuffer();
  const mark = format === 'jpeg' ? 2 : format === 'png' ? 12 : 0;
  expect(await judgeDecoded(format, bytes.subarray(0, bytes.length - mark))).toBe('whole');
});

test('arbitrary bytes throw no unexpected error', () => {
  for (const [format, , ,] of FORMATS)
    for (let length = 0; length < 64; length += 1)
      expect(
        judge(
          format,
          Uint8Array.from({ length }, (_, at) => (at * 37 + length) & 255),
        ),
      ).toMatch(/whole|truncated|cannot be/);
});

const RAMP = Uint8Array.from({ length: 30 * 20 }, (_, at) => at % 251);
const psd = { width: 30, height: 20, mode: 3, depth: 8, planes: [RAMP, RAMP, RAMP], layers: 2 } as const;
const rows = Array.from({ length: 20 }, (_, y) =>
  Array.from({ length: 30 }, (__, x) => [x, y, 9, 255] as const),
);

test.each([
  ['bmp', '24 bits', writeBmp({ bits: 24, rows })],
  ['bmp', '4 bits', writeBmp({ bits: 4, rows: rows.map((row) => row.map(() => [1, 2, 3, 255] as const)) })],
  ['psd', 'raw', writePsd(psd)],
  ['psd', 'packed', writePsd({ ...psd, isPacked: true })],
  ['psd', 'large', writePsd({ ...psd, isPacked: true, isLarge: true })],
] as const)('a truncated %s (%s) is distinguished from a complete one', (format, _kind, bytes) => {
  expect(() => refuseForeignCutOff(format, bytes)).not.toThrow();
  for (const end of [Math.floor(bytes.length * 0.6), bytes.length - 1])
    expect(() => refuseForeignCutOff(format, bytes.subarray(0, end))).toThrow(`it ends after ${end} bytes, `);
});
