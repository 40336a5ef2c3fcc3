import { expect, test } from 'vitest';
import { repairQuery } from './repair_query.ts';

const repaired = (query: string) => Object.fromEntries(repairQuery(new URLSearchParams(query)));

test.each([
  'name=Ada&amp;message=Hello',
  'name=Ada&AMP;message=Hello',
  'name=Ada&amp%3Bmessage=Hello',
  'name=Ada&amp%253Bmessage=Hello',
  'name=Ada&amp;amp;message=Hello',
  'name=Ada&amp%3Bamp;message=Hello',
  'amp;name=Ada&amp;message=Hello',
])('query string %s is repaired', (query) => {
  expect(repaired(query)).toEqual({ name: 'Ada', message: 'Hello' });
});

test('a correctly named parameter keeps its own value', () => {
  expect(repaired('message=first&amp;message=second')).toEqual({ message: 'first' });
});

test('values and other parameter names are unchanged', () => {
  expect(repaired('message=a%26amp;b&amp=1&ampere=2&amp;=3')).toEqual({
    message: 'a&amp;b',
    amp: '1',
    ampere: '2',
  });
});
