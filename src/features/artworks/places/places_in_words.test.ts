import { expect, test } from 'vitest';
import { placePointsOf } from './places_in_words.ts';

const places = (record: Partial<Parameters<typeof placePointsOf>[0]>) =>
  placePointsOf({ museum: 'met', culture: '', tags: [], ...record });

test('a place of origin gets gazetteer coordinates in any language', () => {
  expect(places({ museum: 'rijks', culture: 'Parijs, Edo, 1615–1868' })).toEqual([
    {
      name: 'Parijs',
      latitude: 48.85,
      longitude: 2.35,
      kind: 'made',
      precision: 'city',
      source: 'gazetteer',
    },
    expect.objectContaining({ name: 'Edo', latitude: 35.69, longitude: 139.69 }),
  ]);
});

test('countries and historical regions have their own precision', () => {
  expect(places({ culture: 'Persia; Flanders' }).map(({ precision }) => precision)).toEqual([
    'country',
    'region',
  ]);
});

test.each(['Valencia', 'Cambridge', 'Edo period', 'American', 'Toledo', ''])(
  '%j has no coordinates',
  (culture) => {
    expect(places({ culture })).toEqual([]);
  },
);

test('only unambiguous place names among subjects become places', () => {
  expect(places({ tags: ['Reading', 'Nice', 'Buffalo', 'Male', 'France'] }).map(({ name }) => name)).toEqual([
    'France',
  ]);
});

test('the kind of a place depends on the museum', () => {
  expect(places({ museum: 'rijks', tags: ['Amsterdam'] })[0]!.kind).toBe('shown');
  expect(places({ museum: 'met', tags: ['Paris'] })[0]!.kind).toBe('named');
  expect(places({ museum: 'cleveland', tags: ['Constantinople'] })[0]!.kind).toBe('found');
});

test('coordinates of the museum come first and duplicate places are merged', () => {
  const own = { name: 'Hamburg', kind: 'made', latitude: 53.55, longitude: 10 } as const;
  expect(
    places({ places: [own], culture: 'Italië; Italy' }).map(({ name, source }) => [name, source]),
  ).toEqual([
    ['Hamburg', 'museum'],
    ['Italië', 'gazetteer'],
  ]);
});

test('an uncertain place keeps its coordinates', () => {
  expect(places({ culture: 'possibly Delft' })[0]).toMatchObject({ name: 'possibly Delft', latitude: 52.01 });
});

test('a record with thousands of place names keeps at most eight places', () => {
  expect(places({ culture: 'Paris, Delft, Rome; '.repeat(5000) }).length).toBeLessThanOrEqual(8);
});
