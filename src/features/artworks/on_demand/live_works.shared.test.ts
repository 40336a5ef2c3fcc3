import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeMuseums, startFakeMuseums } from '../../../../tests/support/fake_museums.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { IMPORTERS } from '../museums/importers.ts';
import type { MuseumName } from '../museums/museums.ts';
import { type ArtworkRecord, parseRecord } from '../records/record.ts';
import { createMuseumClient } from './museum_client.ts';

const MUSEUMS = join(import.meta.dirname, '../../../../../shared/museums');
const read = (name: string) => gunzipSync(readFileSync(join(MUSEUMS, name))).toString('utf8');
const lines = (name: string): Row[] =>
  read(name)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

type Row = Record<string, unknown>;
const WORKS_MAX = 60;
const IIIF = 'https://www.artic.edu/iiif/2';

let museums: FakeMuseums;
beforeAll(async () => {
  museums = await startFakeMuseums();
});
afterAll(() => museums?.close());

/** Completes a work of which only the number is known. */
async function complete(
  museum: MuseumName,
  { id, accession_number }: Pick<ArtworkRecord, 'id' | 'accession_number'>,
) {
  const asking = createMuseumClient({
    mirror: museums.url,
    reach: {
      schemes: ['http:'],
      allows: () => true,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    },
    wait: async () => {},
    // Spaces the requests out: the rate limit is tested elsewhere.
    now: () => (time += 10_000),
  });
  const record = parseRecord({
    id,
    museum,
    accession_number,
    title: 'Known by its number',
    source_url: 'https://museum.test',
    rights: { status: 'public_domain', evidence: null, url: 'https://museum.test' },
  });
  return IMPORTERS[museum].live!.read({
    record,
    number: id.slice(museum.length + 1),
    key: 'key',
    get: async (url, more) => (await asking.json(museum, url, { pauseMs: 0, ...more })).value!,
  });
}
let time = 0;

/** By museum: real records, and the API response with one of them. */
const ANSWERS: readonly (readonly [MuseumName, () => Row[], (row: Row) => readonly [string, object]])[] = [
  [
    'met',
    () => lines('met/met-api-objects.jsonl.gz'),
    (row) => [`collectionapi.metmuseum.org/public/collection/v1/objects/${row.objectID}`, row],
  ],
  [
    'chicago',
    () => lines('chicago/artworks.jsonl.gz').map((row) => ({ ...row, iiif_url: IIIF })),
    (row) => [`api.artic.edu/api/v1/artworks/${row.id}`, { data: row, config: { iiif_url: IIIF } }],
  ],
  [
    'cleveland',
    () => JSON.parse(read('cleveland/data.json.gz')) as Row[],
    (row) => [`openaccess-api.clevelandart.org/api/artworks/${row.id}`, { data: row }],
  ],
  [
    'smithsonian',
    () => lines('smithsonian/saam.txt.gz'),
    (row) => [`api.si.edu/openaccess/api/v1.0/content/${row.url}`, { status: 200, response: row }],
  ],
];

describe('compared with museum records', needs('../shared'), () => {
  test.each(ANSWERS)(
    '%s: works fetched one by one equal those in its file',
    async (museum, rowsOf, answerOf) => {
      const rows = rowsOf().slice(0, WORKS_MAX);
      let read = 0;
      for (const row of rows) {
        const mapped = IMPORTERS[museum].map(row);
        if ('leftOut' in mapped) continue;
        const whole = parseRecord(mapped.record);
        museums.says(...answerOf(row));
        expect(await complete(museum, whole)).toEqual(mapped);
        read += 1;
      }
      expect(read).toBeGreaterThan(10);
    },
  );

  test('rijks: a real Linked Art object is read, with invented links to rights and image', async () => {
    const [made] = lines('rijks/linked-art-objects.jsonl.gz');
    const at = (id: unknown) => `data.rijksmuseum.nl/${String(id).split('/').at(-1)}?_profile=la-framed`;
    const [shown] = made!.shows as { id: string }[];
    const number = 'RP-T-1930-54(V)';
    museums.says(`data.rijksmuseum.nl/search/collection?objectNumber=${encodeURIComponent(number)}`, {
      orderedItems: [{ id: made!.id }],
    });
    museums.says(at(made!.id), made!);
    museums.says(at(shown!.id), {
      subject_to: [{ classified_as: [{ id: 'https://creativecommons.org/publicdomain/mark/1.0/' }] }],
      digitally_shown_by: [{ id: 'https://id.rijksmuseum.nl/9' }],
    });
    museums.says(at('9'), { access_point: [{ id: 'https://iiif.micr.io/XXXXX/full/max/0/default.jpg' }] });
    museums.says('iiif.micr.io/XXXXX/info.json', { width: 3000, height: 2000 });
    const mapped = await complete('rijks', { id: `rijks_${number}`, accession_number: '' });
    expect('record' in mapped && parseRecord(mapped.record)).toMatchObject({
      id: `rijks_${number}`,
      accession_number: number,
      classification: 'drawing',
      title: 'Three Scribes',
      other_titles: ['Drie schriftgeleerden onder een gordijn'],
      artists: [
        {
          name: 'Rembrandt van Rijn',
          same_as: ['https://www.wikidata.org/wiki/Q5598', 'https://vocab.getty.edu/ulan/500011051'],
        },
      ],
      provenance: expect.stringContaining('Hermine Lang-Laris (1842-1913), Munich'),
      date: 'c. 1628 - c. 1629',
      year_from: 1628,
      year_to: 1629,
      medium: 'pen and brown ink, with brown wash and opaque white',
      dimensions: 'height 226 mm x width 176 mm',
      credit_line: 'Gift of C. Hofstede de Groot, The Hague',
      source_url: expect.stringContaining('https://www.rijksmuseum.nl/nl/collectie/object/'),
      image: { kind: 'iiif', url: 'https://iiif.micr.io/XXXXX', width: 3000 },
    });
  });
});
