import { expect, test } from 'vitest';
import { SUBJECT_TERMS } from './subject_terms.ts';
import { narrowest, readVocabulary, sumUp } from './vocabulary.ts';

const terms = [...SUBJECT_TERMS.values()];

test('our vocabulary has more than 1,500 terms in the words of captions', () => {
  expect(terms.length).toBeGreaterThan(1500);
  expect(terms.map(({ term }) => term).filter((term) => !/^[\p{L}][\p{L}' -]*$/u.test(term))).toEqual([]);
});

test('no two terms differ by large letters alone', () => {
  const small = terms.map(({ term }) => term.toLowerCase());
  expect(small.filter((term, at) => small.indexOf(term) !== at)).toEqual([]);
});

test('each of the thousand classes of ImageNet is one term', () => {
  const classes = terms.flatMap((term) => term.classes).sort((one, other) => one - other);
  expect(classes).toEqual(Array.from({ length: 1000 }, (_, at) => at + 1));
});

test.each([
  ['kitten', ['cat', 'mammal', 'animal']],
  ['Chihuahua', ['toy dog', 'dog', 'mammal', 'animal']],
  ['sailing ship', ['ship', 'sailing vessel', 'watercraft', 'vehicle']],
  ['coast', ['shore', 'landscape']],
])('%s is also %j', (term, broader) => {
  expect(SUBJECT_TERMS.get(term)!.broader).toEqual(broader);
});

test('a cat of any coat is a cat, and bears the numbers others know it by', () => {
  expect(SUBJECT_TERMS.get('cat')).toMatchObject({
    kind: 'thing',
    classes: [282, 283, 286],
    ids: { aat: '300265960', wikidata: 'Q146' },
  });
});

test('numbers have the form of their publishers', () => {
  const ids = terms.flatMap(({ ids }) => ids ?? []);
  expect(ids.filter(({ aat }) => aat && !/^300\d{6}$/.test(aat))).toEqual([]);
  expect(ids.filter(({ wikidata }) => wikidata && !/^Q[1-9]\d*$/.test(wikidata))).toEqual([]);
});

test('an encoder gets a phrase that a word alone would not express', () => {
  expect(SUBJECT_TERMS.get('crane')!.prompt).toBe('crane, a bird');
  expect(SUBJECT_TERMS.get('horse')!.prompt).toBe('a picture of horse');
});

test.each([
  ['thing: a\na: b\nb: a', '"a" is broader than itself'],
  ['thing: a\nb: c', '"b" has narrower terms, but nothing says what it is'],
  ['thing: a, a', '"a" is twice under "thing"'],
  ['thing: a 1, b 1', 'Class 1 is "a" and "b"'],
  ['thing: a\nscene: a', '"a" is of 2 kinds'],
  ['a', '"a" is no term with narrower ones'],
])('a table that cannot be right is refused: %j', (table, reason) => {
  expect(() => readVocabulary(table)).toThrow(reason);
});

test('unsure among ten dogs is sure of a dog, and one that is two things counts once', () => {
  const vocabulary = readVocabulary('thing: dog, pet\npet: pug\ndog: pug, collie');
  const own = new Map([...vocabulary.values()].map((term) => [term, term.broader.length ? 0.4 : 0] as const));
  const sums = sumUp(own);
  expect([sums.get('dog'), sums.get('pet'), sums.get('pug')]).toEqual([0.8, 0.4, 0.4]);
});

test('only the narrowest are named', () => {
  const found = ['animal', 'cat', 'mammal', 'coast'].map((term) => SUBJECT_TERMS.get(term)!);
  expect(narrowest(found).map(({ term }) => term)).toEqual(['cat', 'coast']);
});
