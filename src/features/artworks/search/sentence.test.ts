import { expect, test } from 'vitest';
import { parseQuery } from './parse_query.ts';

const typed = (query: string): string[] => parseQuery(query).groups.map(([first]) => first!.text);

test.each([
  ["I'd love to see boats", ['boats']],
  ['who painted portraits of Napoleon', ['portraits', 'napoleon']],
  ['how did artists show the fall of Icarus', ['fall of icarus']],
  ['an old map that shows the city of Amsterdam', ['old', 'map', 'amsterdam']],
  ['vases made in China', ['vases', 'china']],
  ['drawings by Dutch artists', ['drawings', 'dutch']],
  ['the artist in his studio', ['artist', 'studio']],
  ['prints after Rubens', ['prints', 'rubens']],
  ['a portrait in the style of Rembrandt', ['portrait', 'rembrandt']],
  ['works of the school of Fontainebleau', ['school of fontainebleau']],
  ['a ring made of gold', ['ring', 'gold']],
  ['I am trying to find portraits', ['portraits']],
  ['do you happen to have a map', ['map']],
  ['tiles decorated with ships', ['tiles', 'ships']],
])('%j searches for %j', (query, words) => {
  expect(typed(query)).toEqual(words);
});

test.each([
  ['a still life with lemons but no flowers', 'flowers', 'bloemen'],
  ['landscape without boats', 'boats', 'boot'],
  ['a market, not by night', 'night', 'nacht'],
  ['a river without people', 'people', 'vrouw'],
])('%j excludes %s and its synonym %s', (query, word, same) => {
  const { groups, excluded } = parseQuery(query);
  expect(excluded.map(({ text }) => text)).toEqual(expect.arrayContaining([word, same]));
  expect(groups.flat().map(({ text }) => text)).not.toContain(word);
});

test('a minus excludes the typed word but not its synonyms', () => {
  expect(parseQuery('ships -flowers').excluded).toEqual([{ text: 'flowers' }]);
});

test('"no" without a sentence excludes nothing because it also means Noh theatre', () => {
  expect(parseQuery('no masks').excluded).toEqual([]);
});

test.each([
  ['a puppy', 'hond'],
  ['a man riding', 'ruiter'],
  ['an elderly woman', 'oude vrouw'],
  ['musical instruments', 'luit'],
])('%j is found where a catalogue says %s', (query, word) => {
  expect(
    parseQuery(query)
      .groups.flat()
      .map(({ text }) => text),
  ).toContain(word);
});

test('either of two terms joined by "or" is enough', () => {
  const groups = parseQuery('peasants at a wedding or fair').groups.map((terms) =>
    terms.map(({ text }) => text),
  );
  expect(groups).toContainEqual(expect.arrayContaining(['wedding', 'fair']));
});

test('in a sentence, the setting weighs less than the subject, which comes first', () => {
  const settings = (query: string) =>
    parseQuery(query).groups.flatMap(([first]) => (first!.isSetting ? [first!.text] : []));
  expect(settings('paintings of ships in a storm with dark clouds at sunset')).toEqual([
    'storm',
    'clouds',
    'sunset',
  ]);
  expect(settings('woman with a parasol')).toEqual([]);
});

test.each([
  ['fishing boats on the beach at Scheveningen with nets', ['beach', 'nets']],
  ['etchings of Venice with gondolas by Whistler', ['gondolas']],
  ['fishermen on the beach', []],
  ['it should show a woman who writes at a table', ['table']],
])('%j: names are never a setting: %j', (query, words) => {
  const { groups } = parseQuery(query);
  expect(groups.flatMap(([first]) => (first!.isSetting ? [first!.text] : []))).toEqual(words);
});

test('in a sentence, the kind of work filters by kind instead of matching text', () => {
  const kinds = (query: string) =>
    parseQuery(query).groups.flatMap(([first]) => (first!.kinds ? [first!.text] : []));
  expect(kinds('prints of a mother holding her child')).toEqual(['prints']);
  expect(kinds('a girl who is reading a book at the window')).toEqual([]);
  expect(kinds('mother print')).toEqual([]);
});

test('a two-word kind of work is searched only in the medium', () => {
  const [print] = parseQuery('woodblock print of a mother holding her child').groups;
  expect(print!.every(({ isMedium }) => isMedium)).toBe(true);
});

test('the subject of a sentence is its first object, not a technique', () => {
  const subjects = (query: string) =>
    parseQuery(query)
      .groups.flat()
      .flatMap(({ isSubject, text }) => (isSubject ? [text] : []));
  expect(subjects('an etching in which a beggar begs at the door of a house')).toEqual(['beggar']);
  expect(subjects('beggars')).toEqual([]);
});

test.each(['paintings made before 1700 with a dog', 'paintings painted in 1650 with a dog'])(
  '%j: words around a date are not searched',
  (query) => {
    expect(typed(query)).toEqual(['paintings', 'dog']);
  },
);

test('hostile sentences give at most 16 term groups', () => {
  for (const part of ['by a ', 'i would ', 'not the ', 'city of ', 'or ', 'without any '])
    expect(parseQuery(part.repeat(3000)).groups.length).toBeLessThanOrEqual(16);
});
