import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sharedPictures } from '../../../../tests/support/shared_pictures.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { readMetadata } from './read_metadata.ts';

const FIXTURES = resolve(import.meta.dirname, '../../../../../shared/fixtures/metadata');
const fixture = (path: string) => readFileSync(resolve(FIXTURES, path));

/** ExifTool's names of the namespaces, and properties that IPTC's own table lists under other names. */
const GROUPS: Record<string, string> = { iptcCore: 'Iptc4xmpCore', iptcExt: 'Iptc4xmpExt' };
const RENAMED: Record<string, string> = {
  'XMP-iptcExt:AdditionalModelInformation': 'Iptc4xmpExt:AddlModelInfo',
  'XMP-iptcExt:DigitalImageGUID': 'Iptc4xmpExt:DigImageGUID',
};
/** Values that ExifTool converts to words. */
const SPELLED: Record<string, string> = {
  'Age 25 or Over': 'http://ns.useplus.org/ldf/vocab/AG-A25',
  'Not Applicable': 'http://ns.useplus.org/ldf/vocab/MR-NAP',
  'Not Applicable (property)': 'http://ns.useplus.org/ldf/vocab/PR-NAP',
};

/** Common form of both outputs: no prefixes, the default language, dates and numbers as text, single-item lists unwrapped. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? plain(value[0]) : value.map(plain);
  if (typeof value === 'object' && value !== null) {
    if ('x-default' in value) return plain(value['x-default']);
    const entries = Object.entries(value).map(([name, inner]) => [name.replace(/^.*:/, ''), plain(inner)]);
    return Object.fromEntries(entries.toSorted());
  }
  const text = String(value).replace(/^(\d{4}):(\d\d):(\d\d) /, '$1-$2-$3T');
  return SPELLED[text] ?? (/^\d+\.0$/.test(text) ? text.slice(0, -2) : text);
}

describe('third-party images', needs('../shared'), () => {
  test('every IPTC property of the reference image is read', () => {
    const expected: Record<string, unknown> = JSON.parse(fixture('expected-exiftool.json').toString()).files[
      'iptc/IPTC-PhotometadataRef-Std2017.1.jpg'
    ];
    const { xmp, iim, exif, problems } = readMetadata(fixture('iptc/IPTC-PhotometadataRef-Std2017.1.jpg'));
    const found = new Map(Object.entries(xmp).map(([name, value]) => [name.toLowerCase(), value]));
    const properties = Object.entries(expected).filter(([tag]) => /^XMP-(?!x:)/.test(tag));
    for (const [tag, value] of properties) {
      const [, group, name] = /^XMP-(\w+):(.*)$/.exec(tag)!;
      const ours = found.get((RENAMED[tag] ?? `${GROUPS[group!] ?? group}:${name}`).toLowerCase());
      const isAboutProperty = tag === 'XMP-plus:PropertyReleaseStatus';
      expect([tag, plain(ours)]).toEqual([tag, plain(isAboutProperty ? `${value} (property)` : value)]);
    }
    expect(properties.length).toBe(56);
    expect(problems).toEqual([]);
    expect(iim).toMatchObject({
      '2:05': [expected['IPTC:ObjectName']],
      '2:25': expected['IPTC:Keywords'],
      '2:80': [expected['IPTC:By-line']],
      '2:95': [expected['IPTC:Province-State']],
      '2:116': [expected['IPTC:CopyrightNotice']],
      '2:120': [expected['IPTC:Caption-Abstract']],
    });
    expect(exif).toEqual({
      270: expected['IFD0:ImageDescription'],
      315: expected['IFD0:Artist'],
      33432: expected['IFD0:Copyright'],
    });
  });

  test('the reference image maps to Atelier field names', () => {
    expect(readMetadata(fixture('iptc/IPTC-PhotometadataRef-Std2017.1.jpg')).fields).toMatchObject({
      title: 'The Title (ref2017.1)',
      description: 'The description aka caption (ref2017.1)',
      keywords: ['Keyword1ref2017.1', 'Keyword2ref2017.1', 'Keyword3ref2017.1'],
      creator: ['Creator1 (ref2017.1)', 'Creator2 (ref2017.1)'],
      copyright_notice: 'Copyright (Notice) 2017.1 IPTC - www.iptc.org  (ref2017.1)',
      copyright_holder: 'Copyright Owner Name 1 (ref2017.1); Copyright Owner Name 2 (ref2017.1)',
      credit: 'Credit Line (ref2017.1)',
      digital_source_type: 'softwareImage',
    });
  });

  test.each([
    ['exiftool/XMP.jpg', { title: 'Test IPTC picture', description: 'UTF-16 (big-endian) encoded XMP' }],
    ['exiftool/IPTC.jpg', { title: 'Test IPTC picture', keywords: ['ExifTool', 'Test', 'IPTC'] }],
    ['exiftool/RIFF.webp', { creator: ['me'] }],
  ])('%s maps to Atelier field names', (path, fields) => {
    const read = readMetadata(fixture(path));
    expect(read.fields).toMatchObject(fields);
    expect(read.problems).toEqual([]);
  });

  test.each([
    ['c2pa/adobe-20220124-C.jpg', true, undefined],
    ['c2pa/adobe-20220124-XCA.jpg', true, undefined],
    ['c2pa/adobe-20220124-A.jpg', false, undefined],
    ['c2pa/sample1.webp', false, undefined],
    ['c2pa/libpng-test_with_url.png', false, 'http://localhost:5000/libpng-test.c2pa'],
  ])('%s: the embedded manifest is %s', (path, hasManifest, remoteManifest) => {
    const read = readMetadata(fixture(path));
    expect([read.hasManifest, read.remoteManifest]).toEqual([hasManifest, remoteManifest]);
  });

  test('broken third-party images are read without errors or delays', () => {
    const pictures = sharedPictures();
    const startMs = performance.now();
    for (const { bytes } of pictures) readMetadata(bytes);
    expect(pictures.length).toBeGreaterThan(200);
    expect(performance.now() - startMs).toBeLessThan(20_000);
  });
});
