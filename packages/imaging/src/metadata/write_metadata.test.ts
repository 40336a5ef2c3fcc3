import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { hostilePictures } from '../../../../tests/fixtures/hostile/hostile_pictures.ts';
import { exiftool } from '../../../../tests/support/exiftool.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { sharp } from '../codecs/sharp.ts';
import { EngineError } from '../errors/engine_error.ts';
import { pngChunks } from '../pixels/png_chunks.ts';
import { jpegSegments } from './containers/jpeg_segments.ts';
import { riffChunks } from './containers/riff_chunks.ts';
import type { MetadataFields } from './fields.ts';
import { readMetadata } from './read_metadata.ts';
import { writeMetadata } from './write_metadata.ts';
import { textProperty } from './xmp/make_property.ts';

const FIELDS: MetadataFields = {
  title: 'Fünf <Boote> & "Wellen" 🌊',
  description: 'é'.repeat(1200),
  keywords: ['wave', 'волна', 'ä'.repeat(40)],
  alt_text: 'A wave over boats',
  extended_description: 'A very long wave over three boats',
  creator: ['Ann', 'Bob'],
  copyright_holder: 'Jane Doe',
  credit: 'Workshop',
  usage_terms: 'Ask first',
  rights_url: 'https://example.org/rights',
  creation_year: '1831',
  digital_source_type: 'trainedAlgorithmicMedia',
  data_mining: 'PROHIBITED-GENAIMLTRAINING',
  data_mining_constraints: 'No training',
  ai_system: 'A system',
  ai_system_version: '3',
  ai_prompt: 'a wave',
  ai_prompt_writer: 'Ann',
};

const photo = sharp({ create: { width: 40, height: 31, channels: 4, background: '#c0402080' } });
const MADE = {
  png: await photo.clone().png().toBuffer(),
  jpeg: await photo.clone().jpeg({ progressive: true }).withIccProfile('p3').toBuffer(),
  webp: await photo.clone().webp().toBuffer(),
  'lossless webp': await photo.clone().webp({ lossless: true }).toBuffer(),
  tiff: await photo.clone().tiff({ compression: 'lzw' }).toBuffer(),
  bigtiff: await photo.clone().tiff({ bigtiff: true }).toBuffer(),
};
const each = test.each(Object.entries(MADE));

/** The encoded pixels of a file. */
function codedPixels(bytes: Buffer, format: string): Buffer {
  if (format === 'png') return joinBytes(pngChunks(bytes).chunks.filter(({ type }) => type === 'IDAT'));
  if (format.endsWith('webp'))
    return joinBytes(riffChunks(bytes).chunks.filter(({ type }) => /^(VP8[ L]|ALPH)$/.test(type)));
  return bytes.subarray(jpegSegments(bytes).rest);
}
const joinBytes = (parts: readonly { bytes: Buffer }[]) => Buffer.concat(parts.map(({ bytes }) => bytes));

each('%s: every field is read back, and the encoded pixels are unchanged', async (format, bytes) => {
  const written = writeMetadata(bytes, FIELDS);
  const read = readMetadata(written.bytes);
  expect(read.fields).toEqual({ ...FIELDS, copyright_notice: 'Jane Doe' });
  expect([written.notes, read.problems]).toEqual([[], []]);
  expect(await sharp(written.bytes).raw().toBuffer()).toEqual(await sharp(bytes).raw().toBuffer());
  if (format.endsWith('tiff')) expect(written.bytes.subarray(16, bytes.length)).toEqual(bytes.subarray(16));
  else expect(codedPixels(Buffer.from(written.bytes), format)).toEqual(codedPixels(bytes, format));
});

each('%s: text truncated for IPTC-IIM is complete in XMP and reported', (format, bytes) => {
  const { blocks, shortened } = writeMetadata(bytes, FIELDS);
  const hasIim = ['jpeg', 'tiff', 'bigtiff'].includes(format);
  expect(blocks).toEqual(hasIim ? ['xmp', 'iptc_iim', 'exif'] : ['xmp', 'exif']);
  expect(shortened).toEqual(hasIim ? ['description', 'keywords'] : []);
});

each('%s: ExifTool reads every field', needs('ExifTool'), (format, bytes) => {
  const read = exiftool(writeMetadata(bytes, FIELDS).bytes);
  expect(read).toMatchObject({
    'XMP-dc:Title': FIELDS.title,
    'XMP-dc:Description': FIELDS.description,
    'XMP-dc:Subject': FIELDS.keywords,
    'XMP-dc:Creator': FIELDS.creator,
    'XMP-dc:Rights': 'Jane Doe',
    'XMP-iptcCore:AltTextAccessibility': FIELDS.alt_text,
    'XMP-iptcCore:ExtDescrAccessibility': FIELDS.extended_description,
    'XMP-plus:CopyrightOwner': [{ CopyrightOwnerName: 'Jane Doe' }],
    'XMP-plus:OtherConstraints': 'No training',
    'XMP-photoshop:Credit': 'Workshop',
    'XMP-photoshop:DateCreated': 1831,
    'XMP-xmpRights:UsageTerms': 'Ask first',
    'XMP-xmpRights:WebStatement': 'https://example.org/rights',
    'XMP-xmpRights:Marked': true,
    'XMP-iptcExt:DigitalSourceType': 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
    'XMP-iptcExt:AISystemUsed': 'A system',
    'XMP-iptcExt:AIPromptInformation': 'a wave',
    'IFD0:ImageDescription': FIELDS.description,
    'IFD0:Artist': 'Ann; Bob',
    'IFD0:Copyright': 'Jane Doe',
  });
  // Newer versions of ExifTool convert the term to words.
  expect(read['XMP-plus:DataMining']).toMatch(/DMI-PROHIBITED-GENAIMLTRAINING|Prohibited for Generative AI/);
  if (format === 'jpeg' || format.endsWith('tiff')) expect(read).toMatchObject(IN_IIM);
  if (format === 'jpeg') expect(read['Photoshop:IPTCDigest']).toBe(read['File:CurrentIPTCDigest']);
});

const IN_IIM = {
  'IPTC:ObjectName': FIELDS.title,
  'IPTC:Caption-Abstract': 'é'.repeat(1000),
  'IPTC:Keywords': ['wave', 'волна', 'ä'.repeat(32)],
  'IPTC:By-line': ['Ann', 'Bob'],
  'IPTC:CopyrightNotice': 'Jane Doe',
  'IPTC:Credit': 'Workshop',
  'IPTC:DateCreated': '1831:00:00',
};

test('a manifest that no longer matches the bytes is removed', () => {
  const signed = readFileSync(resolve(import.meta.dirname, '../../../../tests/fixtures/c2pa/signed.jpg'));
  const written = writeMetadata(signed, { title: 'New' });
  expect([readMetadata(signed).hasManifest, written.droppedManifest]).toEqual([true, true]);
  expect(readMetadata(written.bytes)).toMatchObject({ hasManifest: false, fields: { title: 'New' } });
  expect(readMetadata(written.bytes).xmp).not.toHaveProperty('dcterms:provenance');
});

each('%s: writing again replaces fields and keeps other XMP', (_format, bytes) => {
  const first = writeMetadata(bytes, FIELDS, [textProperty('atelier:Codex', 'kept')]);
  const { fields, xmp } = readMetadata(writeMetadata(first.bytes, { title: 'Second' }).bytes);
  expect(fields).toMatchObject({ title: 'Second', keywords: FIELDS.keywords });
  expect(xmp['atelier:Codex']).toBe('kept');
});

test('XMP larger than a JPEG segment round-trips through ExtendedXMP', () => {
  const codex = 'c'.repeat(300_000);
  const { bytes } = writeMetadata(MADE.jpeg, FIELDS, [textProperty('atelier:Codex', codex)]);
  const { fields, xmp, problems } = readMetadata(bytes);
  expect(xmp['atelier:Codex'] === codex).toBe(true);
  expect(fields.title).toBe(FIELDS.title);
  expect(problems).toEqual([]);
});

test('ExifTool assembles our ExtendedXMP', needs('ExifTool'), () => {
  const { bytes } = writeMetadata(MADE.jpeg, { description: 'd'.repeat(150_000), title: 'Main' });
  const read = exiftool(bytes);
  expect(read['XMP-dc:Title']).toBe('Main');
  expect(String(read['XMP-dc:Description']).length).toBe(150_000);
});

test('control characters and lone surrogates do not make the packet unreadable', () => {
  const { bytes } = writeMetadata(MADE.png, { title: 'a\0b\x1bc\ud800d\ufffe', alt_text: ' שלום\r\n👩‍🚀 ' });
  const { fields, problems } = readMetadata(bytes);
  expect([fields, problems]).toEqual([{ title: 'abc\ufffdd', alt_text: ' שלום\r\n👩‍🚀 ' }, []]);
});

test.each([
  ['gif', await photo.clone().gif().toBuffer(), 'unsupported_image'],
  ['avif', await photo.clone().avif({ effort: 0 }).toBuffer(), 'unsupported_image'],
  ['a PNG cut off in its header', MADE.png.subarray(0, 40), 'undecodable_image'],
  ['a JPEG cut off before its scan', MADE.jpeg.subarray(0, 300), 'undecodable_image'],
  ['no picture', Buffer.from('hello'), 'unsupported_image'],
])('%s is rejected', (_what, bytes, code) => {
  expect(() => writeMetadata(bytes, { title: 'x' })).toThrow(expect.objectContaining({ code }));
});

test('broken images are rejected or written without a crash', async () => {
  for (const { name, bytes } of await hostilePictures()) {
    try {
      expect(readMetadata(writeMetadata(bytes, { title: 'x' }).bytes).fields.title).toBe('x');
    } catch (error) {
      if (!(error instanceof EngineError)) throw new Error(`${name}: ${error}`, { cause: error });
    }
  }
});

test.each(['tiff', 'bigtiff'] as const)('%s does not grow with repeated writes', (format) => {
  let bytes: Uint8Array = MADE[format];
  const sizes = Array.from({ length: 4 }, (_, round) => {
    bytes = writeMetadata(bytes, { ...FIELDS, title: `Round ${round}` }).bytes;
    return bytes.length;
  });
  expect(new Set(sizes.slice(1)).size).toBe(1);
  expect(sizes[3]! - sizes[0]!).toBeLessThan(8);
});
