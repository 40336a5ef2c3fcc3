import { readFileSync } from 'node:fs';
import type { Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { exiftool } from '../../../../../tests/support/exiftool.ts';
import { HOLDER, MARKS, markedPicture } from '../../../../../tests/support/marked_picture.ts';
import { needs } from '../../../../../tests/support/test_requirements.ts';
import { sharp } from '../../codecs/sharp.ts';
import { EngineError } from '../../errors/engine_error.ts';
import { pngChunk } from '../../pixels/png_chunks.ts';
import { resizeImage } from '../../resize/resize_image.ts';
import { readMetadata } from '../read_metadata.ts';
import { type CarryWish, newAccount } from './carried.ts';
import { carriedExif, encodeExif } from './carried_exif.ts';
import { carryMetadata } from './carry_metadata.ts';
import { appendGainMap } from './gain_map.ts';

const ALL: CarryWish = { keep: 'all', keepLocation: false, shows: 'whole' };
const SOURCES = ['jpeg', 'png', 'webp', 'tiff', 'avif'] as const;
const RESULTS = ['jpeg', 'png', 'webp'] as const;

async function carried(
  from: Uint8Array,
  format: (typeof RESULTS)[number] = 'jpeg',
  wish: Partial<CarryWish> = {},
) {
  const result = await resizeImage({
    bytes: from,
    width: 48,
    height: 48,
    mode: 'contain',
    format,
    quality: 90,
  });
  return { result, ...(await carryMetadata({ file: from, picture: from }, result, { ...ALL, ...wish })) };
}
const saidIn = async (bytes: Uint8Array) => {
  const { xmp, exif } = await sharp(bytes).metadata();
  return { xmp: xmp?.toString() ?? '', exif: exif?.toString('latin1') ?? '' };
};
const whatOf = (list: readonly { what: string }[]) => list.map(({ what }) => what);

const PAIRS = SOURCES.flatMap((source) => RESULTS.map((result) => [source, result] as const));

test.each(PAIRS)(
  'from %s to %s, rights and camera metadata is copied and readable by libvips',
  async (source, result) => {
    const { bytes, metadata } = await carried(await markedPicture(source), result);
    const said = await saidIn(bytes);
    expect(MARKS.filter((mark) => !said.xmp.includes(mark))).toEqual([]);
    expect(said.exif.includes(HOLDER)).toBe(source !== 'tiff');
    expect(metadata.kept).toEqual(['xmp', 'exif']);
  },
);

test.each(PAIRS.filter(([source]) => source !== 'tiff'))(
  'from %s to %s, ExifTool reads the same metadata without warnings',
  needs('ExifTool'),
  async (source, result) => {
    const { bytes } = await carried(await markedPicture(source), result);
    const { 'ExifTool:Warning': warning, ...read } = exiftool(bytes);
    expect(warning).toBeUndefined();
    expect(read).toMatchObject({
      'IFD0:Artist': HOLDER,
      'IFD0:Make': 'Camera',
      'ExifIFD:ExposureTime': '1/125',
      'XMP-iptcExt:AISystemUsed': 'Painter 9',
      'XMP-photoshop:City': 'Wien',
    });
  },
);

test.each(RESULTS)('location metadata is removed from a %s unless requested', async (format) => {
  const from = await markedPicture('jpeg');
  const without = await carried(from, format);
  const withIt = await carried(from, format, { keepLocation: true });
  const degrees = Buffer.from('3000000001', 'hex');
  expect(whatOf(without.metadata.dropped)).toEqual(['xmp.location', 'exif.location']);
  expect([without, withIt].map(({ bytes }) => Buffer.from(bytes).includes('GPSLatitude'))).toEqual([
    false,
    true,
  ]);
  expect((await saidIn(without.bytes)).exif.includes(degrees.toString('latin1'))).toBe(false);
});

test('a rotated image is turned upright and its Exif orientation is reset', async () => {
  const { bytes, metadata } = await carried(await markedPicture('jpeg'));
  const { width, height, orientation } = await sharp(bytes).metadata();
  expect({ width, height, orientation }).toEqual({ width: 32, height: 48, orientation: 1 });
  expect(metadata.changed).toContainEqual({ what: 'exif.orientation', how: 'applied to the pixels' });
});

test('a colour conversion is reported', async () => {
  const { metadata } = await carried(await markedPicture('jpeg'));
  expect(metadata.changed).toContainEqual({ what: 'icc', how: 'colours were converted from sP3C to sRGB' });
});

test.each([
  ['its size', 0, 130],
  ['how many tags it has', 128, 0xffffffff],
  ['where a tag is', 136, 0x7fffffff],
  ['how long a tag is', 140, 0xfffffff0],
])('a profile with a wrong %s is reported, and other metadata is copied', async (_what, at, value) => {
  const from = Buffer.from(await markedPicture('jpeg'));
  // The signature of a profile is at byte 36.
  from.writeUInt32BE(value, from.indexOf('acsp') - 36 + at);
  const { bytes, metadata } = await carried(from);
  const { how } = metadata.changed.find(({ what }) => what === 'icc')!;
  expect(how).toMatch(/the profile is damaged/);
  const { xmp } = await saidIn(bytes);
  expect(MARKS.filter((mark) => !xmp.includes(mark))).toEqual([]);
});

test('"rights" keeps owner and licence metadata and drops the rest', async () => {
  const { bytes, metadata } = await carried(await markedPicture('jpeg'), 'png', { keep: 'rights' });
  const { xmp, exif } = await saidIn(bytes);
  expect(MARKS.filter((mark) => !xmp.includes(mark))).toEqual([]);
  expect([xmp.includes('kept as well'), exif.includes('Camera'), exif.includes(HOLDER)]).toEqual([
    false,
    false,
    true,
  ]);
  expect(whatOf(metadata.dropped)).toEqual(['xmp.location', 'xmp', 'exif.location', 'exif']);
});

test('"none" returns the result unchanged and reports dropped metadata', async () => {
  const { bytes, metadata, result } = await carried(await markedPicture('jpeg'), 'jpeg', { keep: 'none' });
  expect(bytes).toBe(result.bytes);
  expect(whatOf(metadata.dropped)).toEqual(['xmp', 'exif']);
});

test('an image without metadata leaves the result unchanged', async () => {
  const plain = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#806040' } })
    .png()
    .toBuffer();
  const { bytes, metadata, result } = await carried(plain);
  expect(bytes).toBe(result.bytes);
  expect(metadata).toEqual({ kept: [], changed: [], dropped: [] });
});

test('model-generated pixels are declared unless the image has its own source type', async () => {
  const plain = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#806040' } })
    .png()
    .toBuffer();
  const [silent, outspoken] = [plain, await markedPicture('png')];
  const wish = { sourceType: 'algorithmicallyEnhanced' };
  expect((await saidIn((await carried(silent, 'png', wish)).bytes)).xmp).toContain('algorithmicallyEnhanced');
  expect((await saidIn((await carried(outspoken, 'png', wish)).bytes)).xmp).not.toContain(
    'algorithmicallyEnhanced',
  );
});

test('a non-AI source type is replaced when AI generates pixels, and an AI source type is kept', async () => {
  const plain = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#806040' } })
    .png()
    .toBuffer();
  const composite = { sourceType: 'compositeWithTrainedAlgorithmicMedia' };
  const photograph = (await carried(plain, 'png', { sourceType: 'digitalCapture' })).bytes;
  const { xmp } = await saidIn((await carried(photograph, 'png', composite)).bytes);
  expect(xmp).toContain('compositeWithTrainedAlgorithmicMedia');
  expect(xmp).not.toContain('digitalCapture');
  const made = await carried(await markedPicture('png'), 'png', composite);
  expect((await saidIn(made.bytes)).xmp).not.toContain('compositeWithTrainedAlgorithmicMedia');
});

/** The PNG with a text chunk after its header. */
const withText = (png: Buffer, keyword: string, text: string): Buffer =>
  Buffer.concat([
    png.subarray(0, 33),
    pngChunk('tEXt', Buffer.from(`${keyword}\0${text}`, 'latin1')),
    png.subarray(33),
  ]);

test('a generator prompt is kept as PNG text or as XMP in other formats', async () => {
  const plain = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#806040' } })
    .png()
    .toBuffer();
  const from = withText(plain, 'parameters', 'a fox, steps 20');
  const [png, webp] = [await carried(from, 'png'), await carried(from, 'webp')];
  expect((await sharp(png.bytes).metadata()).comments).toContainEqual({
    keyword: 'parameters',
    text: 'a fox, steps 20',
  });
  expect((await saidIn(webp.bytes)).xmp).toContain('a fox, steps 20');
  expect([png.metadata.kept, whatOf(webp.metadata.changed)]).toEqual([['png_text'], ['png_text']]);
});

// The types of sharp do not know `withGainMap` yet.
/** UltraHDR by libuhdr: brighter to the right than a screen of today can show. */
async function hdrPicture(): Promise<Buffer> {
  const [width, height] = [96, 64];
  const light = new Float32Array(width * height * 3).map(
    (_, at) => ((Math.floor(at / 3) % width) / width) * 4,
  );
  const picture = sharp(Buffer.from(light.buffer), {
    raw: { width, height, channels: 3, depth: 'float' } as never,
  })
    .pipelineColourspace('scrgb')
    .toColourspace('scrgb');
  return (picture as unknown as { withGainMap(): Sharp }).withGainMap().jpeg({ quality: 90 }).toBuffer();
}

// What libuhdr reads is blocked in the service; here it judges.
sharp.unblock({ operation: ['VipsForeignLoadUhdrBuffer'] });

test('a gain map is copied byte for byte into a JPEG and readable by libuhdr', async () => {
  const from = await hdrPicture();
  const { bytes, metadata } = await carried(from);
  const [before, after] = [await sharp(from).metadata(), await sharp(bytes).metadata()];
  expect(metadata.kept).toContain('gain_map');
  expect(Buffer.compare(after.gainMap!.image, before.gainMap!.image)).toBe(0);
});

test('a gain map is cropped with its image', async () => {
  const from = await hdrPicture();
  const result = await resizeImage({
    bytes: from,
    width: 30,
    height: 40,
    mode: 'cover',
    format: 'jpeg',
    quality: 90,
  });
  const { bytes, metadata } = await carryMetadata({ file: from, picture: from }, result, {
    ...ALL,
    shows: 'centre',
  });
  const { gainMap } = await sharp(bytes).metadata();
  expect(await sharp(gainMap!.image).metadata()).toMatchObject({ width: 24, height: 32, channels: 1 });
  expect(whatOf(metadata.changed)).toContain('gain_map');
});

test('a gain map is dropped if the image was edited', async () => {
  const { bytes, metadata } = await carried(await hdrPicture(), 'jpeg', { shows: 'edited' });
  expect((await sharp(bytes).metadata()).gainMap).toBeUndefined();
  expect(whatOf(metadata.dropped)).toContain('gain_map');
});

test('a gain map unsupported by the format is reported', async () => {
  const { metadata } = await carried(await hdrPicture(), 'webp');
  expect(metadata.dropped).toContainEqual({
    what: 'gain_map',
    why: 'only JPEG supports it, and this is webp',
  });
});

test('a gain map larger than its image is not decoded and is reported', async () => {
  const small = await sharp(Buffer.alloc(30 * 20 * 3), { raw: { width: 30, height: 20, channels: 3 } })
    .jpeg()
    .toBuffer();
  const { image } = (await sharp(await hdrPicture()).metadata()).gainMap!;
  const from = appendGainMap(small, { bytes: image, versionSegments: [] });
  const { metadata } = await carried(from);
  expect(metadata.dropped.find(({ what }) => what === 'gain_map')?.why).toMatch(/larger than its image/);
});

test('a multi-picture index with invalid sizes is ignored', async () => {
  const from = await hdrPicture();
  const at = from.indexOf('MPF\0') + 4 + 50 + 16 + 4;
  from.writeUInt32BE(0xfffffff0, at);
  expect((await carried(from)).metadata.kept).not.toContain('gain_map');
});

test('a C2PA manifest is removed and its hash is kept', async () => {
  const from = readFileSync(new URL('../../../../../tests/fixtures/c2pa/signed.jpg', import.meta.url));
  const { bytes, metadata } = await carried(from);
  const [, sha256] = /sha256 ([0-9a-f]{64})/.exec(metadata.dropped.find(({ what }) => what === 'c2pa')!.why)!;
  expect((await saidIn(bytes)).xmp).toContain(sha256);
});

test.each([true, false])('a maker note keeps its offset (little endian: %s)', (little) => {
  const note = { tag: 0x927c, type: 7, count: 40, data: Buffer.alloc(40, 7) };
  const block = encodeExif({
    little,
    main: [],
    gps: [],
    interop: [],
    fixed: { value: note, offset: 300 },
    exif: Array.from({ length: 12 }, (_, at) => ({
      tag: 0x9000 + at,
      type: 7,
      count: 30,
      data: Buffer.alloc(30, at),
    })),
  });
  const account = newAccount();
  const target = { width: 1, height: 1, isSrgb: true };
  const again = carriedExif(block, { keep: 'all', keepLocation: false }, { target, account })!;
  expect(again.subarray(300, 340)).toEqual(note.data);
  expect([...account.dropped]).toEqual([]);
});

test.each([
  ['points at itself', '49492a0008000000010069870400010000000800000000000000'],
  ['has no directory', '49492a00ffffff00'],
  ['has values outside', '49492a00080000000100000102000000ffff0000ff0000000000'],
  ['is empty', ''],
])('an Exif block that %s is dropped or cleaned and reported', (_, hex) => {
  const account = newAccount();
  const target = { width: 1, height: 1, isSrgb: true };
  carriedExif(Buffer.from(hex, 'hex'), { keep: 'all', keepLocation: false }, { target, account });
  expect(account.kept.has('exif')).toBe(false);
});

test('20 MB of XMP is dropped and reported, and the rest is copied', async () => {
  const marked = await markedPicture('png');
  const long = Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), Buffer.alloc(20_000_000, 0x20)]);
  const from = Buffer.concat([marked.subarray(0, 33), pngChunk('iTXt', long), marked.subarray(33)]);
  const { bytes, metadata } = await carried(from, 'png');
  expect((await saidIn(bytes)).xmp).toContain(HOLDER);
  expect(metadata.dropped.find(({ what }) => what === 'damaged')?.why).toMatch(/more than 16777216 bytes/);
});

test('20,000 properties are copied into a JPEG in linear time', async () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `own:p${at}="${'v'.repeat(at % 60)}"`);
  const packet = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:own="urn:own" ${names.join(' ')}/></rdf:RDF></x:xmpmeta>`;
  const plain = sharp({ create: { width: 90, height: 60, channels: 3, background: '#806040' } });
  const { bytes } = await carried(await plain.withXmp(packet).png().toBuffer());
  expect(Object.keys(readMetadata(bytes).xmp).filter((name) => name.startsWith('{urn:own}'))).toHaveLength(
    20_000,
  );
});

test('any mutated input gives an image or a known error', async () => {
  const marked = await markedPicture('jpeg');
  const result = await resizeImage({
    bytes: marked,
    width: 48,
    height: 48,
    mode: 'contain',
    format: 'jpeg',
    quality: 90,
  });
  let at = 0;
  for (let round = 0; round < 300; round += 1) {
    const from = Buffer.from(marked);
    // A prime step, so that every part of the header is mutated.
    at = (at + 7919) % 3000;
    from[at] = (from[at]! + 1 + (round % 250)) & 0xff;
    const answer = await carryMetadata({ file: from, picture: from }, result, ALL).catch(
      (error: unknown) => error,
    );
    if (answer instanceof Error) expect(answer).toBeInstanceOf(EngineError);
    else await expect(sharp((answer as { bytes: Uint8Array }).bytes).stats()).resolves.toBeDefined();
  }
});
