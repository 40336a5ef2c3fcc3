import { expect, test } from 'vitest';
import { clusteredVectors } from '../../../../tests/support/clustered_vectors.ts';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import type { Database } from '../../../database/contract.ts';
import { createParts } from '../../search/in_database/ask_parts.ts';
import { packVector, VectorIndex } from '../vector_index.ts';
import { writeVectors } from '../vector_store.ts';
import { createCellSearch } from './cell_search.ts';
import { FOLDED_MIN, foldVectors } from './fold_vectors.ts';

const MODEL = 'test';
const report = () => {};
const DIMENSIONS = 48;
const VECTORS = clusteredVectors(FOLDED_MIN + 400, { dimensions: DIMENSIONS, clusters: 60 });
const QUESTIONS = clusteredVectors(20, { dimensions: DIMENSIONS, clusters: 60 });

const write = (database: Database, vectors: readonly Float32Array[], first: number) =>
  writeVectors(
    database,
    MODEL,
    vectors.map((vector, at) => ({
      ...{ id: `w${first + at}`, sha256: 'x' },
      vector: new Uint8Array(packVector(vector).buffer),
    })),
  );

forEachDatabase((_, open) => {
  const filled = async () => {
    const database = await open();
    for (let at = 0; at < VECTORS.length; at += 1000) await write(database, VECTORS.slice(at, at + 1000), at);
    return {
      database,
      follow: createCellSearch(database, { parts: createParts([database]), model: MODEL, report }),
    };
  };

  test('nine in ten of the nearest vectors are found in the nearest cells, as similar as they are', async () => {
    const { database, follow } = await filled();
    expect(await foldVectors(database, MODEL)).toBe(true);
    const cells = (await follow())!;
    const exact = new VectorIndex(DIMENSIONS);
    for (const [at, vector] of VECTORS.entries()) exact.set(`w${at}`, packVector(vector));
    expect(cells.size).toBe(VECTORS.length);
    let met = 0;
    for (const question of QUESTIONS) {
      const truth = await exact.nearest(question, 10);
      const found = await cells.nearest(question, 10);
      met += truth.filter(({ id }) => found.some((one) => one.id === id)).length;
      const [first] = truth;
      const same = found.find(({ id }) => id === first!.id);
      if (same) expect(same.similarity).toBeCloseTo(first!.similarity, 2);
    }
    expect(met / (10 * QUESTIONS.length)).toBeGreaterThan(0.9);
  });

  test('what came or changed since is found without being in a cell, and the old vector no more', async () => {
    const { database, follow } = await filled();
    await foldVectors(database, MODEL);
    const nearest = async (asked: Float32Array) => (await (await follow())!.nearest(asked, 1))[0]!.id;
    const [one, other] = [VECTORS[5]!, VECTORS[6]!.map((value) => -value)];
    expect(await nearest(one)).toBe('w5');
    await write(database, [other], 5);
    expect(await nearest(other)).toBe('w5');
    expect(await nearest(one)).not.toBe('w5');
    await foldVectors(database, MODEL);
    expect(await nearest(other)).toBe('w5');
  });

  test('few vectors are compared one by one, and two processes do not fold at once', async () => {
    const database = await open();
    await write(database, VECTORS.slice(0, 20), 0);
    const follow = createCellSearch(database, { parts: createParts([database]), model: MODEL, report });
    expect((await (await follow())!.nearest(VECTORS[3]!, 1))[0]!.id).toBe('w3');
    expect(await foldVectors(database, MODEL)).toBe(false);
    await write(database, VECTORS.slice(20), 20);
    const both = await Promise.all([foldVectors(database, MODEL), foldVectors(database, MODEL)]);
    expect(both.sort()).toEqual([false, true]);
  });
});
