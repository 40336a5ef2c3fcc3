import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import type { ScriptableDatabase } from '../../../core/database/types.ts';
import { VOCABULARY_READ_ROWS } from '../limits.ts';
import { parseRecord } from '../records/record.ts';
import { importWorks } from '../releases/import_works.ts';
import { createVocabularies } from './vocabulary.ts';

const work = (number: number) =>
  parseRecord({
    id: `met_${number}`,
    museum: 'met',
    title: `Work ${number}`,
    tags: [number % 2 === 0 ? 'Even' : 'Odd', ...(number % 4 === 0 ? ['Fours'] : [])],
    source_url: 'https://museum.test',
    rights: { status: 'cc0', evidence: { field: 'f', value: 'v' }, url: 'https://museum.test' },
  });

const importing = (database: ScriptableDatabase, numbers: readonly number[]) =>
  importWorks(
    database,
    async function* (report) {
      for (const number of numbers) {
        report.rows += 1;
        yield work(number);
      }
    },
    {
      museum: 'met',
      source: `works from ${numbers[0]}`,
      isPart: true,
      now: () => new Date(),
      onProgress() {},
      signal: new AbortController().signal,
    },
  );

forEachDatabase((_, openDatabase) => {
  test('values are counted across batches, and once for concurrent requests', async () => {
    const database = await openDatabase();
    await importing(database, [1, 2, 3, 4]);
    // A gap wider than a batch.
    await database.query(`select setval(pg_get_serial_sequence('artworks', 'number'), $1)`, [
      3 * VOCABULARY_READ_ROWS,
    ]);
    await importing(database, [5, 6, 7, 8]);
    let statements = 0;
    const counted = {
      ...database,
      query: (text: string, values?: readonly unknown[]) => {
        statements += 1;
        return database.query(text, values as unknown[]);
      },
    } as typeof database;
    const list = createVocabularies(counted);
    const asked = { name: 'subject', limit: 2 } as const;
    const [one, other] = await Promise.all([list(2, asked), list(2, asked)]);
    expect(one).toEqual({
      terms: [
        { term: 'Even', works: 4 },
        { term: 'Odd', works: 4 },
      ],
      total: 3,
    });
    expect([other === one, (await list(2, asked)) === one, statements]).toEqual([true, true, 5]);
  });
});
