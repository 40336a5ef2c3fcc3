import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeTiff } from './tiff.ts';
import { unpackXz } from './xz.ts';

/** 16 × 16 pixels of RGB: (16 x, 16 y, x y). */
const PIXELS = Uint8Array.from({ length: 768 }, (_, at) => {
  const [x, y] = [Math.floor(at / 3) % 16, Math.floor(at / 48)];
  return [16 * x, 16 * y, x * y][at % 3]!;
});
/** Those pixels by xz, with a delta filter of three bytes as libtiff writes it. */
const DELTA_XZ =
  '/Td6WFoAAAD/EtlBAgEDAQIhARby6M1E4AL/AFVtAABoAoxbbtOfHbxWipk9zhqwk+BWgorMN0f5Vm6D2PHytuhPdgn+Cb0OUf5Fl9Rl8vs2BtEfP0rSqnfSgqpNOrdb1MlyvAF/EKmHrvNWE65GiD2fpAAAAAAAAAFpgAYAAAABZSN4qAAK/AIAAAAAAFla';
/** Forty lines of text by xz, with literals, matches and repeated distances. */
const TEXT_XZ =
  '/Td6WFoAAAD/EtlBAgAhARYAAAB0L+Wj4AVJAOddABgICud6GZsPUTMdBc/ztSDE+DswTUSLraN5HQFS88KTAdRoVvgznq3b2BZkIZ1kpDaOu5gsTC3xrza30noRBARjK36FjCz8MmqwfGEBLU0SbbVeSVZSHxVGJR/0yQ+C4jEBt46Stx3vR2Sh8xXu+ZuJw9YUPqhZBQCeR7zWzsBZ/lRgzH28vF6IptgaLDqibdXhR1NDCx+0KsbwV9TBlOm4Kmx18fyYN9rO90vf25pqa3Q9CBiPBlXO/ivGpWjmckK0bArj0CjaSD+gYHgzNjGStBa06flqTDWsRshzh3ALeJqoVAn08AAAAAH7AcoKAAADnweVqAAK/AIAAAAAAFla';
const TEXT = Array.from(
  { length: 40 },
  (_, i) => `${i * i} squares are ${i % 7} times ${i % 3} of them\n`,
).join('');

interface Parts {
  readonly compression: number;
  readonly photometric?: number;
  readonly predictor?: number;
  readonly rowsPerStrip?: number;
  readonly isBigEndian?: boolean;
  readonly strips: readonly Uint8Array[];
}

/** A TIFF of 16 × 16 pixels in three samples of 8 bits, its strips as given. */
function tiffOf({ compression, photometric = 2, predictor = 1, rowsPerStrip = 16, ...rest }: Parts): Buffer {
  const { strips, isBigEndian = false } = rest;
  const number = (value: number, size: 2 | 4) => {
    const bytes = Buffer.alloc(size);
    if (isBigEndian) bytes.writeUIntBE(value, 0, size);
    else bytes.writeUIntLE(value, 0, size);
    return bytes;
  };
  const short = (...values: number[]) => ({ type: 3, size: 2 as const, values });
  const long = (...values: number[]) => ({ type: 4, size: 4 as const, values });
  let end = 8;
  const pieces: Uint8Array[] = [];
  const append = (bytes: Uint8Array) => {
    pieces.push(bytes);
    end += bytes.length;
    return end - bytes.length;
  };
  const entries = {
    256: long(16),
    257: long(16),
    258: short(8, 8, 8),
    259: short(compression),
    262: short(photometric),
    273: long(...strips.map(append)),
    277: short(3),
    278: long(rowsPerStrip),
    279: long(...strips.map(({ length }) => length)),
    317: short(predictor),
  };
  const rows = Object.entries(entries).map(([tag, { type, size, values }]) => {
    const data = Buffer.concat(values.map((value) => number(value, size)));
    const value =
      data.length <= 4 ? Buffer.concat([data, Buffer.alloc(4 - data.length)]) : number(append(data), 4);
    return Buffer.concat([number(Number(tag), 2), number(type, 2), number(values.length, 4), value]);
  });
  const magic = Buffer.concat([Buffer.from(isBigEndian ? 'MM' : 'II'), number(42, 2), number(end, 4)]);
  return Buffer.concat([magic, ...pieces, number(rows.length, 2), ...rows, number(0, 4)]);
}

const zstd = (bytes: Uint8Array) => zstdCompressSync(bytes);

test.each([false, true])('a TIFF in Zstandard is read, big-endian: %s', async (isBigEndian) => {
  const strips = [zstd(PIXELS.subarray(0, 480)), zstd(PIXELS.subarray(480))];
  const picture = await decodeTiff(tiffOf({ compression: 50_000, rowsPerStrip: 10, strips, isBigEndian }));
  expect(picture).toMatchObject({ width: 16, height: 16, channels: 3, pages: undefined });
  expect([...picture.data]).toEqual([...PIXELS]);
});

test('a predictor is undone', async () => {
  const differences = PIXELS.map((sample, at) => (at % 48 < 3 ? sample : sample - PIXELS[at - 3]!));
  const bytes = tiffOf({ compression: 50_000, predictor: 2, strips: [zstd(differences)] });
  expect([...(await decodeTiff(bytes)).data]).toEqual([...PIXELS]);
});

test('a TIFF in LZMA is read', async () => {
  const strips = [Buffer.from(DELTA_XZ, 'base64')];
  expect([...(await decodeTiff(tiffOf({ compression: 34_925, strips }))).data]).toEqual([...PIXELS]);
});

test('an xz stream of literals, matches and repeated distances is unpacked', () => {
  const packed = Buffer.from(TEXT_XZ, 'base64');
  expect(Buffer.from(unpackXz(packed, TEXT.length)).toString()).toBe(TEXT);
  expect(() => unpackXz(packed, TEXT.length - 1)).toThrow('in LZMA is damaged');
});

test.each([
  ['CIELab', 8, [137, 0, 0]],
  ['ICCLab', 9, [137, 128, 128]],
] as const)('mid grey in %s is grey', async (_, photometric, lab) => {
  const strips = [Uint8Array.from({ length: 768 }, (_, at) => lab[at % 3]!)];
  const { data } = await decodeTiff(tiffOf({ compression: 1, photometric, strips }));
  // L of 53.7 is 128 in sRGB.
  for (const sample of data.slice(0, 3)) expect(Math.abs(sample - 128)).toBeLessThanOrEqual(1);
});

test('a strip that unpacks to more than its rows, or not at all, is refused', async () => {
  const bomb = tiffOf({ compression: 50_000, strips: [zstd(new Uint8Array(10_000_000))] });
  await expect(decodeTiff(bomb)).rejects.toThrow('in Zstandard is damaged');
  const junk = tiffOf({ compression: 34_925, strips: [Buffer.alloc(100)] });
  await expect(decodeTiff(junk)).rejects.toThrow('in LZMA is damaged');
});

test('another compression is named, with what to send instead', async () => {
  await expect(decodeTiff(tiffOf({ compression: 34_712, strips: [PIXELS] }))).rejects.toMatchObject({
    code: 'unsupported_image',
    message: expect.stringContaining('compression 34712, which is not read. Save it in LZW or Deflate'),
  });
});
