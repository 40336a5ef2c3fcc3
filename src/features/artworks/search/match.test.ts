import { expect, test } from 'vitest';
import { parseRecord } from '../records/record.ts';
import { hasWords } from './match.ts';
import { parseQuery } from './parse_query.ts';

const record = (title: string) =>
  parseRecord({
    id: 'rijks_1',
    museum: 'rijks',
    title,
    year_from: 1700,
    year_to: 1700,
    source_url: 'https://museum.test/',
    rights: { status: 'cc0', evidence: null, url: 'https://cc0.test/' },
  });

test.each([
  ['De molens bij Rotterdam', true],
  ['Gezicht op Mol', false],
])('"%s" contains the word for a windmill: %s', (title, has) => {
  expect(hasWords(record(title), parseQuery('molen'), 1)).toBe(has);
});

test('query words that did not match the work are not checked', () => {
  expect(hasWords(record('De molen'), parseQuery('molen elephant'), 1)).toBe(true);
});

test('periods and words in other scripts are not checked', () => {
  expect(hasWords(record('Vaas'), parseQuery('ming dynasty'), 1)).toBe(true);
  expect(hasWords(record('Vaas'), parseQuery('猫'), 1)).toBe(true);
});
