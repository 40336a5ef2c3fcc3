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
])('"%s" means %s', (words, term) => {
  expect(match(words)?.term).toBe(term);
});

test.each(['teddy bear of a man', 'chocolate bunny', 'melancholy', '', '  ', 'of', '💥', 'a'.repeat(9000)])(
  '"%s" means no term',
  (words) => {
    expect(match(words)).toBeUndefined();
  },
);

test('what is broader and its ids come along', () => {
  expect(match('dogs')).toMatchObject({
    broader: ['mammal', 'animal'],
    ids: { aat: '300265714', wikidata: 'Q144' },
  });
});

test('each synonym stands for a term of ours', () => {
  expect(Object.values(SYNONYMS).filter((term) => !SUBJECT_TERMS.has(term))).toEqual([]);
});

test('every term is found by its own name', () => {
  const lost = [...SUBJECT_TERMS.values()].filter(({ term }) => match(term)?.term !== term);
  expect(lost.map(({ term }) => [term, match(term)?.term])).toEqual([]);
});
