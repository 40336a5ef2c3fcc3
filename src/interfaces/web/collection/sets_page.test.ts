import { expect, test } from 'vitest';
import { setsCookie, setsIn, type WorkSet, withWork, worksIn } from './sets_page.ts';

const cookieOf = (sets: readonly WorkSet[]) => setsCookie(sets, 'http://art.example')!.split(';')[0]!;

test('work sets round-trip through the cookie with any characters in names', () => {
  const sets = [
    { name: 'Blue; path=/ <b>:,%', works: ['met_1', 'rijks_SK-C-5'] },
    { name: 'Zürich', works: [] },
  ];
  expect(setsIn(`theme=dark; ${cookieOf(sets)}`)).toEqual(sets);
});

test.each(['atelier_sets=%', 'atelier_sets=a:%zz', 'atelier_sets=:met_1', 'atelier_sets=/////', ''])(
  'unreadable parts of the cookie "%s" are ignored',
  (cookie) => {
    for (const { name, works } of setsIn(cookie)) expect([name.length > 0, works]).toEqual([true, []]);
  },
);

test('the size of a set and the number of sets are limited', () => {
  const full = { name: 'a', works: Array.from({ length: 24 }, (_, at) => `met_${at}`) };
  const six = Array.from({ length: 6 }, (_, at) => ({ name: String(at), works: [] }));
  expect(withWork([full], { name: 'a', work: 'met_99' })).toBeUndefined();
  expect(withWork(six, { name: 'seven', work: 'met_1' })).toBeUndefined();
  expect(withWork([full], { name: 'a', work: 'met_3' })).toEqual([full]);
  expect(worksIn(`met_1,<script>,met_1,../x,${'y'.repeat(70)}`)).toEqual(['met_1']);
});
