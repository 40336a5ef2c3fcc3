import { expect, test } from 'vitest';
import { parseRecord } from '../records/record.ts';
import { createCachedReader } from './open_index.ts';
import { createSegmentBuilder, decodePostings, positionsReader } from './segment_builder.ts';
import { phrasePostings } from './word_index.ts';

const record = (id: number, title: string, more: object = {}) =>
  parseRecord({
    id: `met_${id}`,
    museum: 'met',
    title,
    source_url: 'https://museum.test/',
    rights: { status: 'cc0', evidence: null, url: 'https://museum.test/rights' },
    ...more,
  });

function wordsOf(titles: readonly string[]) {
  const builder = createSegmentBuilder(titles.length);
  for (const [at, title] of titles.entries()) builder.add(1000 + at, record(at, title), (word) => word);
  return new Map([...builder.words()].map((word) => [word.word, word]));
}

test('posting lists survive encoding, even with large gaps', () => {
  const titles = Array.from({ length: 40_000 }, (_, at) => (at % 20_000 === 7 ? 'rare common' : 'common'));
  const words = wordsOf(titles);
  expect([...decodePostings(words.get('rare')!).places]).toEqual([7, 20_007]);
  expect(decodePostings(words.get('common')!).places).toEqual(Uint32Array.from(titles.keys()));
  const reader = positionsReader(words.get('rare')!.positions);
  reader.skip();
  expect(reader.next()).toEqual([1]);
});

test('a word weighs more in a short title than in a long one or a description', () => {
  const builder = createSegmentBuilder(3);
  builder.add(1, record(1, 'Storm'), (word) => word);
  builder.add(2, record(2, 'Ships of the Dutch fleet in a storm off the coast near Dover'), (word) => word);
  builder.add(3, record(3, 'Ships', { description: 'A storm at sea.' }), (word) => word);
  const [storm] = [...builder.words()].filter(({ word }) => word === 'storm');
  const [short, long, described] = decodePostings(storm!).impacts;
  expect(short!).toBeGreaterThan(long!);
  expect(long!).toBeGreaterThan(described!);
});

test('a phrase matches only consecutive words', () => {
  const words = wordsOf([
    'wheat field',
    'field of wheat',
    'field, wheat',
    'a wheat field by a field of wheat',
  ]);
  const placed = (word: string) => {
    const { positions, ...stored } = words.get(word)!;
    return [{ postings: decodePostings(stored), positions }];
  };
  expect([...phrasePostings([placed('wheat'), placed('field')]).places]).toEqual([0, 3]);
  expect([...phrasePostings([placed('field'), placed('of'), placed('wheat')]).places]).toEqual([1, 3]);
});

test('the cache evicts the least recently used entry', async () => {
  const kept = createCachedReader<string>(1000, ({ length }) => length);
  const asked: string[] = [];
  const ask = (...names: string[]) =>
    kept.all(
      names,
      async (missing) => {
        asked.push(...missing);
        return new Map([...missing].map((name) => [name, name.repeat(100)]));
      },
      'absent',
    );
  for (const name of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await ask(name);
  expect(asked).toEqual(['a', 'b', 'c', 'd', 'b']);
});
