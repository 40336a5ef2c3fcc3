import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedDatabase } from '../../../../tests/support/open_embedded_database.ts';
import { openPgvectorDatabase } from '../../../../tests/support/pgvector_database.ts';
import { readConfig } from '../../../config/config.ts';
import type { ScriptableDatabase } from '../../../core/database/types.ts';
import { VECTOR_INDEX_DIMENSIONS_MAX } from '../limits.ts';
import { memorySearch, openVectorSearch, vectorSettings } from './open_vector_search.ts';
import { pgvectorSearch } from './pgvector.ts';
import { requirePgvector } from './pgvector_store.ts';
import type { VectorSearchOf } from './types.ts';
import { packVector } from './vector_index.ts';
import { writeVectors } from './vector_store.ts';

// A small set: building an HNSW index in WebAssembly takes minutes for ten thousand vectors.
const WORKS = 300;
const DIMENSIONS = 16;

let database: ScriptableDatabase;
let vectorsOf: VectorSearchOf;
beforeAll(async () => {
  database = await openPgvectorDatabase();
  const schema = await requirePgvector(database);
  vectorsOf = pgvectorSearch({ database, schema, patiently: (work) => work(database) });
});
afterAll(() => database?.close());

let seed = 7;
const random = () => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647 - 0.5;
};
const randomVector = (dimensions = DIMENSIONS) => Float32Array.from({ length: dimensions }, random);
const write = (model: string, vectors: readonly Float32Array[]) =>
  writeVectors(
    database,
    model,
    vectors.map((vector, at) => ({
      id: `${at % 3 === 0 ? 'rijks' : 'met'}_${at}`,
      sha256: '',
      vector: new Uint8Array(packVector(vector).buffer),
    })),
  );
const filled = async (model: string) => {
  const vectors = Array.from({ length: WORKS }, () => randomVector());
  await write(model, vectors);
  const search = vectorsOf(model);
  await search.prepare();
  return { search, vectors };
};

test('pgvector finds the same works and similarities as an exact search', async () => {
  const { search } = await filled("it's a model");
  const asked = randomVector();
  const exact = await memorySearch(database)("it's a model").nearest(asked, { limit: 10 });
  expect(await search.nearest(asked, { limit: 10 })).toEqual(exact);
  expect(await search.size()).toBe(WORKS);
});

test('a museum filter scans until enough works match', async () => {
  const { search } = await filled('filtered');
  const wanted = { limit: 80, museum: 'rijks' } as const;
  const asked = randomVector();
  const found = await search.nearest(asked, wanted);
  expect(found.map(({ id }) => id.split('_')[0])).toEqual(Array(80).fill('rijks'));
  expect(found).toEqual(await memorySearch(database)('filtered').nearest(asked, wanted));
});

test('vectors added after the index build are found and replaced ones are not', async () => {
  const { search, vectors } = await filled('followed');
  const asked = randomVector();
  await write('followed', [asked, ...vectors.slice(1, 3)]);
  expect(await search.nearest(asked, { limit: 1 })).toEqual([
    { id: 'rijks_0', similarity: expect.closeTo(1, 3) },
  ]);
});

test('a model with new dimensions uses only its newer vectors', async () => {
  const { search } = await filled('changed');
  const asked = randomVector(8);
  await write('changed', [asked]);
  await expect(search.nearest(asked, { limit: 5 })).rejects.toMatchObject({ code: 'busy' });
  await search.prepare();
  expect((await search.nearest(asked, { limit: 5 })).map(({ id }) => id)).toEqual(['rijks_0']);
});

test('a search without vectors is empty and without an index reports its build', async () => {
  const search = vectorsOf('new');
  await search.prepare();
  expect([await search.nearest(randomVector(), { limit: 1 }), await search.size()]).toEqual([[], 0]);
  await write('new', [randomVector()]);
  await expect(search.nearest(randomVector(), { limit: 1 })).rejects.toThrow('vector index is being built');
});

test('a model with too many dimensions to index is rejected with the number', async () => {
  const search = vectorsOf('long');
  const long = randomVector(VECTOR_INDEX_DIMENSIONS_MAX + 1);
  await write('long', [long]);
  await search.prepare();
  await expect(search.nearest(long, { limit: 1 })).rejects.toThrow('4001 dimensions');
});

test('VECTORS_INDEX=pgvector is rejected without a server or without the extension', async () => {
  expect(() => vectorSettings(readConfig({ VECTORS_INDEX: 'pgvector' }))).toThrow('needs DATABASE_URL');
  const without = await openEmbeddedDatabase();
  const config = readConfig({ VECTORS_INDEX: 'pgvector', DATABASE_URL: 'postgres://db.test/atelier' });
  await expect(openVectorSearch(config, without)).rejects.toThrow(
    /^VECTORS_INDEX=pgvector cannot be used: .*vector.* Install pgvector 0\.8/s,
  );
  await without.close();
});
