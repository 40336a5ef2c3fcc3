import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { hostilePictures } from '../../../../tests/fixtures/hostile/hostile_pictures.ts';
import { sharp } from '../codecs/sharp.ts';
import { pngChunk } from '../pixels/png_chunks.ts';
import { APP1, EXTENDED_HEAD, XMP_HEAD } from './containers/jpeg_segments.ts';
import { readMetadata } from './read_metadata.ts';

test('broken images are read without errors or delays', async () => {
  const pictures = await hostilePictures();
  const startMs = performance.now();
  for (const { bytes } of pictures) readMetadata(bytes);
  expect(pictures.length).toBeGreaterThan(200);
  expect(performance.now() - startMs).toBeLessThan(20_000);
});

const PNG = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#246' } })
  .png()
  .toBuffer();
const JPEG = await sharp(PNG).jpeg().toBuffer();

const packet = (inside: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">${inside}</rdf:Description></rdf:RDF></x:xmpmeta>`;
const pngWith = (text: string, compressed = false) => {
  const data = compressed ? deflateSync(text) : Buffer.from(text);
  const head = Buffer.from(`XML:com.adobe.xmp\0${compressed ? '\x01' : '\0'}\0\0\0`, 'latin1');
  return Buffer.concat([
    PNG.subarray(0, 33),
    pngChunk('iTXt', Buffer.concat([head, data])),
    PNG.subarray(33),
  ]);
};
const title = (text: string) =>
  packet(`<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${text}</rdf:li></rdf:Alt></dc:title>`);

test.each([
  ['entities of XML', 'a &lt;b&gt; &amp; &quot;c&quot; &#x1F600; &#8364;', 'a <b> & "c" 😀 €'],
  ['an undeclared entity', '&evil; &amp;lt;', '&evil; &lt;'],
  ['an ampersand alone, and line ends', 'AT&T\r\nB & C', 'AT&T\r\nB & C'],
  ['CDATA and a comment', '<![CDATA[<b>&amp;]]><!-- not this -->', '<b>&amp;'],
  ['right to left and zero width', 'שלום\u200d‎', 'שלום\u200d‎'],
])('%s', (_what, written, read) => {
  expect(readMetadata(pngWith(title(written))).fields.title).toBe(read);
  expect(readMetadata(pngWith(title(written), true)).fields.title).toBe(read);
});

test('an undeclared namespace prefix is preserved', () => {
  const { xmp, problems } = readMetadata(pngWith(packet('<odd:note odd:by="me">x</odd:note>')));
  expect([xmp, problems]).toEqual([{ '{unknown:odd}note': { '{unknown:odd}by': 'me' } }, []]);
});

test.each([
  [
    'a document type',
    `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${title('&b;')}`,
    'document type',
  ],
  ['a packet that is cut off', title('x').split('</rdf:Alt>')[0]!, 'never closed'],
  ['crossed tags', packet('<dc:title><rdf:Alt></dc:title></rdf:Alt>'), 'do not match'],
  ['too deep', packet('<dc:a>'.repeat(1000) + '</dc:a>'.repeat(1000)), 'levels deep'],
  ['too many elements', packet('<dc:a/>'.repeat(300_000)), 'elements'],
  ['no RDF', '<a/>', 'rdf:RDF'],
  ['nothing', '', 'no element'],
  ['no XML', '<<<<', 'no name'],
])('%s is reported and ignored', (_what, text, words) => {
  const read = readMetadata(pngWith(text));
  expect(read.fields).toEqual({});
  expect(read.problems).toEqual([expect.stringContaining(words)]);
});

test('5 MB of XMP is read within the time limit', () => {
  const text = title('x'.repeat(2_000_000)) + ' '.repeat(3_000_000);
  const startMs = performance.now();
  expect(readMetadata(pngWith(text, true)).fields.title).toHaveLength(2_000_000);
  expect(performance.now() - startMs).toBeLessThan(2000);
});

test('a decompression bomb is not inflated', () => {
  const read = readMetadata(pngWith(' '.repeat(40_000_000), true));
  expect(read.problems).toEqual([expect.stringContaining('damaged or too large')]);
});

const segment = (payload: Buffer) => {
  const head = Buffer.from([0xff, APP1, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
};
/** A JPEG with keywords in ExtendedXMP, split into chunks. */
function extendedJpeg(keyword: string, { damaged = false, pieces = 2 } = {}) {
  const text = packet(`<dc:subject><rdf:Bag><rdf:li>${keyword}</rdf:li></rdf:Bag></dc:subject>`);
  const extended = Buffer.from(text);
  const guid = createHash('md5').update(extended).digest('hex').toUpperCase();
  const main = packet(
    `<xmpNote:HasExtendedXMP xmlns:xmpNote="http://ns.adobe.com/xmp/note/">${guid}</xmpNote:HasExtendedXMP>`,
  );
  const size = Math.ceil(extended.length / pieces);
  const parts = Array.from({ length: pieces }, (_, index) => {
    const head = Buffer.alloc(40);
    head.write(guid, 0, 'latin1');
    head.writeUInt32BE(extended.length, 32);
    head.writeUInt32BE(index * size, 36);
    return segment(Buffer.concat([EXTENDED_HEAD, head, extended.subarray(index * size, (index + 1) * size)]));
  });
  // Chunks may be in any order.
  parts.reverse();
  if (damaged) parts.pop();
  return Buffer.concat([
    JPEG.subarray(0, 2),
    segment(Buffer.concat([XMP_HEAD, Buffer.from(main)])),
    ...parts,
    JPEG.subarray(2),
  ]);
}

test('ExtendedXMP is assembled from its chunks', () => {
  const { keywords = [] } = readMetadata(extendedJpeg('k'.repeat(150_000), { pieces: 3 })).fields;
  expect(keywords.map(({ length }) => length)).toEqual([150_000]);
});

test('ExtendedXMP with a missing chunk is ignored and reported', () => {
  const { fields, problems } = readMetadata(extendedJpeg('k', { damaged: true }));
  expect([fields, problems]).toEqual([{}, [expect.stringContaining('parts of it are missing')]]);
});

test('every truncated prefix of a file is read without throwing', () => {
  for (const bytes of [pngWith(title('x')), extendedJpeg('k')]) {
    for (let length = 0; length < bytes.length; length += 7) readMetadata(bytes.subarray(0, length));
  }
});

test('bytes that are not an image have no metadata', () => {
  expect(readMetadata(Buffer.from('hello'))).toMatchObject({ fields: {}, hasManifest: false, problems: [] });
});
