import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostilePictures } from '../../../../../tests/fixtures/hostile/hostile_pictures.ts';
import { exiftool } from '../../../../../tests/support/exiftool.ts';
import { needs } from '../../../../../tests/support/test_requirements.ts';
import { sharp } from '../../codecs/sharp.ts';
import { readClaims } from '../read_metadata.ts';
import { type InfuseRequest, infuse, writeMetadata } from '../write_metadata.ts';
import { textProperty } from '../xmp/make_property.ts';
import { parseXmp } from '../xmp/parse_xmp.ts';
import { writeXmp } from '../xmp/write_xmp.ts';
import type { RightsPolicy } from './policy.ts';
import { readPolicy } from './read_policy.ts';

const photo = sharp({ create: { width: 40, height: 31, channels: 3, background: '#c04020' } });
const MADE = {
  png: await photo.clone().png().toBuffer(),
  jpeg: await photo.clone().jpeg().toBuffer(),
  webp: await photo.clone().webp().toBuffer(),
  tiff: await photo.clone().tiff().toBuffer(),
};
const each = test.each(Object.entries(MADE));

const POLICY: RightsPolicy = {
  licensor: { name: 'Jane Doe', email: 'jane@example.org', url: 'https://example.org/ask' },
  tdm: { reservation: 1, policy: 'https://example.org/tdm.json' },
  rsl: {
    url: 'https://example.org/a.jpg?x=1&y=2',
    permits: ['search'],
    prohibits: ['ai-all'],
    holder: 'Jane <Doe>',
    terms: 'https://example.org/terms',
  },
  replacesUse: true,
};
const FIELDS = {
  copyright_holder: 'Jane <Doe>',
  data_mining: 'PROHIBITED-EXCEPTSEARCHENGINEINDEXING',
  usage_terms: 'Ask first',
};
const written = (bytes: Uint8Array, more: Partial<InfuseRequest> = {}) =>
  infuse({ bytes, fields: FIELDS, policy: POLICY, ...more }).bytes;

each('%s: a policy is read back from every language', (_format, bytes) => {
  const { statements, problems } = readClaims({ bytes: written(bytes) });
  const values = Object.fromEntries(statements.map(({ place, value }) => [place, value]));
  expect(problems).toEqual([]);
  expect(values).toEqual({
    'plus:CopyrightOwner': 'Jane <Doe>',
    'plus:DataMining': 'DMI-PROHIBITED-EXCEPTSEARCHENGINEINDEXING',
    'plus:Licensor': 'Jane Doe, jane@example.org, https://example.org/ask',
    'dc:rights': 'Jane <Doe>',
    'xmpRights:UsageTerms': 'Ask first',
    'tdm:reservation': '1',
    'tdm:policy': 'https://example.org/tdm.json',
    'rsl:rsl': 'permits search, prohibits ai-all, terms https://example.org/terms',
  });
});

each('%s: ExifTool reads the policy', needs('ExifTool'), (_format, bytes) => {
  expect(exiftool(written(bytes))).toMatchObject({
    'XMP-plus:Licensor': [
      {
        LicensorName: 'Jane Doe',
        LicensorEmail: 'jane@example.org',
        LicensorURL: 'https://example.org/ask',
      },
    ],
    'XMP-tdm:Reservation': 1,
    'XMP-tdm:Policy': 'https://example.org/tdm.json',
    'XMP-rsl:Rsl': { Content: { Url: 'https://example.org/a.jpg?x=1&y=2', Copyright: 'Jane <Doe>' } },
  });
});

/** Reads with Exiv2, which includes Adobe's XMP toolkit. */
function exiv2(bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-exiv2-'));
  try {
    writeFileSync(join(folder, 'picture'), bytes);
    return execFileSync('exiv2', ['-PXkv', join(folder, 'picture')]).toString();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

each(
  '%s: a strict RDF reader reads all properties next to the RSL licence',
  needs('Exiv2'),
  (_format, bytes) => {
    const read = exiv2(written(bytes));
    for (const value of ['Jane <Doe>', 'jane@example.org', 'https://example.org/tdm.json', 'Ask first'])
      expect(read).toContain(value);
  },
);

const LICENCE =
  '<rsl:rsl xmlns:rsl="https://rslstandard.org/rsl"><rsl:content url="/a"><rsl:license><rsl:prohibits type="usage">ai-train, ai-input</rsl:prohibits></rsl:license></rsl:content></rsl:rsl>';
const packet = (inside: string, beside = '') =>
  Buffer.from(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:tdm="http://www.w3.org/ns/tdmrep/" xmlns:plus="http://ns.useplus.org/ldf/xmp/1.0/">${inside}</rdf:Description></rdf:RDF>${beside}</x:xmpmeta>`,
  );

test.each([
  ['inside the description', packet(LICENCE)],
  ['beside the RDF', packet('<dc:format>x</dc:format>', LICENCE)],
])('a licence %s is read and preserved next to the RDF', (_where, xmp) => {
  const [statement] = readPolicy(parseXmp(xmp));
  expect(statement).toMatchObject({
    dialect: 'rsl',
    value: 'prohibits ai-train, prohibits ai-input',
    uses: { ai_training: 'not_allowed', generative_training: 'not_allowed' },
  });
  const again = writeXmp(parseXmp(xmp)).toString();
  expect(again).toMatch(/<\/rdf:RDF>\s*<rsl:rsl xmlns:rsl="https:\/\/rslstandard.org\/rsl">/);
  expect(readPolicy(parseXmp(Buffer.from(again)))[0]).toEqual(statement);
});

test('writing other fields keeps a policy, and a new policy replaces it entirely', () => {
  const first = written(MADE.jpeg);
  const titled = writeMetadata(first, { title: 'New' }).bytes;
  expect(readClaims({ bytes: titled }).statements).toEqual(
    expect.arrayContaining([...readClaims({ bytes: first }).statements]),
  );
  const policy = { replacesUse: true };
  const second = infuse({ bytes: first, fields: { data_mining: 'ALLOWED' }, policy }).bytes;
  const places = readClaims({ bytes: second }).statements.map(({ place }) => place);
  expect(places).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(tdm|rsl):/)]));
});

test.each([
  ['<tdm:reservation>0</tdm:reservation>', { uses: { mining: 'allowed', ai_training: 'allowed' } }],
  ['<tdm:reservation>1</tdm:reservation>', { uses: {}, reserves: true }],
  ['<tdm:reservation>yes</tdm:reservation>', { uses: {}, value: 'yes' }],
  [
    '<plus:DataMining>https://ns.useplus.org/ldf/vocab/DMI-PROHIBITED-AIMLTRAINING</plus:DataMining>',
    { uses: { ai_training: 'not_allowed' }, value: 'DMI-PROHIBITED-AIMLTRAINING' },
  ],
  ['<plus:DataMining>DMI-ALLOWED</plus:DataMining>', { uses: {}, value: 'DMI-ALLOWED' }],
])('%s', (property, expected) => {
  expect(readPolicy(parseXmp(packet(property)))).toMatchObject([expected]);
});

test('empty, malformed or overlong policies are read without errors', () => {
  const odd = packet(
    `<tdm:reservation/><tdm:policy>${'x'.repeat(5000)}</tdm:policy><plus:Licensor>me</plus:Licensor><plus:CopyrightOwner/>${LICENCE.replace('ai-train, ai-input', '')}`,
  );
  const found = readPolicy(parseXmp(odd));
  expect(found.map(({ place }) => place)).toEqual(['tdm:policy', 'plus:Licensor', 'rsl:rsl']);
  expect(found[0]!.value.length).toBeLessThan(310);
});

const ORIGIN = {
  sourceType: 'trainedAlgorithmicMedia',
  system: 'Example',
  version: '3',
  provider: 'Example Ltd',
  at: '2026-11-20T09:11:12Z',
  id: 'b30c',
};
const MACHINE = {
  digital_source_type: 'trainedAlgorithmicMedia',
  ai_system: 'Example',
  ai_system_version: '3',
};

each('%s: the AI system that made an image is read back', (_format, bytes) => {
  expect(readClaims({ bytes: infuse({ bytes, fields: MACHINE, origin: ORIGIN }).bytes }).origin).toEqual(
    ORIGIN,
  );
  expect(readClaims({ bytes })).not.toHaveProperty('origin');
});

test('reading a broken image does not throw', async () => {
  for (const { bytes } of await hostilePictures()) expect(() => readClaims({ bytes })).not.toThrow();
});

test('an image only altered by AI keeps its creation date', () => {
  const bytes = writeMetadata(MADE.jpeg, {}, [textProperty('xmp:CreateDate', '2011-01-01')]).bytes;
  const composite = 'compositeWithTrainedAlgorithmicMedia';
  const fields = { ...MACHINE, digital_source_type: composite };
  const altered = infuse({ bytes, fields, origin: { ...ORIGIN, sourceType: composite } }).bytes;
  expect(readClaims({ bytes: altered }).origin?.at).toBe(ORIGIN.at);
  expect(Buffer.from(altered).includes('2011-01-01')).toBe(true);
});

test.each([
  ['digitalCapture', [expect.stringContaining('marked as AI-generated (trainedAlgorithmicMedia)')]],
  ['compositeWithTrainedAlgorithmicMedia', []],
])('relabelling an AI-generated file as %s gives the expected notes', (now, notes) => {
  const { bytes } = infuse({ bytes: MADE.png, fields: MACHINE });
  expect(infuse({ bytes, fields: { digital_source_type: now } }).notes).toEqual(notes);
});

test('a re-encoded file keeps the original metadata and is upright', async () => {
  const original = writeMetadata(
    await photo
      .clone()
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Make: 'Camera' } })
      .jpeg()
      .toBuffer(),
    { title: 'Old', keywords: ['kept'] },
  ).bytes;
  const anew = await sharp(original).autoOrient().jpeg().toBuffer();
  const { bytes } = infuse({ bytes: anew, original, fields: { title: 'New' } });
  expect(readClaims({ bytes }).fields).toMatchObject({ title: 'New', keywords: ['kept'] });
  const { orientation, exif } = await sharp(bytes).metadata();
  expect([orientation ?? 1, exif?.includes('Camera')]).toEqual([1, true]);
});
