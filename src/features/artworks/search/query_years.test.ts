import { expect, test } from 'vitest';
import { parseQuery } from './parse_query.ts';
import { numbersIn, takeYears } from './query_years.ts';

test.each([
  ['vase 14th century bc', -1400, -1301],
  ['fourteenth century b.c. vase', -1400, -1301],
  ['vase 5 jahrhundert v. chr.', -500, -401],
  ['vase vie siecle av. j.-c.', -600, -501],
  ['vase 300-200 bce', -300, -200],
  ['vase 500 bc to 300 bc', -500, -300],
  ['vase between 500 and 300 bc', -500, -300],
  ['vase 50 bc to ad 50', -50, 50],
  ['vase 5th to 3rd century bc', -500, -201],
  ['vase 1st century bc - 1st century ad', -100, 100],
  ['vase second millennium b.c.', -2000, -1001],
  ['c. 1500 bc vase', -1525, -1475],
  ['vase ad 500', 500, 500],
  ['vase 500 ce', 500, 500],
  ['xviie siecle vase', 1601, 1700],
  ['fifteenth century vase', 1401, 1500],
  ['vase from the first half of the seventeenth century', 1601, 1650],
  ['vase of the end of the 18th century', 1767, 1800],
  ['vase sixteenth and seventeenth centuries', 1501, 1700],
  ['vase turn of the century', 1890, 1910],
  ['turn of the 18th century vase', 1690, 1710],
  ['late 1800s vase', 1866, 1899],
  ['vase eighteen hundreds', 1800, 1899],
  ['seicento vase', 1600, 1699],
  ['vase siglo xvii', 1601, 1700],
  ['vase in the twenties', 1920, 1929],
  ['vase around 1900', 1895, 1905],
  ['vase eighteen-fifties', 1850, 1859],
])('"%s" means a vase from %d to %d', (query, from, to) => {
  const { rest, years } = takeYears(query);
  expect([rest.replace(/\b(from|the|of)\b/g, '').trim(), years]).toEqual(['vase', { from, to }]);
});

test.each(['mix century', 'civic century', 'abc 14', 'bc', 'a man in his thirties', 'first half'])(
  '"%s" contains no date',
  (query) => {
    expect(takeYears(query)).toEqual({ rest: query });
  },
);

test.each([
  ['before 300 bc', { to: -301 }],
  ['after 1200 bc', { from: -1199 }],
])('"%s" is open at one end', (query, years) => {
  expect(takeYears(query).years).toEqual(years);
});

test.each([
  ['-500', { from: -500, to: -500 }],
  ['-500 to -300', { from: -500, to: -300 }],
  ['vases -50 to 50', { from: -50, to: 50 }],
])('%s has years before our era', (query, years) => {
  expect(parseQuery(query)).toMatchObject({ years, excluded: [] });
});

test('a minus before a number beside words excludes it', () => {
  expect(parseQuery('vase -500').excluded).toEqual([{ text: '500' }]);
});

test('an address of a work names its number', () => {
  expect(numbersIn('https://museum.example/art/collection/search/436535?x=1').whole).toBe('436535');
});
