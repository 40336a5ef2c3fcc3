import { expect, test } from 'vitest';
import { DECODER_RESOURCES } from '../../../../tests/support/decoder_resources.ts';
import { openPicture } from '../codecs/open_picture.ts';
import { sharp } from '../codecs/sharp.ts';
import { writeTaggedTiff } from '../codecs/write_tagged_tiff.ts';
import { ADOBE_RGB } from '../color/color_coding.ts';
import { EngineError } from '../errors/engine_error.ts';
import { pngChunk, pngChunks } from '../pixels/png_chunks.ts';
import { inspectFile } from './inspect_file.ts';
import { preparePicture, repairPicture } from './prepare_picture.ts';

const scene = (width = 24, height = 16) =>
  sharp(Buffer.from(Uint8Array.from({ length: width * height * 3 }, (_, at) => (at * 31) % 256)), {
    raw: { width, height, channels: 3 },
  });
const flat = (r: number, g: number, b: number) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: { r, g, b } } });
const first = async (bytes: Uint8Array) => [
  ...(await openPicture(bytes).toColourspace('srgb').raw().toBuffer()).subarray(0, 4),
];

/** A PNG with further chunks after its header. */
function withChunks(png: Buffer, ...added: readonly Buffer[]): Buffer {
  const [header, ...others] = pngChunks(png).chunks.map(({ bytes }) => bytes);
  return Buffer.concat([png.subarray(0, 8), header!, ...added, ...others]);
}

test.each([
  ['PNG', () => scene().png()],
  ['JPEG', () => scene().jpeg()],
  ['JPEG with a profile', () => scene().withIccProfile('p3').jpeg()],
  ['WebP', () => scene().webp()],
  ['TIFF', () => scene().tiff({ compression: 'lzw' })],
  ['AVIF', () => scene().avif({ effort: 0 })],
  ['GIF', () => scene().gif()],
])('an ordinary %s is returned byte for byte', async (_, encoder) => {
  const bytes = await encoder().toBuffer();
  const prepared = await preparePicture(bytes, DECODER_RESOURCES);
  expect(prepared.bytes).toBe(bytes);
  expect(prepared.notes).toEqual({ lookedAt: undefined, warnings: [], lost: [] });
});

test('a PNG whose gAMA and cHRM describe sRGB is not converted', async () => {
  const gama = Buffer.alloc(4);
  gama.writeUInt32BE(45_455);
  const png = withChunks(await scene().png().toBuffer(), pngChunk('gAMA', gama));
  expect((await preparePicture(png, DECODER_RESOURCES)).bytes).toBe(png);
});

test('cICP takes precedence over gAMA', async () => {
  const gama = Buffer.alloc(4);
  gama.writeUInt32BE(100_000);
  const cicp = Buffer.of(12, 13, 0, 1);
  const png = withChunks(
    await flat(200, 100, 50).png().toBuffer(),
    pngChunk('gAMA', gama),
    pngChunk('cICP', cicp),
  );
  const { bytes, notes } = await preparePicture(png, DECODER_RESOURCES);
  expect((await first(bytes)).slice(0, 3)).toEqual([215, 93, 31]);
  expect(notes.warnings[0]).toContain('Display P3, as cICP says');
});

test('a greyscale PNG in linear light is converted', async () => {
  const gama = Buffer.alloc(4);
  gama.writeUInt32BE(100_000);
  const grey = await flat(55, 55, 55).toColourspace('b-w').png().toBuffer();
  const png = withChunks(grey, pngChunk('gAMA', gama));
  const [value] = await first((await preparePicture(png, DECODER_RESOURCES)).bytes);
  expect(Math.abs(value! - 128)).toBeLessThan(3);
});

test('an ancillary chunk with a wrong checksum is dropped', async () => {
  const text = pngChunk('tEXt', Buffer.from('Title\0x'));
  text[text.length - 1] = text.at(-1)! ^ 1;
  const { bytes, notes } = await preparePicture(
    withChunks(await scene().png().toBuffer(), text),
    DECODER_RESOURCES,
  );
  expect(await first(bytes)).toHaveLength(4);
  expect(notes.warnings[0]).toContain('the checksum of tEXt is wrong');
});

/** Exif of a camera set to Adobe RGB: no profile, ColorSpace uncalibrated, interoperability R03. */
const adobeExif = {
  IFD0: { Software: 'a camera' },
  IFD2: { ColorSpace: '65535' },
  IFD4: { InteroperabilityIndex: 'R03' },
};

test('Adobe RGB declared in Exif is honoured', async () => {
  const jpeg = await flat(100, 200, 100)
    .withExif(adobeExif)
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
  const { bytes, notes } = await preparePicture(jpeg, DECODER_RESOURCES);
  expect(notes.warnings[0]).toContain(ADOBE_RGB.name);
  // Saturated Adobe RGB green lies outside sRGB.
  const [red, green] = await first(bytes);
  expect(red).toBeLessThan(60);
  expect(green).toBeGreaterThan(195);
});

test.each([
  ['premultiplied alpha', 1, [200, 100, 50, 128]],
  ['straight alpha', 2, [100, 50, 25, 128]],
])('a TIFF with %s', async (_, kind, expected) => {
  const data = Uint8Array.from({ length: 8 * 8 * 4 }, (_, at) => [100, 50, 25, 128][at % 4]!);
  const tiff = writeTaggedTiff({ width: 8, height: 8, model: 'rgb', hasAlpha: true, data });
  // The tag ExtraSamples, one SHORT.
  tiff.writeUInt16LE(kind, tiff.indexOf(Buffer.from('5201030001000000', 'hex')) + 8);
  const found = await first((await preparePicture(tiff, DECODER_RESOURCES)).bytes);
  for (const [channel, value] of expected.entries())
    expect(Math.abs(found[channel]! - value)).toBeLessThan(3);
});

test('an unspecified extra channel is not treated as alpha', async () => {
  const data = Uint8Array.from({ length: 8 * 8 * 4 }, (_, at) => [200, 100, 50, 0][at % 4]!);
  const tiff = writeTaggedTiff({ width: 8, height: 8, model: 'rgb', hasAlpha: true, data });
  tiff.writeUInt16LE(0, tiff.indexOf(Buffer.from('5201030001000000', 'hex')) + 8);
  const { bytes, notes } = await preparePicture(tiff, DECODER_RESOURCES);
  expect((await sharp(bytes).metadata()).hasAlpha).toBe(false);
  expect((await first(bytes)).slice(0, 3)).toEqual([200, 100, 50]);
  expect(notes.warnings[0]).toMatch(/^A channel in addition to the colours/);
});

test.each([
  ['a length that is too large', 40],
  ['a length that is too small', -4],
])('a WebP with %s is decoded', async (_, more) => {
  const webp = await scene().webp().toBuffer();
  webp.writeUInt32LE(webp.readUInt32LE(4) + more, 4);
  const { bytes, notes } = await preparePicture(webp, DECODER_RESOURCES);
  expect(await first(bytes)).toHaveLength(4);
  expect(notes.warnings[0]).toContain('the length in its header is wrong');
});

test('converted samples keep 16-bit depth', async () => {
  const data = Uint16Array.from({ length: 8 * 8 * 4 }, (_, at) => [30_000, 20_000, 10_000, 32_768][at % 4]!);
  const tiff = writeTaggedTiff({ width: 8, height: 8, model: 'rgb', hasAlpha: true, data });
  tiff.writeUInt16LE(0, tiff.indexOf(Buffer.from('5201030001000000', 'hex')) + 8);
  expect((await sharp((await preparePicture(tiff, DECODER_RESOURCES)).bytes).metadata()).depth).toBe(
    'ushort',
  );
});

test('extra bytes before the end of a JPEG are skipped and reported', async () => {
  const jpeg = await scene().jpeg({ progressive: true }).toBuffer();
  const padded = Buffer.concat([jpeg.subarray(0, -2), Buffer.from('some padding'), jpeg.subarray(-2)]);
  const repaired = await repairPicture(padded);
  expect(await first(repaired!.bytes)).toHaveLength(4);
  expect(repaired!.notes.warnings[0]).toContain('extraneous bytes');
});

test('damaged pixel data is not repaired', async () => {
  const jpeg = await scene(200, 200).jpeg().toBuffer();
  const spoilt = Buffer.from(jpeg);
  spoilt.fill(0xff, 700, 760);
  expect(await repairPicture(spoilt)).toBeUndefined();
});

test('any mutated file is read or rejected with a known error', async () => {
  const encoders = [
    scene().png(),
    scene().jpeg(),
    scene().webp(),
    scene().tiff(),
    scene().gif(),
    scene().avif({ effort: 0 }),
  ];
  const files = await Promise.all(encoders.map((encoder) => encoder.toBuffer()));
  let seed = 7;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed % below;
  };
  const wrong: unknown[] = [];
  for (let round = 0; round < 3000; round += 1) {
    const changed = Buffer.from(files[round % files.length]!);
    const header = Math.min(changed.length, 600);
    for (let change = 0; change <= random(6); change += 1) changed[random(header)] = random(256);
    try {
      inspectFile({ bytes: changed });
    } catch (error) {
      if (!(error instanceof EngineError)) wrong.push(error);
    }
  }
  expect(wrong).toEqual([]);
});
