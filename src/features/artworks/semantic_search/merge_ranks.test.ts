import { expect, test } from 'vitest';
import type { Found } from '../search/types.ts';
import { mergeRanks, pageOf, seenToo } from './merge_ranks.ts';

const found = (ids: readonly string[], missing?: readonly string[]): Found => ({
  hits: ids.map((id) => ({
    record: { id } as Found['hits'][number]['record'],
    why: 'title',
    ...(missing && { missing }),
  })),
  total: ids.length,
  facets: { museum: {}, century: {}, medium: {}, licence: {} },
  relaxed: missing?.map((word) => `"${word}" was left out`) ?? [],
});
const ranking = (ids: readonly string[]) => new Map(ids.map((id, place) => [id, 0.9 - place / 10]));
const NONE = { meaning: ranking([]), seen: ranking([]), worded: new Set<string>() };
const idsOf = (merged: readonly { id: string }[]) => merged.map(({ id }) => id).join('');

test('works that match all words keep their order and precede image-only matches', () => {
  const seen = ranking(['x', 'c', 'y', 'w']);
  const merged = mergeRanks(found(['a', 'b', 'c']), { ...NONE, seen, worded: new Set(['w']) });
  expect(idsOf(merged)).toBe('abcwxy');
  expect(merged.find(({ id }) => id === 'c')!.why).toBe('title, image content (similarity 0.80)');
  expect(merged.filter(({ isOnlySeen }) => isOnlySeen).map(({ id }) => id)).toEqual(['x', 'y']);
});

test('without a full text match, text, semantic and image ranks weigh equally', () => {
  const parts = { ...NONE, seen: ranking(['x', 'b']), meaning: ranking(['m']) };
  expect(idsOf(mergeRanks(found(['a', 'b'], ['dog']), parts))).toBe('bamx');
});

test.each([
  [10, 'abcdefghxy'],
  [5, 'abcdx'],
  [4, 'abcd'],
  [12, 'abcdefghijxy'],
])('on a full page of %i the last fifth is for image-only matches', (limit, expected) => {
  const seen = ranking(['x', 'y', 'z'].slice(0, limit === 12 ? 2 : 3));
  const merged = mergeRanks(found([...'abcdefghijkl']), { ...NONE, seen });
  expect(idsOf(seenToo(merged, limit))).toBe(expected);
});

test('pages neither repeat nor skip works', () => {
  const all = Array.from({ length: 23 }, (_, at) => ({
    id: `w${at}`,
    hit: undefined,
    isOnlySeen: at > 17,
    why: '',
    score: 1 / (at + 1),
  }));
  const merged = all as unknown as Parameters<typeof pageOf>[0];
  const pages = [0, 5, 10, 15, 20].map((offset) => pageOf(merged, { limit: 5, offset }));
  expect(pages.map(({ length }) => length)).toEqual([5, 5, 5, 5, 3]);
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(23);
});
