import { expect, test } from 'vitest';
import type { Edition } from '../../artworks/releases/edition_store.ts';
import { downloadBytesOf, MANIFEST, type ModelEntry, rightsOf } from '../manifest.ts';
import { isRecommended, namesMeant, offerNames, offersOf } from './offers.ts';

const models = Object.entries(MANIFEST).map(([name, entry]: [string, ModelEntry]) => ({
  name: name as keyof typeof MANIFEST,
  entry,
  bytes: downloadBytesOf(entry),
  licence: rightsOf(entry)?.licence,
  sources: [],
  group: undefined,
  installed: undefined,
  arrived: 0,
}));

test('every network and museum with files is offered with its size and licence', () => {
  const editions = [{ museum: 'met' }, { museum: 'starter' }] as Edition[];
  const offers = offersOf({ models, dataset: { editions }, sizes: { cleveland: 5 } });
  expect(offers.map(({ name }) => name)).toEqual(offerNames());
  expect(offers.filter(({ isHere }) => isHere).map(({ name }) => name)).toEqual(['met']);
  expect(offers.find(({ name }) => name === 'u2netp')).toMatchObject({
    bytes: 4_574_861,
    licence: 'Apache-2.0',
  });
  expect(offers.find(({ name }) => name === 'cleveland')).toMatchObject({ bytes: 5 });
  expect(offers.find(({ name }) => name === 'met')).toMatchObject({ bytes: 317_650_992, isEstimate: true });
  expect(offers.find(({ name }) => name === 'nga')).toMatchObject({ bytes: undefined, pieces: '5 files' });
  expect(offers.every(({ name, isRecommended: is }) => is === isRecommended(name))).toBe(true);
});

test('a name selects a network, a museum or all vision networks', () => {
  expect(namesMeant('vision')).toEqual([
    'yunet',
    'face_full_range',
    'tagger',
    'content_rating',
    'text_detection',
    'tinyclip',
  ]);
  expect([namesMeant('u2netp'), namesMeant('met'), namesMeant('toString')]).toEqual([
    ['u2netp'],
    ['met'],
    [],
  ]);
});
