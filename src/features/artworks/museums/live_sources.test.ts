import { expect, test } from 'vitest';
import { parseRecord } from '../records/record.ts';
import { IMPORTERS } from './importers.ts';
import type { MuseumName } from './museums.ts';

/** Invented responses of a museum's API, by URL. */
type Answers = Record<string, object>;

async function readFrom(answers: Answers, museum: MuseumName, number: string, more: object = {}) {
  const record = parseRecord({
    id: `${museum}_${number}`,
    museum,
    title: 'Known by its number',
    source_url: 'https://museum.test',
    rights: { status: 'public_domain', evidence: null, url: 'https://museum.test' },
    ...more,
  });
  const asked: string[] = [];
  const get = async (url: string) => {
    asked.push(url);
    if (answers[url]) return answers[url] as Record<string, unknown>;
    throw new Error(`unexpected request of ${url}`);
  };
  const mapped = await IMPORTERS[museum].live!.read({ record, number, key: 'key', get });
  return { mapped, asked };
}

const NGA = 'https://api.nga.gov/iiif/b3844568-a5d2-4da7-82db-eb843c11a311/info.json';
const PARIS = 'https://apicollections.parismusees.paris.fr/graphql';
const RIJKS = 'https://data.rijksmuseum.nl';
const SEARCH = `${RIJKS}/search/collection?objectNumber=A-1`;
const object = (shows: string) => ({
  [SEARCH]: { orderedItems: [{ id: 'https://id.rijksmuseum.nl/1' }] },
  [`${RIJKS}/1?_profile=la-framed`]: {
    identified_by: [
      {
        type: 'Identifier',
        content: 'A-1',
        classified_as: ['http://vocab.getty.edu/aat/300312355'],
      },
    ],
    shows: [{ id: shows }],
  },
});
const author = (name: string) => ({ entity: { fieldAuteurAuteur: { entity: { name } } } });
const work = (fieldLrefAdlib: number) => ({
  fieldLrefAdlib,
  title: 'Une toile',
  fieldOeuvreAuteurs: [author('Dupont, Jean')],
});
const BY_NAME = { title: 'Une Toile (A Canvas)', artists: [{ name: 'Jean Dupont' }] };

test.each<[string, string, Answers, MuseumName, string, object?]>([
  [
    'nga: a picture shown small only',
    'a width of 640 px',
    { [NGA]: { width: 4000, height: 3000, profile: ['level2', { maxWidth: 640 }] } },
    'nga',
    '26',
  ],
  [
    'chicago: not in the public domain',
    'does not state',
    { 'https://api.artic.edu/api/v1/artworks/1': { data: { id: 1, is_public_domain: false } } },
    'chicago',
    '1',
  ],
  [
    'rijks: a number it does not have',
    'no work with the number A-1',
    { [SEARCH]: { orderedItems: [] } },
    'rijks',
    'A-1',
  ],
  [
    'rijks: a licence that is not free',
    'does not state',
    {
      ...object('https://id.rijksmuseum.nl/2'),
      [`${RIJKS}/2?_profile=la-framed`]: {
        subject_to: [{ classified_as: [{ id: 'https://creativecommons.org/licenses/by/4.0/' }] }],
      },
    },
    'rijks',
    'A-1',
  ],
  [
    'rijks: its visual item is on another host, which is not asked',
    'does not state',
    object('https://elsewhere.test/2'),
    'rijks',
    'A-1',
  ],
  [
    'paris: two works of one title and maker',
    '2 works of the museum match it',
    { [PARIS]: { data: { nodeQuery: { entities: [work(1), work(2)] } } } },
    'paris',
    'une-toile',
    BY_NAME,
  ],
])('%s is rejected', async (_, why, answers, museum, number, more) => {
  const { mapped } = await readFrom(answers, museum, number, more);
  expect('leftOut' in mapped && mapped.leftOut).toContain(why);
});

test.each<[MuseumName, Answers]>([
  ['paris', { [PARIS]: { errors: [{ message: 'quota' }] } }],
  ['rijks', { [SEARCH.replace('A-1', '1')]: { message: 'later' } }],
])('%s: an error message instead of works is an invalid response', async (museum, answers) => {
  await expect(readFrom(answers, museum, '1')).rejects.toThrow('a response without');
});

test('nga: the size limit of the image server does not change the image size', async () => {
  const { mapped } = await readFrom({ [NGA]: { width: 9000, height: 7000, maxWidth: 4096 } }, 'nga', '26');
  expect('record' in mapped && mapped.record).toMatchObject({
    image: { width: 9000 },
    rights: { evidence: null },
  });
});
