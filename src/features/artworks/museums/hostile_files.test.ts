import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readRecords } from '../../../../tests/support/read_records.ts';
import type { MuseumName } from './museums.ts';

/** Files in the museums' own formats with invented records, which these tests damage. */
const FILES = resolve(import.meta.dirname, '../../../../tests/fixtures/museums');
const folder = mkdtempSync(join(tmpdir(), 'atelier-hostile-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fixture = (path: string) => readFileSync(join(FILES, path), 'utf8');
const read = (museum: MuseumName, name: string, content: string | Uint8Array) => {
  const path = join(folder, `${museum}_${name}`);
  writeFileSync(path, content);
  return readRecords(museum, path);
};

/** Formats with one work per line, each with its own cells. */
const LINES: readonly (readonly [MuseumName, string])[] = [
  ['mia', 'mia/objects.jsonl'],
  ['wellcome', 'wellcome/works.jsonl'],
  ['chicago', 'chicago/artworks.jsonl'],
];
const changed = (path: string, more: (row: Record<string, unknown>) => Record<string, unknown>) =>
  `${fixture(path)
    .trim()
    .split('\n')
    .map((line) => JSON.stringify(more(JSON.parse(line) as Record<string, unknown>)))
    .join('\n')}\n`;

test.each(LINES)('%s: a hundred extra columns change nothing', async (museum, path) => {
  const extra = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`extra_${at}`, { of: [at] }]));
  const wide = await read(
    museum,
    'wide.jsonl',
    changed(path, (row) => ({ ...row, ...extra })),
  );
  const own = await readRecords(museum, join(FILES, path));
  expect(wide.records).toEqual(own.records);
});

test.each(LINES)('%s: cells nested 5,000 levels deep do not become record text', async (museum, path) => {
  const deep = `${'['.repeat(5000)}"x"${']'.repeat(5000)}`;
  const lines = changed(path, (row) => ({ ...row, title: 'DEEP', notes: 'DEEP', subjects: ['DEEP'] }));
  const { records, report } = await read(museum, 'deep.jsonl', lines.replaceAll('"DEEP"', deep));
  expect(report.complete).toBe(true);
  expect([...records.values()].every(({ title }) => title.length <= 1000)).toBe(true);
});

test.each(LINES)(
  '%s: a work with invalid UTF-8 counts as bad and later works are read',
  async (museum, path) => {
    const whole = Buffer.from(fixture(path));
    const at = whole.indexOf('Invented');
    const broken = Buffer.concat([
      whole.subarray(0, at),
      Buffer.from([0xff, 0xfe, 0xc3, 0x28]),
      whole.subarray(at),
    ]);
    const { records, report } = await read(museum, 'broken.jsonl', broken);
    const [, ...others] = (await readRecords(museum, join(FILES, path))).records.keys();
    expect([[...records.keys()], report.bad]).toEqual([others, 1]);
  },
);

test('LIDO: works with invalid characters from a wrong encoding count as bad', async () => {
  const { records, report } = await read('mkg', 'latin.xml', Buffer.from(fixture('mkg/lido.xml'), 'latin1'));
  expect([records.size, report.bad]).toEqual([0, 1]);
});

test('LIDO: excessive nesting is rejected with its own error', async () => {
  const deep = fixture('mkg/lido.xml').replace(
    '<lido:eventWrap>',
    `<lido:eventWrap>${'<lido:eventSet>'.repeat(5000)}`,
  );
  await expect(read('mkg', 'deep.xml', deep)).rejects.toThrow(/record above the maximum size|damaged/);
});

test('LIDO: a record keeps at most eight of hundreds of points', async () => {
  const place =
    '<lido:eventPlace><lido:displayPlace>Atlantis</lido:displayPlace><lido:place><lido:gml><gml:Point><gml:pos>NUMBER -24.5</gml:pos></gml:Point></lido:gml></lido:place></lido:eventPlace>';
  const many = Array.from({ length: 300 }, (_, at) => place.replace('NUMBER', `${(at % 80) + 1}`)).join('');
  const { records } = await read(
    'mkg',
    'many.xml',
    fixture('mkg/lido.xml').replace('</lido:event>', `${many}</lido:event>`),
  );
  expect([...records.values()][0]!.places?.length ?? 0).toBeLessThanOrEqual(8);
});

test.each(['91 0', '0 0', 'x y', '12,5 4,1', '1 2 3', '', '1e2 5'])(
  'LIDO: invalid coordinates %j are dropped and the record is kept',
  async (position) => {
    const { records } = await read(
      'mkg',
      'point.xml',
      fixture('mkg/lido.xml').replaceAll('31.25 -24.5', position),
    );
    expect([...records.values()][0]).not.toHaveProperty('places');
  },
);

test('EDM: circular references are read once each', async () => {
  const rights = 'https://creativecommons.org/publicdomain/mark/1.0/';
  const edm = `<OAI-PMH><ListRecords><record><metadata><rdf:RDF>
<edm:ProvidedCHO rdf:about="https://id.rijksmuseum.nl/9"><dc:identifier>SK-A-9</dc:identifier><dc:title>Verzonnen</dc:title><dc:creator rdf:resource="#one"/><dcterms:spatial rdf:resource="#two"/></edm:ProvidedCHO>
<ore:Aggregation><edm:rights rdf:resource="${rights}"/></ore:Aggregation>
<edm:Agent rdf:about="#one"><skos:prefLabel rdf:resource="#two">Een</skos:prefLabel><owl:sameAs rdf:resource="#two"/></edm:Agent>
<edm:Place rdf:about="#two"><skos:prefLabel rdf:resource="#one">Delft</skos:prefLabel><owl:sameAs rdf:resource="#one"/></edm:Place>
</rdf:RDF></metadata></record></ListRecords></OAI-PMH>`;
  const { records } = await read('rijks', 'circle.xml', edm);
  expect([...records.values()]).toMatchObject([
    { id: 'rijks_SK-A-9', artists: [{ name: 'Een' }], culture: 'Delft' },
  ]);
});
