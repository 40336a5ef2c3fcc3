import { expect, test } from 'vitest';
import { SYNONYMS, termMatcher } from './match_terms.ts';
import { SUBJECT_TERMS } from './subject_terms.ts';

const match = termMatcher(SUBJECT_TERMS);

test.each([
  ['boat', 'boat'],
  ['Boats', 'boat'],
  ['three fishing-boats', 'fishing boat'],
  ['Sailboats', 'sailing boat'],
  ['harbor', 'harbour'],
  ['the people', 'person'],
  ['churches', 'church'],
  ['Scissors', 'scissors'],
  ['a pair of sunglasses', 'sunglasses'],
  ['flocks of sheep', 'flock of sheep'],
  ['Self Portrait', 'self-portrait'],
  ['still lifes', 'still life'],
  ['small grey cat', 'cat'],
  ['black bear', 'black bear'],
  ['red pandas', 'red panda'],
])('"%s" matches %s', (words, term) => {
  expect(match(words)?.term).toBe(term);
});

test.each(['teddy bear of a man', 'chocolate bunny', 'melancholy', '', '  ', 'of', '💥', 'a'.repeat(9000)])(
  '"%s" matches no term',
  (words) => {
    expect(match(words)).toBeUndefined();
  },
);

test('a match includes broader terms and ids', () => {
  expect(match('dogs')).toMatchObject({
    broader: ['mammal', 'animal'],
    ids: { aat: '300265714', wikidata: 'Q144' },
  });
});

test('every synonym maps to a term in the vocabulary', () => {
  expect(Object.values(SYNONYMS).filter((term) => !SUBJECT_TERMS.has(term))).toEqual([]);
});

test('every term matches its own name', () => {
  const lost = [...SUBJECT_TERMS.values()].filter(({ term }) => match(term)?.term !== term);
  expect(lost.map(({ term }) => [term, match(term)?.term])).toEqual([]);
});
