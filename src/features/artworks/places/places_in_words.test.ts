import { expect, test } from 'vitest';
import { placePointsOf } from './places_in_words.ts';

const places = (record: Partial<Parameters<typeof placePointsOf>[0]>) =>
  placePointsOf({ museum: 'met', culture: '', tags: [], ...record });

test('a place of origin has the point of the gazetteer, whatever language it is written in', () => {
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

test('countries and historical regions say that they are no towns', () => {
  expect(places({ culture: 'Persia; Flanders' }).map(({ precision }) => precision)).toEqual([
    'country',
    'region',
  ]);
});

test.each(['Valencia', 'Cambridge', 'Edo period', 'American', 'Toledo', ''])('%j has no point', (culture) => {
  expect(places({ culture })).toEqual([]);
});

test('among subjects only names that are places always count', () => {
  expect(places({ tags: ['Reading', 'Nice', 'Buffalo', 'Male', 'France'] }).map(({ name }) => name)).toEqual([
    'France',
  ]);
});

test('what a place is to the work is said as far as the museum says it', () => {
  expect(places({ museum: 'rijks', tags: ['Amsterdam'] })[0]!.kind).toBe('shown');
  expect(places({ museum: 'met', tags: ['Paris'] })[0]!.kind).toBe('named');
  expect(places({ museum: 'cleveland', tags: ['Constantinople'] })[0]!.kind).toBe('found');
});

test('a point of the museum comes first, and a place is named once', () => {
  const own = { name: 'Hamburg', kind: 'made', latitude: 53.55, longitude: 10 } as const;
  expect(
    places({ places: [own], culture: 'Italië; Italy' }).map(({ name, source }) => [name, source]),
  ).toEqual([
    ['Hamburg', 'museum'],
    ['Italië', 'gazetteer'],
  ]);
});

test('a doubt about a place does not hide it', () => {
  expect(places({ culture: 'possibly Delft' })[0]).toMatchObject({ name: 'possibly Delft', latitude: 52.01 });
});

test('a record with thousands of names is read in no time, and has few points', () => {
  expect(places({ culture: 'Paris, Delft, Rome; '.repeat(5000) }).length).toBeLessThanOrEqual(8);
});
