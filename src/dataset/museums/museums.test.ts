import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readMuseum } from '../editions/read_museum.ts';
import { emptyReport } from '../editions/report.ts';
import { openSource } from '../reading/open_source.ts';
import { xmlRecords } from '../reading/xml_records.ts';
import { type ArtworkRecord, parseRecord } from '../records/record.ts';
import { IMPORTERS } from './importers.ts';
import type { MuseumName } from './museums.ts';

const SHARED = resolve(import.meta.dirname, '../../../../../shared/museums');
const isHere = existsSync(SHARED);

async function read(museum: MuseumName, path: string) {
  const report = emptyReport();
  const records = new Map<string, ArtworkRecord>();
  for await (const record of readMuseum(museum, openSource(resolve(SHARED, path)), report))
    records.set(record.id, record);
  return { report, records };
}

/** How many works are free is stated beside the files. */
describe.skipIf(!isHere)(isHere ? 'real files' : 'real files (../shared is not here)', () => {
  test.each<[MuseumName, string, number, number]>([
    ['met', 'met/MetObjects.csv.gz', 1424, 1384],
    ['met', 'met/met-api-objects.jsonl.gz', 1500, 1146],
    ['chicago', 'chicago/artic-api-data.tar.bz2', 78, 47],
    ['chicago', 'chicago/artworks.jsonl.gz', 78, 47],
    ['rijks', 'rijks/oai_dc-pages.tar.gz', 3000, 3000],
    ['cleveland', 'cleveland/data.csv.gz', 441, 199],
    ['cleveland', 'cleveland/data.json.gz', 66, 66],
    ['smithsonian', 'smithsonian', 2041, 1689],
    ['nga', 'nga', 2424, 1686],
  ])('%s: %s', async (museum, path, rows, free) => {
    const { report, records } = await read(museum, path);
    expect([report.rows, records.size, report.bad, report.complete]).toEqual([rows, free, 0, true]);
  });

  test('two forms of one dump give the same records', async () => {
    const [tar, jsonl] = [
      await read('chicago', 'chicago/artic-api-data.tar.bz2'),
      await read('chicago', 'chicago/artworks.jsonl.gz'),
    ];
    expect(tar.records).toEqual(jsonl.records);
  });

  test('a museum says of some works that only their pictures are limited: they are not taken', async () => {
    const { report } = await read('nga', 'nga');
    expect(report.left_out).toEqual({
      'the museum does not say that it is in the public domain': 716,
      'a series or an album, not a work (isvirtual is 1)': 22,
    });
  });

  test('an answer without a statement about rights is not taken', async () => {
    const { records } = await read('paris', 'paris/nodeQuery-uuid.response.json.gz');
    expect(records.size).toBe(0);
  });
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
  const reading = read('rijks', join(folder, `${name}.gz`));
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
