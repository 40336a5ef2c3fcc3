import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import tar from 'tar-stream';
import { expect, test } from 'vitest';
import { readRecords } from '../../../../tests/support/read_records.ts';
import { xmlRecords } from '../readers/xml_records.ts';
import { parseRecord } from '../records/record.ts';
import { IMPORTERS } from './importers.ts';
import type { MuseumName } from './museums.ts';

/** Files in the museums' own formats, all of whose records are invented. */
const FILES = resolve(import.meta.dirname, '../../../../tests/fixtures/museums');
const readFile = (museum: MuseumName, path: string) => readRecords(museum, join(FILES, path));

test.each<[MuseumName, string, rows: number, free: string[], leftOut: number]>([
  ['met', 'met/MetObjects.csv', 4, ['999000001', '999000003'], 2],
  ['met', 'met/objects.jsonl', 4, ['999000001', '999000004', '999000005'], 1],
  ['chicago', 'chicago/artworks.jsonl', 3, ['999000001', '999000003'], 1],
  ['cleveland', 'cleveland/data.csv', 3, ['999001', '999003'], 1],
  ['cleveland', 'cleveland/data.json', 2, ['999001', '999004'], 0],
  ['nga', 'nga', 4, ['999001'], 3],
  ['rijks', 'rijks/page_1.xml', 3, ['TEST-A-1'], 2],
  ['smithsonian', 'smithsonian', 4, ['saam_test.1'], 3],
  ['paris', 'paris/answer.json', 2, ['999001'], 1],
])('%s: %s', async (museum, path, rows, free, leftOut) => {
  const { report, records } = await readFile(museum, path);
  expect([...records.keys()]).toEqual(free.map((number) => `${museum}_${number}`));
  const counted = Object.values(report.left_out).reduce((sum, count) => sum + count, 0);
  expect([report.rows, counted, report.bad, report.complete]).toEqual([rows, leftOut, 0, true]);
  expect([...records.values()][0]).toMatchObject({
    title: expect.stringMatching(/Invented|Verzonnen|inventée/),
    artists: expect.arrayContaining([
      expect.objectContaining({
        name: expect.stringMatching(/^(Nemo|Niemand|Personne) (Example|Voorbeeld|Exemple)$/),
      }),
    ]),
    ...(museum !== 'smithsonian' && { year_from: 1845, year_to: 1855 }),
  });
});

test('an archive with a file a work gives the same records as the works one a line', async () => {
  const lines = join(FILES, 'chicago/artworks.jsonl');
  const pack = tar.pack();
  for (const line of readFileSync(lines, 'utf8').trim().split('\n'))
    pack.entry({ name: `artic-api-data/json/artworks/${JSON.parse(line).id}.json` }, line);
  pack.finalize();
  const folder = mkdtempSync(join(tmpdir(), 'atelier-chicago-'));
  const archive = join(folder, 'artic-api-data.tar.gz');
  writeFileSync(archive, gzipSync(await buffer(pack)));
  const [unpacked, read] = [await readRecords('chicago', archive), await readRecords('chicago', lines)];
  expect(unpacked.records).toEqual(read.records);
  rmSync(folder, { recursive: true });
});

const mapped = (museum: MuseumName, row: Record<string, unknown>) => {
  const outcome = IMPORTERS[museum].map(row);
  return 'record' in outcome ? parseRecord(outcome.record) : outcome.leftOut;
};

/** Made up in the shape of the documented answers: no bulk data of this museum exists. */
const PARIS_WORK = {
  title: 'Vue de la Seine',
  fieldLrefAdlib: 123456,
  fieldUrlAlias: 'petit-palais/oeuvres/vue-de-la-seine',
  fieldOeuvreAuteurs: [
    null,
    {
      entity: {
        fieldAuteurAuteur: { entity: { name: 'Dupont, Jean', fieldPipDateNaissance: { startYear: 1801 } } },
        fieldAuteurFonction: { entity: { name: 'Peintre' } },
      },
    },
  ],
  fieldVisuels: [null, { entity: { publicUrl: 'https://apicollections.parismusees.paris.fr/a.jpg' } }],
  fieldDateProduction: { startYear: 1850, endYear: 1860, processed: 'Entre 1850 et 1860' },
  fieldMateriauxTechnique: [{ entity: { name: 'Huile sur toile' } }],
};

test('Paris: a work with a public picture is free, one with a thumbnail is not', () => {
  expect(mapped('paris', PARIS_WORK)).toMatchObject({
    id: 'paris_123456',
    artists: [{ name: 'Jean Dupont', role: 'Peintre', born: 1801 }],
    year_from: 1850,
    year_to: 1860,
    image: { kind: 'file' },
    source_url: 'https://www.parismuseescollections.paris.fr/fr/petit-palais/oeuvres/vue-de-la-seine',
  });
  const thumbnail = [{ entity: { vignette: 'https://a.test/small.jpg' } }];
  expect(mapped('paris', { ...PARIS_WORK, fieldVisuels: thumbnail })).toContain('public domain');
});

/** Made up after the Europeana Data Model as the museum documents it. */
const edm = (rights: string) => `<?xml version="1.0"?><OAI-PMH><ListRecords><record><header/><metadata>
<rdf:RDF xmlns:rdf="r" xmlns:edm="e" xmlns:dc="d" xmlns:ore="o" xmlns:skos="s" xmlns:dcterms="t">
<edm:ProvidedCHO rdf:about="https://id.rijksmuseum.nl/200100988"><dc:identifier>SK-A-9</dc:identifier>
<dc:title xml:lang="nl">Het portret</dc:title><dc:title xml:lang="en">The Portrait &amp; more</dc:title>
<dc:creator rdf:resource="https://id.rijksmuseum.nl/1"/><dcterms:created>ca. 1660 - 1665</dcterms:created></edm:ProvidedCHO>
<ore:Aggregation><edm:rights rdf:resource="${rights}"/><edm:isShownBy rdf:resource="https://iiif.micr.io/AbCdE/full/max/0/default.jpg"/></ore:Aggregation>
<edm:Agent rdf:about="https://id.rijksmuseum.nl/1"><skos:prefLabel>Leyster, Judith</skos:prefLabel></edm:Agent>
</rdf:RDF></metadata></record></ListRecords></OAI-PMH>`;

async function edmRow(rights: string) {
  const bytes = (async function* () {
    yield Buffer.from(edm(rights));
  })();
  for await (const element of xmlRecords({ name: 'page.xml', bytes }, 'record')) return { element };
  throw new Error('no record');
}

test('Rijksmuseum: EDM names the picture and the person', async () => {
  expect(mapped('rijks', await edmRow('https://creativecommons.org/publicdomain/mark/1.0/'))).toMatchObject({
    id: 'rijks_SK-A-9',
    title: 'The Portrait & more',
    other_titles: ['Het portret'],
    artists: [{ name: 'Judith Leyster' }],
    year_from: 1660,
    year_to: 1665,
    image: { kind: 'iiif', url: 'https://iiif.micr.io/AbCdE' },
  });
  expect(mapped('rijks', await edmRow('http://rightsstatements.org/vocab/InC/1.0/'))).toContain(
    'public domain',
  );
});

/** All of it invented. */
const OTHER_RIJKS_FILES = [
  [
    'export.csv',
    '\ufeffrecordnummer;objectnummer;titel;vervaardiger\n1;XX-1;Een vaas$A vase;Jansen, Jan\n',
    'an Adlib export (CSV). It says nothing of rights',
  ],
  [
    'answers.json',
    '{"elapsedMilliseconds": 0, "count": 1, "artObjects": [{"objectNumber": "XX-1", "title": "Een vaas"}]}',
    'answers of the former interface (JSON)',
  ],
  ['objects.jsonl', '{"@context": "https://linked.art/ns/v1/linked-art.json", "type": "X"}', 'Linked Art'],
  ['dump.ttl', '@prefix crm: <http://example.org/> .', 'a dump of Linked Art (Turtle)'],
  ['notes.txt', 'a vase', 'no XML'],
] as const;

test.each(OTHER_RIJKS_FILES)('Rijksmuseum: %s is refused as what it is', async (name, content, words) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-rijks-'));
  writeFileSync(join(folder, `${name}.gz`), gzipSync(content));
  const reading = readRecords('rijks', join(folder, `${name}.gz`));
  await expect(reading).rejects.toThrow(`${name} is ${words}`);
  await expect(reading).rejects.toThrow('Needed: pages of https://data.rijksmuseum.nl');
  await expect(reading).rejects.not.toThrow('damaged');
  rmSync(folder, { recursive: true });
});

test('Cleveland: a list with nothing in it is nothing', () => {
  const row = { id: '7', share_license_status: 'CC0', title: 'A vase', creators: '[]', culture: '[]' };
  expect(mapped('cleveland', { ...row, find_spot: '[]' })).toMatchObject({
    artists: [],
    culture: '',
    tags: [],
  });
});

test.each(Object.keys(IMPORTERS) as MuseumName[])(
  '%s: an empty or foreign row is left out or refused, never taken',
  (museum) => {
    for (const row of [{}, { id: 7, title: 'x' }, { objectID: {}, isPublicDomain: true }, { content: [] }]) {
      try {
        expect(typeof mapped(museum, row)).toBe('string');
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }
  },
);
