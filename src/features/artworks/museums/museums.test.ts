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

/** Files in the museums' own formats with invented records. */
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
  ['smk', 'smk/search.json', 3, ['TEST1', 'TEST3_version_1'], 1],
  ['mia', 'mia/objects.jsonl', 4, ['999001', '999003'], 2],
  ['mkg', 'mkg/lido.xml', 3, ['mkg-test1'], 2],
  ['fng', 'fng/objects.json', 4, ['999001', '999003'], 2],
  ['wellcome', 'wellcome/works.jsonl', 5, ['test0001', 'test0004'], 3],
])('%s: %s gives the expected records', async (museum, path, rows, free, leftOut) => {
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

test('an archive with one file per work gives the same records as JSON Lines', async () => {
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

const WIKIDATA = 'https://www.wikidata.org/wiki/Q999999999';
const PERSON = ['https://vocab.getty.edu/ulan/500999999', 'https://www.wikidata.org/wiki/Q999999998'];

test.each<[MuseumName, string, object]>([
  [
    'met',
    'met/MetObjects.csv',
    { series: 'Invented Views', same_as: [WIKIDATA], artists: [{ same_as: PERSON }] },
  ],
  [
    'met',
    'met/objects.jsonl',
    { series: 'Invented Views', same_as: [WIKIDATA], artists: [{ same_as: PERSON }] },
  ],
  [
    'chicago',
    'chicago/artworks.jsonl',
    {
      provenance: 'Nemo Example, Atlantis; sold to A. Nother, 1871.',
      exhibitions: 'Atlantis, Invented Hall, 1855, cat. 1. • Nowhere, 1860.',
      references: 'A. Nother, Invented Boats (Atlantis, 1871), p. 3. • N. Sample, 1880.',
    },
  ],
  [
    'cleveland',
    'cleveland/data.csv',
    {
      series: 'Invented Views',
      provenance: 'Nemo Example, Atlantis',
      exhibitions: 'Invented Art (1855) Nowhere, 1860.',
      references: 'Nother, A. Invented Boats. Atlantis, 1871. (p. 3) • Sample, N. 1880. (no. 2)',
      same_as: [WIKIDATA],
    },
  ],
  [
    'cleveland',
    'cleveland/data.json',
    {
      provenance: 'Nemo Example, Atlantis (1850-71)',
      exhibitions: 'Invented Art. Atlantis (1855). • Nowhere, 1860.',
      references: 'Nother, A. Invented Boats. Atlantis, 1871. (p. 3) • Sample, N. 1880.',
      same_as: [WIKIDATA],
    },
  ],
  [
    'nga',
    'nga',
    {
      series: 'Invented Views. (plate 1)',
      provenance: 'Nemo Example, Atlantis; gift to NGA, 1871.',
      exhibitions: 'Invented Art, Atlantis, 1855.',
      references: 'Nother, A. Invented Boats. Atlantis, 1871: 3. • Sample, N. 1880.',
      same_as: [WIKIDATA],
      artists: [{ same_as: PERSON }],
    },
  ],
  [
    'smk',
    'smk/search.json',
    {
      other_titles: ['Opfundet værk'],
      dimensions: 'netto: 300 × 455 mm',
      rights: { status: 'public_domain' },
      image: { kind: 'iiif', url: 'https://iip.smk.dk/iiif/jp2/test1.tif.jp2', width: 4000 },
      provenance: 'Nemo Example, Atlantis; solgt 1871.',
      exhibitions: 'Opfundet kunst, Atlantis, 1855',
    },
  ],
  [
    'mia',
    'mia/objects.jsonl',
    {
      series: 'Invented Views',
      provenance: expect.stringContaining('Nemo Example, Atlantis; sold'),
      artists: [
        { name: 'Nemo Example', role: 'Designer', nationality: 'Atlantean', born: 1801, died: 1870 },
        { name: 'Invented Workshop (Atlantis)', role: 'Workshop' },
      ],
      rights: { status: 'public_domain', evidence: { field: 'rights_type', value: 'Public Domain' } },
      image: { kind: 'lookup', url: 'https://search.artsmia.org/id/999001', width: 4000 },
    },
  ],
  [
    'mkg',
    'mkg/lido.xml',
    {
      accession_number: 'P9999.1',
      artists: [{ name: 'Nemo Example', role: 'Fotograf/in (Vielleicht von)', born: 1801, died: 1870 }],
      date: 'um 1850',
      medium: 'Papier, Albuminabzug',
      classification: 'Fotografie',
      department: 'Erfundene Sammlung',
      tags: ['Schiff', 'Schwan'],
      iconclass: ['46C23', '25F36(SWAN)'],
      places: [{ name: 'Atlantis', kind: 'made', latitude: 31.25, longitude: -24.5 }],
      description: 'Ein Boot, das es nie gab.',
      provenance: 'Sammlung Nother, Atlantis • Ankauf von Nemo Example, 1871',
      exhibitions: 'Erfundene Schau, 1855',
      references: 'Nother, A.: Erfundene Boote, 1871, S. 3',
      source_url: 'https://sammlungonline.mkg-hamburg.de/de/object/Erfunden/P9999.1/mkg-test1',
      rights: { status: 'cc0' },
      image: { kind: 'file', url: 'https://resources.digicult-museen.net/dam/provided_image/test' },
    },
  ],
  [
    'fng',
    'fng/objects.json',
    {
      title: 'Invented Work 1',
      other_titles: ['Keksitty teos 1', 'Påhittat verk 1'],
      artists: [{ name: 'Nemo Example', role: 'Artist', born: 1801, died: 1870 }],
      date: '1845–1855',
      medium: 'oil, canvas',
      dimensions: '30 × 45.5 cm; 40 × 40 cm',
      tags: ['boats'],
      image: {
        kind: 'file',
        url: 'https://kokoelma.kansallisgalleria.fi/media-assets/1/jpg/1000/999.jpg',
      },
    },
  ],
  [
    'wellcome',
    'wellcome/works.jsonl',
    {
      series: 'Invented Views',
      artists: [{ name: 'Nemo Example', role: 'artist', born: 1801, died: 1870 }],
      medium: '1 print : etching',
      dimensions: 'platemark 30 x 45.5 cm',
      classification: 'Etchings.',
      description: 'A boat that never was.',
      tags: ['Boats', 'Etchings.'],
      rights: { status: 'public_domain', evidence: { value: 'pdm' } },
      image: { kind: 'iiif', url: 'https://iiif.wellcomecollection.org/image/TESTtest0001' },
    },
  ],
])('%s: provenance, series and authority links of a work in %s are kept', async (museum, path, known) => {
  const { records } = await readFile(museum, path);
  expect([...records.values()][0]).toMatchObject(known);
});

const mapped = (museum: MuseumName, row: Record<string, unknown>) => {
  const outcome = IMPORTERS[museum].map(row);
  return 'record' in outcome ? parseRecord(outcome.record) : outcome.leftOut;
};

/** Invented in the documented format: the museum publishes no bulk data. */
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

test('Paris: a work with a public image is open access, one with a thumbnail is not', () => {
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

/** Invented in the Europeana Data Model as documented by the museum. */
const edm = (rights: string) => `<?xml version="1.0"?><OAI-PMH><ListRecords><record><header/><metadata>
<rdf:RDF xmlns:rdf="r" xmlns:edm="e" xmlns:dc="d" xmlns:ore="o" xmlns:skos="s" xmlns:dcterms="t" xmlns:wgs84_pos="w" xmlns:owl="l">
<edm:ProvidedCHO rdf:about="https://id.rijksmuseum.nl/200100988"><dc:identifier>SK-A-9</dc:identifier>
<dc:title xml:lang="nl">Het portret</dc:title><dc:title xml:lang="en">The Portrait &amp; more</dc:title>
<dc:creator rdf:resource="https://id.rijksmuseum.nl/1"/><dcterms:created>ca. 1660 - 1665</dcterms:created>
<dcterms:extent>height 30 cm</dcterms:extent><dcterms:extent>width 45.5 cm</dcterms:extent><dcterms:provenance>Nemo Example, Atlantis, to 1871</dcterms:provenance>
<dcterms:spatial rdf:resource="https://id.rijksmuseum.nl/2"/><dc:subject rdf:resource="https://id.rijksmuseum.nl/3"/></edm:ProvidedCHO>
<ore:Aggregation><edm:rights rdf:resource="${rights}"/><edm:isShownBy rdf:resource="https://iiif.micr.io/AbCdE/full/max/0/default.jpg"/></ore:Aggregation>
<edm:Agent rdf:about="https://id.rijksmuseum.nl/1"><skos:prefLabel>Leyster, Judith</skos:prefLabel><owl:sameAs rdf:resource="http://www.wikidata.org/entity/Q9999999"/></edm:Agent>
<edm:Place rdf:about="https://id.rijksmuseum.nl/2"><skos:prefLabel>Atlantis</skos:prefLabel><wgs84_pos:lat>31.25</wgs84_pos:lat><wgs84_pos:long>-24.5</wgs84_pos:long></edm:Place>
<edm:Place rdf:about="https://id.rijksmuseum.nl/3"><skos:prefLabel>Nowhere</skos:prefLabel><wgs84_pos:lat>0</wgs84_pos:lat><wgs84_pos:long>0</wgs84_pos:long></edm:Place>
</rdf:RDF></metadata></record></ListRecords></OAI-PMH>`;

async function edmRow(rights: string) {
  const bytes = (async function* () {
    yield Buffer.from(edm(rights));
  })();
  for await (const element of xmlRecords({ name: 'page.xml', bytes }, 'record')) return { element };
  throw new Error('no record');
}

test('Rijksmuseum: image, artist, places, size and owners are read from EDM', async () => {
  expect(mapped('rijks', await edmRow('https://creativecommons.org/publicdomain/mark/1.0/'))).toMatchObject({
    id: 'rijks_SK-A-9',
    title: 'The Portrait & more',
    other_titles: ['Het portret'],
    artists: [{ name: 'Judith Leyster', same_as: ['https://www.wikidata.org/wiki/Q9999999'] }],
    places: [{ name: 'Atlantis', kind: 'made', latitude: 31.25, longitude: -24.5 }],
    dimensions: 'height 30 cm; width 45.5 cm',
    provenance: 'Nemo Example, Atlantis, to 1871',
    year_from: 1660,
    year_to: 1665,
    image: { kind: 'iiif', url: 'https://iiif.micr.io/AbCdE' },
  });
  expect(mapped('rijks', await edmRow('http://rightsstatements.org/vocab/InC/1.0/'))).toContain(
    'public domain',
  );
});

/** All invented. */
const OTHER_RIJKS_FILES = [
  [
    'export.csv',
    '\ufeffrecordnummer;objectnummer;titel;vervaardiger\n1;XX-1;Een vaas$A vase;Jansen, Jan\n',
    'an Adlib export (CSV), which states no rights',
  ],
  [
    'answers.json',
    '{"elapsedMilliseconds": 0, "count": 1, "artObjects": [{"objectNumber": "XX-1", "title": "Een vaas"}]}',
    'a response of the former API (JSON)',
  ],
  ['objects.jsonl', '{"@context": "https://linked.art/ns/v1/linked-art.json", "type": "X"}', 'Linked Art'],
  ['dump.ttl', '@prefix crm: <http://example.org/> .', 'a dump of Linked Art (Turtle)'],
  ['notes.txt', 'a vase', 'not XML'],
] as const;

test.each(OTHER_RIJKS_FILES)(
  'Rijksmuseum: %s is rejected with the name of its format',
  async (name, content, words) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-rijks-'));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content));
    const reading = readRecords('rijks', join(folder, `${name}.gz`));
    await expect(reading).rejects.toThrow(`${name} is ${words}`);
    await expect(reading).rejects.toThrow('Required: pages of https://data.rijksmuseum.nl');
    await expect(reading).rejects.not.toThrow('damaged');
    rmSync(folder, { recursive: true });
  },
);

test('Minneapolis: search records contain the image location', async () => {
  const { records } = await readFile('mia', 'mia/objects.jsonl');
  expect(records.get('mia_999003')).toMatchObject({
    artists: [],
    year_from: null,
    highlight: true,
    image: {
      kind: 'file',
      url: 'https://img.artsmia.org/web_objects_cache/999000/0/40/42/mia_9999999_001_full.jpg',
    },
  });
});

test('Minneapolis: only the works of its archive are read', async () => {
  const pack = tar.pack();
  const [work] = readFileSync(join(FILES, 'mia/objects.jsonl'), 'utf8').split('\n');
  pack.entry({ name: 'collection-main/objects/999/999001.json' }, work!);
  pack.entry({ name: 'collection-main/exhibitions/0/10.json' }, '{"exhibition_id": 10}');
  pack.finalize();
  const folder = mkdtempSync(join(tmpdir(), 'atelier-mia-'));
  writeFileSync(join(folder, 'main.tar.gz'), gzipSync(await buffer(pack)));
  const { report, records } = await readRecords('mia', join(folder, 'main.tar.gz'));
  expect([report.rows, [...records.keys()]]).toEqual([1, ['mia_999001']]);
  rmSync(folder, { recursive: true });
});

test('Wellcome: a work with many pages uses its representative image', async () => {
  const { records, report } = await readFile('wellcome', 'wellcome/works.jsonl');
  expect(records.get('wellcome_test0004')).toMatchObject({
    rights: { status: 'cc0' },
    year_from: 1601,
    image: { kind: 'iiif', url: 'https://iiif.wellcomecollection.org/image/b99999999_0001.jp2' },
  });
  expect(report.left_out['neither an image nor an object (workType)']).toBe(1);
});

test('Smithsonian: notes name owners, exhibitions and books', () => {
  const note = (label: string, content: string) => ({ label, content });
  const picture = { type: 'Images', usage: { access: 'CC0' }, content: 'https://ids.test/1' };
  const record = mapped('smithsonian', {
    unitCode: 'HMSG',
    title: 'Boat',
    content: {
      descriptiveNonRepeating: {
        record_ID: 'hmsg_1',
        metadata_usage: { access: 'CC0' },
        online_media: { media: [picture] },
      },
      freetext: {
        notes: [
          note('Provenance', 'Nemo Example, to 1871'),
          note('Collection History', 'Given in 1871.'),
          note('Published References', 'NOTHER, A. Invented Boats, p. 3.'),
          note('Published References', 'SAMPLE, N. 1880.'),
          note('Exhibition History', 'INVENTED HALL. 1855.'),
        ],
      },
    },
  });
  expect(record).toMatchObject({
    provenance: 'Nemo Example, to 1871 • Given in 1871.',
    exhibitions: 'INVENTED HALL. 1855.',
    references: 'NOTHER, A. Invented Boats, p. 3. • SAMPLE, N. 1880.',
  });
});

test('Smithsonian: coordinates of a place are kept with its narrowest name', () => {
  const at = (latitude: string, longitude: string) => ({
    point: { latitude: { content: latitude }, longitude: { content: longitude } },
  });
  const location = (points: object) => ({ L2: { content: 'Atlantis' }, L3: { content: 'Nowhere' }, points });
  const record = mapped('smithsonian', {
    unitCode: 'NMAI',
    title: 'Boat',
    content: {
      descriptiveNonRepeating: {
        record_ID: 'nmai_1',
        metadata_usage: { access: 'CC0' },
        online_media: {
          media: [{ type: 'Images', usage: { access: 'CC0' }, content: 'https://ids.test/1' }],
        },
      },
      indexedStructured: { geoLocation: [location(at('31.25', '-24.5')), location(at('0', '0')), {}] },
    },
  });
  expect(record).toMatchObject({
    places: [{ name: 'Nowhere', kind: 'named', latitude: 31.25, longitude: -24.5 }],
  });
});

test('Cleveland: an empty list becomes an empty field', () => {
  const row = { id: '7', share_license_status: 'CC0', title: 'A vase', creators: '[]', culture: '[]' };
  expect(mapped('cleveland', { ...row, find_spot: '[]' })).toMatchObject({
    artists: [],
    culture: '',
    tags: [],
  });
});

test.each(Object.keys(IMPORTERS) as MuseumName[])(
  '%s: an empty or foreign row is left out or rejected',
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
