import { expect, test } from 'vitest';
import { isDescriptive, parseQuery } from './parse_query.ts';
import { editDistance, likeliest } from './vocabulary.ts';

test.each([
  ['cats 1880s', { from: 1880, to: 1889 }],
  ['before 1700', { to: 1699 }],
  ['after 1900', { from: 1901 }],
  ['since 1900', { from: 1900 }],
  ['between 1850 and 1860', { from: 1850, to: 1860 }],
  ['1860-1850', { from: 1850, to: 1860 }],
  ['17th century', { from: 1601, to: 1700 }],
  ['late 19th century', { from: 1867, to: 1900 }],
  ['c. 1650', { from: 1645, to: 1655 }],
  ['1642', { from: 1642, to: 1642 }],
  ['1800s', { from: 1800, to: 1899 }],
])('years are read from the query "%s"', (query, years) => {
  expect(parseQuery(query).years).toEqual(years);
});

test('phrases stay together, a minus excludes and stop words are dropped', () => {
  expect(parseQuery('the "Night  Watch" by rembrandt -etching -dogs')).toEqual({
    groups: [[{ text: 'night watch', isQuoted: true }], [{ text: 'rembrandt' }]],
    excluded: [{ text: 'etching' }, { text: 'dogs' }],
  });
});

test('a phrase with synonyms is one term group', () => {
  const [first, second] = parseQuery('Still Life of da Vinci').groups;
  expect(first).toContainEqual({ text: 'stilleven', languages: ['dutch'] });
  expect(second).toContainEqual({ text: 'leonardo' });
});

test.each([
  ['boats', 'dutch', 'boot'],
  ['boots', 'dutch', 'laars'],
  ['skull', 'french', 'crane'],
  ['Welle', 'dutch', 'golf'],
  ['crane', 'dutch', 'kraanvogel'],
  ['富士山', 'english', 'fuji'],
  ['Jüngstes Gericht', 'dutch', 'laatste oordeel'],
  ['naturaleza muerta', 'english', 'still life'],
])('"%s" matches in %s catalogues as %s', (query, language, text) => {
  const [group] = parseQuery(query).groups;
  expect(group).toContainEqual({ text, languages: [language] });
});

test.each([
  ['boots', 'dutch', ['boots', 'boot']],
  ['golf', 'dutch', ['golf', 'golven']],
  ['skull', 'english', ['crane']],
  ['crane', 'french', ['crane']],
])('"%s" does not match in %s catalogues as any of %j', (query, language, texts) => {
  const terms = parseQuery(query).groups.flat();
  const here = terms.filter(({ languages }) => languages?.includes(language as 'dutch'));
  expect(here.filter(({ text }) => texts.includes(text))).toEqual([]);
});

test.each([
  ['rembrant', 'rembrandt', 1],
  ['vermere', 'vermeer', 1],
  ['breugel', 'bruegel', 1],
  ['', 'abc', 3],
])('the edit distance from "%s" to "%s" is %i', (a, b, errors) => {
  expect(editDistance(a, b)).toBe(errors);
});

test('a correction prefers the closest word, then the most common', () => {
  const candidates = [
    { word: 'money', works: 900 },
    { word: 'monet', works: 90 },
    { word: 'manet', works: 60 },
  ];
  expect(likeliest('monnet', candidates, 1)).toBe('monet');
  expect(likeliest('xyzzy', candidates, 2)).toBeUndefined();
});

test.each([
  ['a cat for my living room', 'cat'],
  ['a cat for the cover of a book', 'cat'],
  ['a poster above our bed', 'poster'],
])('"%s" searches for its subject and ignores its intended use', (query, word) => {
  expect(parseQuery(query).groups.map(([first]) => first!.text)).toEqual([word]);
});

test('a query that only states an intended use keeps its words', () => {
  expect(parseQuery('for my living room').groups.map(([first]) => first!.text)).toEqual(['living', 'room']);
});

test('a general term expands to specific ones unless the query names one', () => {
  const texts = (query: string) =>
    parseQuery(query)
      .groups.flat()
      .filter(({ isNarrower }) => isNarrower);
  expect(texts('netsuke animals').map(({ text }) => text)).toContain('konijn');
  expect(texts('crane bird')).toEqual([]);
});

test.each([
  ['歌川広重', 'hiroshige'],
  ['葛飾北斎', 'hokusai'],
])('the artist %s matches %s', (query, maker) => {
  expect(parseQuery(query).groups).toHaveLength(1);
  expect(parseQuery(query).groups[0]!.map(({ text }) => text)).toContain(maker);
});

test('related words are marked so that their matches rank lower', () => {
  const related = parseQuery('lobster').groups[0]!.filter(({ isRelated }) => isRelated);
  expect(related.map(({ text }) => text)).toEqual(['crab', 'crabs', 'krab', 'crabe', 'krebs']);
});

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

test.each(['painting', 'woodblock print', 'portrait', 'dark', 'dutch'])('"%s" describes a manner', (text) => {
  expect(isDescriptive({ text })).toBe(true);
});

test.each(['cat', 'storm at sea', 'prince'])('"%s" describes a subject', (text) => {
  expect(isDescriptive({ text })).toBe(false);
});

test('a quoted word is always a subject', () => {
  expect(isDescriptive({ text: 'portrait', isQuoted: true })).toBe(false);
});
