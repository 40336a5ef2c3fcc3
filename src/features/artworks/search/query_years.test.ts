import { expect, test } from 'vitest';
import { takeYears } from './query_years.ts';

test.each([
  ['vase 14th century bc', -1400, -1301],
  ['fourteenth century b.c. vase', -1400, -1301],
  ['vase 5 jahrhundert v. chr.', -500, -401],
  ['vase vie siecle av. j.-c.', -600, -501],
  ['vase 300-200 bce', -300, -200],
  ['xviie siecle vase', 1601, 1700],
  ['fifteenth century vase', 1401, 1500],
])('"%s" is a vase of %d to %d', (query, from, to) => {
  const { rest, years } = takeYears(query);
  expect([rest.trim(), years]).toEqual(['vase', { from, to }]);
});

test.each(['mix century', 'civic century', 'abc 14', 'bc'])('"%s" holds no date', (query) => {
  expect(takeYears(query)).toEqual({ rest: query });
});
