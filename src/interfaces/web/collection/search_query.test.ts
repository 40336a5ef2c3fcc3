import { expect, test } from 'vitest';
import { addressOf, pagesAround, searchInputOf, searchQueryFields } from './search_query.ts';
import { centuryLabel } from './words.ts';

const asked = searchQueryFields.parse({ query: 'sea', colors: 'red, dark blue', century: '-5', from: '24' });

test('a URL round-trips its query, and a changed query starts at the first page', () => {
  const [path, query] = addressOf(asked, { from: 24 }).split('?');
  expect(path).toBe('/collection');
  expect(searchQueryFields.parse(Object.fromEntries(new URLSearchParams(query)))).toEqual(asked);
  expect(addressOf(asked, { museum: 'met' })).not.toContain('from=');
  expect(addressOf(searchQueryFields.parse({}))).toBe('/collection');
});

test('query parameters are converted to numbers, lists and booleans', () => {
  expect(searchInputOf({ ...asked, has_image: 'true' }, { limit: 24, offset: 0 })).toEqual({
    query: 'sea',
    colors: ['red', 'dark blue'],
    century: -5,
    has_image: true,
    limit: 24,
  });
});

test('pagination never starts before the first work or after the last reachable one', () => {
  const best = (from: number) => ({ from, order: 'best' as const });
  expect(pagesAround(best(0), 24)).toEqual({});
  expect(pagesAround(best(24), 49)).toEqual({ previous: 0, next: 48 });
  expect(pagesAround(best(72), 100_000)).toEqual({ previous: 48, next: 96 });
  expect(pagesAround(best(888), 100_000)).toEqual({ previous: 864 });
  expect(pagesAround({ from: 72, order: 'oldest' }, 100_000)).toEqual({ previous: 48 });
});

test('centuries are formatted as ordinals, with BC', () => {
  expect(['17', '21', '-2', '3', '11', '1880s'].map(centuryLabel)).toEqual([
    '17th century',
    '21st century',
    '2nd century BC',
    '3rd century',
    '11th century',
    '1880s',
  ]);
});

test('similarity search uses an artwork or an image, and is omitted without either', () => {
  const sent = (fields: object) => searchInputOf(searchQueryFields.parse(fields), { limit: 4, offset: 0 });
  const work = { like: 'artwork:met_1', like_by: 'subject' };
  expect(sent(work)).toEqual({ query: '', like_work: 'met_1', like_by: 'subject', limit: 4 });
  expect(sent({ ...work, like: 'upload:x' })).toMatchObject({ like: 'upload:x', like_by: 'subject' });
  expect(addressOf(searchQueryFields.parse(work), { like: '' })).toBe('/collection');
});
