import { expect, test } from 'vitest';
import { type ArtworkRecordInput, parseRecord } from './record.ts';

const wave: ArtworkRecordInput = {
  id: 'met_45434',
  museum: 'met',
  title: 'Under the Wave off Kanagawa',
  source_url: 'https://www.metmuseum.org/art/collection/search/45434',
  rights: {
    status: 'public_domain',
    evidence: { field: 'Is Public Domain', value: 'True' },
    url: 'https://creativecommons.org/publicdomain/zero/1.0/',
  },
};

test('omitted fields are empty', () => {
  expect(parseRecord(wave)).toMatchObject({ artists: [], date: '', year_from: null, image: null, tags: [] });
});

test.each([
  [{ id: 'chicago_1' }, 'id: must start with met_'],
  [{ id: 'met_../../etc' }, 'id:'],
  [{ title: '  ' }, 'title:'],
  [{ source_url: 'javascript:alert(1)' }, 'source_url:'],
  [{ artist: 'Hokusai' }, 'artist'],
  [{ year_from: 1830.5 }, 'year_from:'],
])('%j is rejected with the field name', (change, words) => {
  expect(() => parseRecord({ ...wave, ...change })).toThrow(words);
});
