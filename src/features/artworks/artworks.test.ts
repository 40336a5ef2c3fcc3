import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import type { ScriptableDatabase } from '../../core/database/types.ts';
import { withdraw } from './dataset.ts';
import { openSource } from './readers/open_source.ts';
import { readChanges, readPage } from './records/record_store.ts';
import { lastOfEach, pruneEditions, readEdition } from './releases/edition_store.ts';
import { digestOf, type ImportOptions, importWorks, type Loss } from './releases/import_works.ts';
import { readMuseum } from './releases/read_museum.ts';
import { search } from './search/search.ts';
import { insertWords, nearWords } from './search/search_store.ts';
import { dropLetters } from './search/vocabulary.ts';
import { createArtworks } from './service.ts';

const KEY = generateKeyPairSync('ed25519').privateKey;
const folder = mkdtempSync(join(tmpdir(), 'atelier-artworks-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A work in the format of the Met's API. */
const answer = (objectID: number, more: Record<string, unknown> = {}) => ({
  objectID,
  isPublicDomain: true,
  title: `Work ${objectID}`,
  objectDate: '1885',
  objectBeginDate: 1885,
  objectEndDate: 1885,
  medium: 'Oil on canvas',
  artistDisplayName: 'Vincent van Gogh',
  primaryImage: `https://images.test/${objectID}.jpg`,
  tags: ['Women'],
  ...more,
});

const WORKS = [
  answer(1, { title: 'The Potato Eaters', accessionNumber: '1909.118' }),
  answer(2, {
    title: 'Wheat Field with Cypresses',
    objectBeginDate: 1889,
    objectEndDate: 1889,
    tags: [{ term: 'Trees' }],
  }),
  answer(3, {
    title: 'Étretat',
    artistDisplayName: 'Claude Monet',
    objectBeginDate: 1883,
    objectEndDate: 1883,
  }),
  answer(4, { title: 'Stormy Sea', artistDisplayName: 'Claude Monet', medium: 'Etching', tags: null }),
  answer(5, { title: 'Not free', isPublicDomain: false }),
];

const lines = (works: readonly unknown[]) =>
  works.map((work) => (typeof work === 'string' ? work : JSON.stringify(work))).join('\n');

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Searching requires neither images nor links. */
const artworksOf = (database: ScriptableDatabase) =>
  createArtworks({ database, folder, key: KEY, reach: {}, models: NO_MODELS } as unknown as Parameters<
    typeof createArtworks
  >[0]);

const NO_MODELS = { embedder: async () => undefined };

const importing = (database: ScriptableDatabase, path: string, more: Partial<ImportOptions> = {}) =>
  importWorks(database, (report) => readMuseum('met', openSource(path), report), {
    ...importOptions,
    ...more,
  });

const importOptions: ImportOptions = {
  museum: 'met',
  source: 'test',
  now: () => new Date(),
  signal: new AbortController().signal,
  onProgress() {},
  mayLose: async () => true,
};

forEachDatabase((_kind, open) => {
  let database: ScriptableDatabase;
  const titles = async (query: string, more: object = {}) =>
    (await artworksOf(database).search({ query, limit: 10, ...more })).hits
      .filter(({ missing }) => !missing)
      .map(({ record }) => record.title);

  test('re-importing the same file changes only the edition number', async () => {
    database = await open();
    const path = file('works.jsonl', lines(WORKS));
    const first = await importing(database, path);
    expect(first.report).toMatchObject({
      rows: 5,
      added: 4,
      left_out: { 'the museum does not state that it is in the public domain': 1 },
    });
    const again = await importing(database, path);
    expect(again.report).toMatchObject({ added: 0, changed: 0, unchanged: 4, removed: 0 });
    expect(again.edition).toMatchObject({ works: 4, digest: first.edition.digest, number: 2 });
  });

  test('changes between two editions are listed and the old edition stays readable', async () => {
    database = await open();
    await importing(database, file('works.jsonl', lines(WORKS)));
    const [one, , , ...rest] = WORKS;
    await importing(database, file('next.jsonl', lines([{ ...one, medium: 'Tempera' }, ...rest, answer(9)])));
    const changes = await readChanges(database, { from: 1, to: 2, after: '', limit: 10 });
    expect(changes.map(({ id, change }) => `${id} ${change}`)).toEqual([
      'met_1 changed',
      'met_2 removed',
      'met_3 removed',
      'met_9 added',
    ]);
    const old = await readPage(database, 1, { after: '', limit: 10 });
    expect(old.map(({ record }) => record.medium)[0]).toBe('Oil on canvas');
    expect(await titles('tempera')).toEqual(['The Potato Eaters']);
  });

  test('an import reports bad rows and duplicates and takes the rest', async () => {
    database = await open();
    const mixed = [
      WORKS[0],
      'not json \u001b[2J',
      '[1]',
      { objectID: 'x'.repeat(9) },
      WORKS[0],
      answer(7, { title: 'A'.repeat(200_000) }),
    ];
    const { report } = await importing(database, file('mixed.jsonl', lines(mixed)));
    expect(report).toMatchObject({
      rows: 6,
      added: 2,
      bad: 2,
      duplicates: 1,
      left_out: { 'no inventory number': 1 },
    });
    expect(report.bad_rows[0]).toEqual({
      where: 'mixed.jsonl:2',
      problem: 'not JSON',
      quote: 'not json  [2J',
    });
  });

  test('an import that would remove works is rejected unless the loss is allowed', async () => {
    database = await open();
    const { edition } = await importing(database, file('works.jsonl', lines(WORKS)));
    const part = file('part.jsonl', lines([WORKS[0], answer(9)]));
    const asked: Loss[] = [];
    const mayLose = async (loss: Loss) => {
      asked.push(loss);
      return false;
    };
    for (const refused of [{ mayLose }, { mayLose: undefined }] as Partial<ImportOptions>[])
      await expect(importing(database, part, refused)).rejects.toThrow(
        "3 of the museum's 4 works are missing from it and would be removed; it would have 2 works.",
      );
    expect(asked).toEqual([{ going: 3, works: 4, left: 2 }]);
    expect(await readEdition(database)).toEqual(edition);
    expect(await digestOf(database, edition.number)).toMatchObject({ digest: edition.digest, works: 4 });
    expect((await importing(database, part, { isPart: true, mayLose })).edition.works).toBe(5);
  });

  test('an import replaces the starter catalogue without asking if it has as many works', async () => {
    database = await open();
    expect(await artworksOf(database).edition()).toMatchObject({ works: expect.any(Number) });
    const allowing = { mayLose: async () => false };
    await expect(importing(database, file('works.jsonl', lines(WORKS)), allowing)).rejects.toThrow(
      'it would have 4 works.',
    );
    const many = Array.from({ length: 200 }, (_, at) => answer(1000 + at));
    const { report } = await importing(database, file('many.jsonl', lines(many)), allowing);
    expect(report.removed).toBeGreaterThan(4);
  });

  test('an import may replace a tenth of the works but not reduce their number', async () => {
    database = await open();
    const works = Array.from({ length: 10 }, (_, at) => answer(at + 1));
    await importing(database, file('ten.jsonl', lines(works)));
    const mayLose = async () => false;
    const fewer = file('nine.jsonl', lines(works.slice(1)));
    await expect(importing(database, fewer, { mayLose })).rejects.toThrow("1 of the museum's 10 works");
    const other = file('other.jsonl', lines([...works.slice(1), answer(99)]));
    expect((await importing(database, other, { mayLose })).report).toMatchObject({ removed: 1, added: 1 });
  });

  test('the index built during an import equals a rebuilt index', async () => {
    database = await open();
    const stop = new AbortController();
    const many = Array.from({ length: 600 }, (_, at) => answer(1000 + at, { title: `Sea and ship ${at}` }));
    const path = file('more.jsonl', lines([...WORKS, ...many]));
    // The second import resumes from what the first has written.
    await importing(database, path, { signal: stop.signal, onProgress: () => stop.abort() }).catch(() => {});
    const { edition } = await importing(database, path);
    const found = async () => {
      // The search index is cached per database object, so this uses a copy.
      const { hits, total } = await search({ ...database }, edition.number, {
        query: 'ship sea gogh',
        limit: 1000,
      });
      return { total, found: hits.map(({ record }) => record.id).sort() };
    };
    const counted = () =>
      database.query(`select word, works from artwork_words where word in ('ship', 'gogh') order by word`);
    const whileWritten = await found();
    expect(whileWritten.total).toBe(600);
    expect(await counted()).toEqual([
      { word: 'gogh', works: 602 },
      { word: 'ship', works: 600 },
    ]);
    await database.query('delete from artwork_indexes');
    expect(await found()).toEqual(whileWritten);
  });

  test('a word of a single work matches exactly but is no spelling suggestion', async () => {
    database = await open();
    const counted = [
      { word: 'monet', works: 2 },
      { word: 'monat', works: 1 },
    ];
    await insertWords(
      database,
      counted.map((one) => ({ ...one, shortened: dropLetters(one.word) })),
    );
    const near = (word: string) => nearWords(database, [word], dropLetters(word));
    expect(await near('monat')).toEqual(expect.arrayContaining(counted));
    expect(await near('mont')).toEqual([{ word: 'monet', works: 2 }]);
  });

  test('a truncated file removes no works', async () => {
    database = await open();
    await importing(database, file('works.jsonl', lines(WORKS)));
    const many = Array.from({ length: 3000 }, (_, at) =>
      answer(100 + at, { title: `${at} ${Math.random()}` }),
    );
    const whole = gzipSync(lines(many));
    const { report, edition } = await importing(
      database,
      file('cut.jsonl.gz', whole.subarray(0, whole.length / 2)),
    );
    expect(report).toMatchObject({ complete: false, removed: 0, bad: expect.any(Number) });
    expect(report.added).toBeGreaterThan(100);
    expect(edition.works).toBe(report.added + 4);
  });

  test('a file in an unknown format changes nothing', async () => {
    database = await open();
    await importing(database, file('works.jsonl', lines(WORKS)));
    await expect(importing(database, file('other.csv', 'a,b\n1,2\n'))).rejects.toThrow(
      'Missing columns: "Object ID"',
    );
    expect(await artworksOf(database).edition()).toMatchObject({ number: 1, works: 4 });
  });

  test.each(['whole', 'part'])(
    'an import of a %s without eligible works is rejected and removes nothing',
    async (which) => {
      database = await open();
      await importing(database, file('works.jsonl', lines(WORKS)));
      const none = file('none.jsonl', lines([answer(5, { isPublicDomain: false }), 'not json']));
      await expect(importing(database, none, { isPart: which === 'part' })).rejects.toThrow(
        /^None of its 2 rows is a work that can be imported \(1: the museum .*; 1: invalid \(the first: not JSON\)\)/,
      );
      expect(await artworksOf(database).edition()).toMatchObject({ number: 1, works: 4 });
      const { report, edition } = await importing(database, file('works.jsonl', lines(WORKS)));
      expect([report.unchanged, edition.number]).toEqual([4, 2]);
    },
  );

  test('a killed import is invisible and the next import resumes it', async () => {
    database = await open();
    await importing(database, file('works.jsonl', lines(WORKS)));
    const stop = new AbortController();
    const more = Array.from({ length: 600 }, (_, at) => answer(1000 + at));
    const path = file('more.jsonl', lines([...WORKS, ...more]));
    const onProgress = () => stop.abort();
    await expect(importing(database, path, { signal: stop.signal, onProgress })).rejects.toThrow();
    expect(await artworksOf(database).edition()).toMatchObject({ number: 1 });
    // An import stopped by hand records its end. A killed one could not.
    await database.query(`update artwork_editions set written_at = $1 where state = 'running'`, [new Date()]);
    await expect(importing(database, path)).rejects.toMatchObject({ code: 'busy' });
    const later = () => new Date(Date.now() + 600_000);
    const { edition, report } = await importing(database, path, { now: later });
    expect([edition.number, edition.works, report.rows]).toEqual([2, 604, 605]);
  });

  test('a stalled import does not change the edition of its successor', async () => {
    database = await open();
    const path = file('many.jsonl', lines(Array.from({ length: 600 }, (_, at) => answer(at + 1))));
    const [asleep, woken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = importWorks(
      database,
      async function* (report) {
        for await (const record of readMuseum('met', openSource(path), report)) {
          if (record.id === 'met_550') {
            asleep.resolve();
            await woken.promise;
          }
          yield record;
        }
      },
      importOptions,
    );
    await Promise.race([asleep.promise, slow]);
    await importing(database, path, { now: () => new Date(Date.now() + 600_000) });
    woken.resolve();
    await expect(slow).rejects.toMatchObject({ code: 'busy' });
    expect(await artworksOf(database).edition()).toMatchObject({ number: 1, works: 600 });
    expect(await readPage(database, 1, { limit: 700 })).toHaveLength(600);
  });

  test('a stopped import resumes at once and a withdrawal discards it', async () => {
    database = await open();
    await importing(database, file('works.jsonl', lines(WORKS)));
    const many = Array.from({ length: 300 }, (_, at) => answer(1000 + at));
    const path = file('more.jsonl', lines([...WORKS, ...many]));
    const stopped = () => {
      const stop = new AbortController();
      return importing(database, path, { signal: stop.signal, onProgress: () => stop.abort() });
    };
    await expect(stopped()).rejects.toThrow();
    expect((await importing(database, path)).edition.works).toBe(304);
    await expect(stopped()).rejects.toThrow();
    const number = await withdraw(database, { id: 'met_1', reason: 'asked for', now: new Date() });
    expect(await artworksOf(database).edition()).toMatchObject({ number, works: 303 });
  });

  test('pruning keeps the newest editions and deletes older records in batches', async () => {
    database = await open();
    for (const title of ['One', 'Two', 'Three', 'Four'])
      await importing(database, file('works.jsonl', lines([answer(1, { title }), answer(2)])));
    const prune = (before: string) =>
      pruneEditions(database, { keep: 2, before: new Date(before), rowsMax: 1 });
    expect(await prune('2000-01-01')).toBe(0);
    expect([await prune('3000-01-01'), await prune('3000-01-01'), await prune('3000-01-01')]).toEqual([
      1, 1, 0,
    ]);
    expect(await readEdition(database, 2)).toBeUndefined();
    const third = await readPage(database, (await readEdition(database, 3))!.number, { limit: 10 });
    expect(third.map(({ record }) => record.title)).toEqual(['Three', 'Work 2']);
    expect((await lastOfEach(database)).map(({ number }) => number)).toEqual([4]);
  });

  test('a partial import keeps the other works', async () => {
    database = await open();
    await importing(database, file('works.jsonl', lines(WORKS)));
    const { edition } = await importing(database, file('part.jsonl', lines([answer(9)])), { isPart: true });
    expect(edition.works).toBe(5);
  });

  test('an import limit keeps works with an image first', async () => {
    database = await open();
    const path = file('works.jsonl', lines([answer(8, { primaryImage: '' }), ...WORKS]));
    const { report } = await importing(database, path, { worksMax: 4 });
    expect(report).toMatchObject({ added: 4, left_out: { 'over the number of works asked for': 1 } });
  });

  describe('searching', () => {
    beforeAll(async () => {
      database = await open();
      await importing(database, file('works.jsonl', lines(WORKS)));
    });

    test.each([
      ['van gogh', ['The Potato Eaters', 'Wheat Field with Cypresses']],
      ['etretat', ['Étretat']],
      ['monet -étretat', ['Stormy Sea']],
      ['"wheat field"', ['Wheat Field with Cypresses']],
      ['"field wheat"', []],
      ['potatoes eater', ['The Potato Eaters']],
      ['monet 1883', ['Étretat']],
      ['gogh 1886-1890', ['Wheat Field with Cypresses']],
      ['before 1884', ['Étretat']],
      ['impressionist etching', ['Stormy Sea']],
      ['olieverf boom', ['Wheat Field with Cypresses']],
      ['tempest', ['Stormy Sea']],
      ["'; drop table artworks; --", []],
      ['\u0000%_*:&|!()<->', []],
      ['a'.repeat(500), []],
      ['👩‍🎨🖼️ صورة 自画像', []],
      [Array.from({ length: 250 }, (_, at) => `"${at}`).join(' '), []],
    ])('%s finds %j', async (query, expected) => {
      expect((await titles(query)).sort()).toEqual([...expected].sort());
    });

    test('search corrects typos and relaxes terms without matches', async () => {
      const artworks = artworksOf(database);
      expect(await artworks.search({ query: 'clade monnet', limit: 5 })).toMatchObject({
        didYouMean: 'claude monet',
        total: 2,
      });
      expect((await artworks.search({ query: 'clade monnet', limit: 5 })).relaxed).toEqual([
        'nothing found for "clade monnet" as typed; quote it to search for exactly that',
      ]);
      for (const query of ['the scream', 'mona lisa', '"clade" monet'])
        expect((await artworks.search({ query, limit: 5 })).didYouMean).toBeUndefined();
      expect(await artworks.search({ query: 'monet 1650s', limit: 5 })).toMatchObject({
        relaxed: ['the date "1650s" was left out'],
        total: 2,
      });
      expect(await artworks.search({ query: 'wheat potato cypress submarine', limit: 5 })).toMatchObject({
        relaxed: ['"potato" and "submarine" were left out'],
        hits: [{ missing: ['"potato"', '"submarine"'] }],
        total: 1,
      });
      expect(
        await artworks.search({ query: 'I am looking for a stormy monet please', limit: 5 }),
      ).toMatchObject({
        relaxed: [expect.stringContaining('only one work matches the whole query')],
        hits: [{ record: { title: 'Stormy Sea' } }, { record: { title: 'Étretat' }, missing: ['"stormy"'] }],
      });
      expect(await artworks.search({ query: 'potato submarine', limit: 5 })).toMatchObject({
        relaxed: ['"submarine" was left out'],
        total: 1,
      });
    });

    test.each([
      ['1909.118', ['The Potato Eaters']],
      ['accession number 1909-118', ['The Potato Eaters']],
      ['met_2', ['Wheat Field with Cypresses']],
      ['object number 3', ['Étretat']],
      ['monet met_4', ['Stormy Sea']],
      ['RP-P-1909-118', []],
    ])('the object number %s finds %j', async (query, expected) => {
      expect(await titles(query)).toEqual(expected);
    });

    test('a hit names the matched field and the facet counts are right', async () => {
      const { hits, facets } = await artworksOf(database).search({ query: 'monet', limit: 5 });
      expect(hits.map(({ why }) => why)).toEqual(['artist', 'artist']);
      expect(facets).toEqual({
        museum: { met: 2 },
        century: { 19: 2 },
        medium: { painting: 1, print: 1 },
        licence: { cc0: 2, public_domain: 2 },
      });
      expect(await titles('monet', { museum: 'rijks' })).toEqual([]);
      const dated = await artworksOf(database).search({ query: 'monet 1880s', museum: 'met', limit: 5 });
      expect(dated.hits.map(({ why }) => why)).toEqual(['artist, date', 'artist, date']);
    });

    test('a withdrawn work is not found and a missing index is rebuilt', async () => {
      await withdraw(database, { id: 'met_4', reason: 'asked for', now: new Date() });
      expect(await titles('monet')).toEqual(['Étretat']);
      await database.query('delete from artwork_indexes');
      expect((await search({ ...database }, 2, { query: 'monet', limit: 5 })).total).toBe(1);
    });
  });
});
