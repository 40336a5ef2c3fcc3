import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeEmbeddings, startFakeEmbeddings } from '../../../../tests/support/fake_embeddings.ts';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { testImport } from '../../../../tests/support/import_met_works.ts';
import { readConfig } from '../../../config/config.ts';
import type { ScriptableDatabase } from '../../../core/database/types.ts';
import { parseRecord } from '../records/record.ts';
import { importWorks } from '../releases/import_works.ts';
import { blendedSearch } from './blended_search.ts';
import { memorySearch } from './open_vector_search.ts';
import { openTextEmbeddings } from './semantic_search.ts';
import type { TextEmbeddings } from './text_embeddings.ts';
import { packVector, VectorIndex } from './vector_index.ts';

let server: FakeEmbeddings;
beforeAll(async () => {
  server = await startFakeEmbeddings();
});
afterAll(() => server?.close());

const { signal } = new AbortController();
/** No encoder pair is installed. */
const sight = { network: async () => undefined, nearText: async () => [], size: async () => 0 };
const TITLES = ['A Sleeping Cat', 'Sailing at Dawn', 'Tulips in Bloom', 'Feline Study', 'Boats at Low Tide'];

forEachDatabase((_, open) => {
  let database: ScriptableDatabase;
  let meaning: TextEmbeddings;

  const opened = () =>
    openTextEmbeddings(
      readConfig({ EMBEDDINGS_URL: server.url, EMBEDDINGS_MODEL: 'm-1', EMBEDDINGS_API_KEY: 'key-1234' }),
      { database, vectorsOf: memorySearch(database) },
    ) as Promise<TextEmbeddings>;
  const importing = async (titles: readonly string[]) => {
    await importWorks(
      database,
      async function* (report) {
        for (const [at, title] of titles.entries()) {
          report.rows += 1;
          yield parseRecord({
            id: `met_${at + 1}`,
            museum: 'met',
            title,
            year_from: 1800,
            year_to: 1800 + at,
            source_url: 'https://museum.test/',
            rights: { status: 'cc0', evidence: null, url: 'https://cc0.test/' },
          });
        }
      },
      testImport(signal),
    );
  };
  const filled = async () => {
    server.mode = 'well';
    server.requests.length = 0;
    database = await open();
    await importing(TITLES);
    meaning = await opened();
  };
  const found = async (query: string, edition = 1) => {
    const { hits, ...rest } = await blendedSearch(database, edition, { query, limit: 2 }, { meaning, sight });
    return { ...rest, hits: hits.map(({ record, why }) => `${record.title}: ${why}`) };
  };

  test('works are embedded once, embedding resumes, and changed works are embedded again', async () => {
    await filled();
    expect(await meaning.embed(1, { max: 2, signal })).toBe(2);
    expect(await (await opened()).embed(1, { signal })).toBe(3);
    expect(await meaning.embed(1, { signal })).toBe(0);
    await importing(['A Sleeping Dog', ...TITLES.slice(1)]);
    expect(await meaning.embed(2, { signal })).toBe(1);
    expect(server.requests.flatMap(({ input }) => input)).toHaveLength(6);
    expect(server.requests[0]).toMatchObject({ model: 'm-1', bearer: 'Bearer key-1234' });
    expect(await meaning.size()).toBe(5);
  });

  test('semantic matches are listed with text matches and state their reason', async () => {
    await filled();
    await meaning.embed(1, { signal });
    const { hits, meaning: used } = await found('cat');
    expect(hits).toEqual([
      expect.stringMatching(/^A Sleeping Cat: title, meaning \(similarity 1\.00\)$/),
      expect.stringMatching(/^Feline Study: meaning \(similarity 1\.00\)$/),
    ]);
    expect(used).toEqual({ used: true, known: 5 });
    expect((await found('vessel -boats')).hits[0]).toMatch(/^Sailing at Dawn/);
    expect((await found('vessel since 1804')).hits[0]).toMatch(/^Boats/);
  });

  test.each(['down', 'badly'] as const)(
    'a failing embedding model (%s) is paused and search falls back to text',
    async (mode) => {
      await filled();
      await meaning.embed(1, { signal });
      server.mode = mode;
      const { hits, meaning: used } = await found('cat');
      expect(hits).toEqual(['A Sleeping Cat: title']);
      expect(used).toMatchObject({ used: false, known: 5, why: expect.stringContaining('embedding model') });
      expect(JSON.stringify(used)).not.toContain('key-1234');
      const asked = server.requests.length;
      await found('ship');
      expect(server.requests).toHaveLength(asked);
    },
  );

  test('vectors with new dimensions replace the old ones', async () => {
    await filled();
    await meaning.embed(1, { signal });
    server.mode = 'in another length';
    await importing(['Kitten', 'Ship']);
    await meaning.embed(2, { signal });
    expect((await found('feline', 2)).hits[0]).toMatch(/^Kitten: meaning/);
  });
});

test('vectors quantised to one byte per dimension find nearly the same neighbours', async () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647 - 0.5;
  };
  const vectors = Array.from({ length: 2000 }, () => Float32Array.from({ length: 64 }, random));
  const index = new VectorIndex(64);
  for (const [at, vector] of vectors.entries()) index.set(`${at}`, packVector(vector));
  const asked = Float32Array.from({ length: 64 }, random);
  const cosine = (one: Float32Array) =>
    one.reduce((sum, value, at) => sum + value * asked[at]!, 0) / Math.hypot(...one);
  const truth = vectors
    .map((vector, at) => ({ at, cosine: cosine(vector) }))
    .sort((one, other) => other.cosine - one.cosine)
    .slice(0, 20);
  const near = new Set((await index.nearest(asked, 20)).map(({ id }) => Number(id)));
  expect(truth.filter(({ at }) => near.has(at)).length).toBeGreaterThanOrEqual(19);
  const ofNineteen = (await index.nearest(asked, 20, '19')).map(({ id }) => id);
  expect(ofNineteen).toHaveLength(20);
  expect(ofNineteen.every((id) => id.startsWith('19'))).toBe(true);
});
