import { expect, test } from 'vitest';
import { parseRecord } from '../records/record.ts';
import { wordsOfRecord } from './fields.ts';
import { parseQuery } from './parse_query.ts';

const wordsWith = (iconclass?: string[]) =>
  wordsOfRecord(
    parseRecord({
      id: 'mkg_1',
      museum: 'mkg',
      title: 'Erfunden',
      source_url: 'https://www.mkg-hamburg.de/',
      rights: { status: 'cc0', evidence: null, url: 'https://a.test' },
      ...(iconclass && { iconclass }),
    }),
  ).flatMap(({ parts }) => parts.flat());

test('an Iconclass notation is indexed with its parents but not its bare digits', () => {
  const words = wordsWith(['25F36(SWAN)']);
  expect(words).toEqual(expect.arrayContaining(['25f', '25f3', '25f36', 'swan']));
  expect(words).not.toContain('25');
  expect(parseQuery('25F3').groups).toEqual([[{ text: '25f3', isQuoted: true }]]);
});

test('a record without notations has only its own words', () => {
  expect(wordsWith()).toEqual(['erfunden']);
});
