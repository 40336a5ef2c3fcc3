import { expect, test } from 'vitest';
import { termWords } from './subject_words.ts';

test.each([
  ['kitten', [], 'a kitten', false],
  ['owl', ['bird', 'animal'], 'an owl', false],
  ['ewe', ['sheep', 'animal'], 'a ewe', false],
  ['unicorn', ['mythical being'], 'a unicorn', false],
  ['German shepherd', ['dog', 'animal'], 'a German shepherd', false],
  ['flowers', [], 'flowers', true],
  ['flock of sheep', ['herd', 'animal'], 'a flock of sheep', false],
  ['ruins of a city', ['cityscape'], 'ruins of a city', true],
  ['bus', ['vehicle'], 'a bus', false],
  ['grass', ['plant'], 'grass', false],
  ['sea', ['landscape'], 'the sea', false],
  ['Mars', ['god', 'mythical being'], 'Mars', false],
  ['crucifixion', ['religious scene'], 'the crucifixion', false],
  ['card playing', ['activity'], 'card playing', false],
  ['mammal', ['animal'], 'an animal', false],
])('%s (%j) is said as "%s"', (term, broader, words, isMany) => {
  expect(termWords({ term, broader })).toEqual({ words, isMany });
});
