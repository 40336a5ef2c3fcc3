import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { writePackedTiff } from '../../../../tests/support/write_packed_tiff.ts';
import { decodeTiff } from './tiff.ts';
import { unpackXz } from './xz.ts';

/** 16 × 16 pixels of RGB: (16 x, 16 y, x y). */
const PIXELS = Uint8Array.from({ length: 768 }, (_, at) => {
  const [x, y] = [Math.floor(at / 3) % 16, Math.floor(at / 48)];
  return [16 * x, 16 * y, x * y][at % 3]!;
});
/** The same pixels compressed by xz, with a delta filter of three bytes as written by libtiff. */
const DELTA_XZ =
  '/Td6WFoAAAD/EtlBAgEDAQIhARby6M1E4AL/AFVtAABoAoxbbtOfHbxWipk9zhqwk+BWgorMN0f5Vm6D2PHytuhPdgn+Cb0OUf5Fl9Rl8vs2BtEfP0rSqnfSgqpNOrdb1MlyvAF/EKmHrvNWE65GiD2fpAAAAAAAAAFpgAYAAAABZSN4qAAK/AIAAAAAAFla';
/** Forty lines of text compressed by xz, with literals, matches and repeated distances. */
const TEXT_XZ =
  '/Td6WFoAAAD/EtlBAgAhARYAAAB0L+Wj4AVJAOddABgICud6GZsPUTMdBc/ztSDE+DswTUSLraN5HQFS88KTAdRoVvgznq3b2BZkIZ1kpDaOu5gsTC3xrza30noRBARjK36FjCz8MmqwfGEBLU0SbbVeSVZSHxVGJR/0yQ+C4jEBt46Stx3vR2Sh8xXu+ZuJw9YUPqhZBQCeR7zWzsBZ/lRgzH28vF6IptgaLDqibdXhR1NDCx+0KsbwV9TBlOm4Kmx18fyYN9rO90vf25pqa3Q9CBiPBlXO/ivGpWjmckK0bArj0CjaSD+gYHgzNjGStBa06flqTDWsRshzh3ALeJqoVAn08AAAAAH7AcoKAAADnweVqAAK/AIAAAAAAFla';
const TEXT = Array.from(
  { length: 40 },
  (_, i) => `${i * i} squares are ${i % 7} times ${i % 3} of them\n`,
).join('');

const zstd = (bytes: Uint8Array) => zstdCompressSync(bytes);

test.each([false, true])(
  'a TIFF compressed with Zstandard is decoded, big-endian: %s',
  async (isBigEndian) => {
    const strips = [zstd(PIXELS.subarray(0, 480)), zstd(PIXELS.subarray(480))];
    const picture = await decodeTiff(
      writePackedTiff({ compression: 50_000, rowsPerStrip: 10, strips, isBigEndian }),
    );
    expect(picture).toMatchObject({ width: 16, height: 16, channels: 3, pages: undefined });
    expect([...picture.data]).toEqual([...PIXELS]);
  },
);

test('horizontal differencing is reversed', async () => {
  const differences = PIXELS.map((sample, at) => (at % 48 < 3 ? sample : sample - PIXELS[at - 3]!));
  const bytes = writePackedTiff({ compression: 50_000, predictor: 2, strips: [zstd(differences)] });
  expect([...(await decodeTiff(bytes)).data]).toEqual([...PIXELS]);
});

test('a TIFF compressed with LZMA is decoded', async () => {
  const strips = [Buffer.from(DELTA_XZ, 'base64')];
  expect([...(await decodeTiff(writePackedTiff({ compression: 34_925, strips }))).data]).toEqual([...PIXELS]);
});

test('an xz stream with literals, matches and repeated distances is decompressed', () => {
  const packed = Buffer.from(TEXT_XZ, 'base64');
  expect(Buffer.from(unpackXz(packed, TEXT.length)).toString()).toBe(TEXT);
  expect(() => unpackXz(packed, TEXT.length - 1)).toThrow('in LZMA is damaged');
});

test.each([
  ['CIELab', 8, [137, 0, 0]],
  ['ICCLab', 9, [137, 128, 128]],
] as const)('mid grey in %s decodes to grey', async (_, photometric, lab) => {
  const strips = [Uint8Array.from({ length: 768 }, (_, at) => lab[at % 3]!)];
  const { data } = await decodeTiff(writePackedTiff({ compression: 1, photometric, strips }));
  // L of 53.7 is 128 in sRGB.
  for (const sample of data.slice(0, 3)) expect(Math.abs(sample - 128)).toBeLessThanOrEqual(1);
});

test('a strip that decompresses to too much data or fails is rejected', async () => {
  const bomb = writePackedTiff({ compression: 50_000, strips: [zstd(new Uint8Array(10_000_000))] });
  await expect(decodeTiff(bomb)).rejects.toThrow('in Zstandard is damaged');
  const junk = writePackedTiff({ compression: 34_925, strips: [Buffer.alloc(100)] });
  await expect(decodeTiff(junk)).rejects.toThrow('in LZMA is damaged');
});

test('an unsupported compression is named with a fix', async () => {
  await expect(decodeTiff(writePackedTiff({ compression: 34_712, strips: [PIXELS] }))).rejects.toMatchObject({
    code: 'unsupported_image',
    message: expect.stringContaining('compression 34712, which is not read. Save it in LZW or Deflate'),
  });
});
