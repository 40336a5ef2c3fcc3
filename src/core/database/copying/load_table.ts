import type { Queryable } from '../types.ts';
import { insertRows, makeRowType } from './insert_rows.ts';
import { type CountedColumn, setNumbers } from './numbers.ts';
import { BATCH_CHARACTERS } from './read_batches.ts';
import type { Table } from './tables.ts';

interface Dumped {
  /** Its columns in the order of the rows. */
  readonly table: Table;
  readonly numbers: readonly CountedColumn[];
  /** Rows as `dumpTable` yields them. */
  readonly parts: AsyncIterable<readonly string[]>;
}

/**
 * Fills an empty table with dumped rows, and sets its sequences. Yields the number of rows per batch.
 * @param tx parses values in the fixed form: see `writePlainly`
 */
export async function* loadTable(tx: Queryable, { table, numbers, parts }: Dumped): AsyncGenerator<number> {
  const rowType = await makeRowType(tx, table);
  for await (const part of parts) {
    for (const batch of batchesOf(part)) {
      await insertRows(tx, rowType, batch);
      yield batch.length;
    }
  }
  await rowType.drop();
  await setNumbers(tx, table, numbers);
}

function* batchesOf(rows: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const row of rows) {
    batch.push(row);
    characters += row.length;
    if (characters <= BATCH_CHARACTERS) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
