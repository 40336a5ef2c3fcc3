import { expect, test } from 'vitest';
import { SUBJECT_TERMS } from './subject_terms.ts';
import { narrowest, readVocabulary, sumUp } from './vocabulary.ts';

const terms = [...SUBJECT_TERMS.values()];

test('the vocabulary has more than 1,500 terms in plain words', () => {
  expect(terms.length).toBeGreaterThan(1500);
  expect(terms.map(({ term }) => term).filter((term) => !/^[\p{L}][\p{L}' -]*$/u.test(term))).toEqual([]);
});

test('no two terms differ only by case', () => {
  const small = terms.map(({ term }) => term.toLowerCase());
  expect(small.filter((term, at) => small.indexOf(term) !== at)).toEqual([]);
});

test('each of the 1,000 ImageNet classes maps to one term', () => {
  const classes = terms.flatMap((term) => term.classes).sort((one, other) => one - other);
  expect(classes).toEqual(Array.from({ length: 1000 }, (_, at) => at + 1));
});

test.each([
  ['kitten', ['cat', 'mammal', 'animal']],
  ['Chihuahua', ['toy dog', 'dog', 'mammal', 'animal']],
  ['sailing ship', ['ship', 'sailing vessel', 'watercraft', 'vehicle']],
  ['coast', ['shore', 'landscape']],
])('%s has the broader terms %j', (term, broader) => {
  expect(SUBJECT_TERMS.get(term)!.broader).toEqual(broader);
});

test('all cat classes map to "cat", with its AAT and Wikidata ids', () => {
  expect(SUBJECT_TERMS.get('cat')).toMatchObject({
    kind: 'thing',
    classes: [282, 283, 286],
    ids: { aat: '300265960', wikidata: 'Q146' },
  });
});

test('AAT and Wikidata ids are well formed', () => {
  const ids = terms.flatMap(({ ids }) => ids ?? []);
  expect(ids.filter(({ aat }) => aat && !/^300\d{6}$/.test(aat))).toEqual([]);
  expect(ids.filter(({ wikidata }) => wikidata && !/^Q[1-9]\d*$/.test(wikidata))).toEqual([]);
});

test('an ambiguous term has a descriptive prompt for the encoder', () => {
  expect(SUBJECT_TERMS.get('crane')!.prompt).toBe('crane, a bird');
  expect(SUBJECT_TERMS.get('horse')!.prompt).toBe('a picture of horse');
});

test.each([
  ['thing: a\na: b\nb: a', '"a" is broader than itself'],
  ['thing: a\nb: c', '"b" has narrower terms but no broader term or kind'],
  ['thing: a, a', '"a" appears twice under "thing"'],
  ['thing: a 1, b 1', 'Class 1 is "a" and "b"'],
  ['thing: a\nscene: a', '"a" has 2 kinds'],
  ['a', '"a" is not a term with narrower terms'],
])('an inconsistent vocabulary table is rejected: %j', (table, reason) => {
  expect(() => readVocabulary(table)).toThrow(reason);
});

test('scores of dog breeds add up to "dog", and a term with two parents counts once', () => {
  const vocabulary = readVocabulary('thing: dog, pet\npet: pug\ndog: pug, collie');
  const own = new Map([...vocabulary.values()].map((term) => [term, term.broader.length ? 0.4 : 0] as const));
  const sums = sumUp(own);
  expect([sums.get('dog'), sums.get('pet'), sums.get('pug')]).toEqual([0.8, 0.4, 0.4]);
});

test('only the narrowest terms are kept', () => {
  const found = ['animal', 'cat', 'mammal', 'coast'].map((term) => SUBJECT_TERMS.get(term)!);
  expect(narrowest(found).map(({ term }) => term)).toEqual(['cat', 'coast']);
});
