import { expect, test } from 'vitest';
import { parseQuery } from './parse_query.ts';
import { numbersIn } from './query_years.ts';

test.each([
  ['RP-P-1909-118', { whole: 'RP-P-1909-118', words: ['RP-P-1909-118'] }],
  ['accession number 17.190.1', { whole: '17.190.1', words: ['17.190.1'] }],
  ['JP 2822', { whole: 'JP 2822', words: [] }],
  ['Rijksmuseum SK-C-5?', { whole: 'SK-C-5', words: ['SK-C-5'] }],
  ['met_436535', { whole: 'met_436535', words: ['met_436535'] }],
  ['object number 1642', { whole: '1642', words: [] }],
  ['the cup BK-16994 by Jamnitzer', { words: ['BK-16994'] }],
  ['RP P OB 1473', { possible: ['RP P OB 1473'], words: [] }],
  ['rp-p-ob 1473', { possible: ['rp-p-ob 1473'], words: [] }],
  ['1937 1 13', { possible: ['1937 1 13'], words: [] }],
  ['the print RP P OB 1473 by Lucas', { possible: ['RP P OB 1473'], words: [] }],
  ['SK\u2011C\u20115', { whole: 'SK-C-5', words: ['SK-C-5'] }],
])('"%s" contains an object number', (query, numbers) => {
  expect(numbersIn(query)).toEqual(numbers);
});

test.each([
  '1642',
  'paris 1850',
  'cats 1880s',
  '1860-1850',
  'pre-1700 maps',
  'late 19th-century',
  'c.1650',
  'van gogh',
])('"%s" contains no object number', (query) => {
  expect(numbersIn(query)).toEqual({ words: [] });
});

test('part of an object number is not read as a date', () => {
  expect(parseQuery('rembrandt RP-P-1909-118')).toEqual({
    groups: [[{ text: 'rp p 1909 118', isQuoted: true }], [{ text: 'rembrandt' }]],
    excluded: [],
  });
});
