import type { Queryable } from '../types.ts';
import { insertRows, makeRowType } from './insert_rows.ts';
import { readNumbers, setNumbers } from './numbers.ts';
import { readBatches } from './read_batches.ts';
import type { Table } from './tables.ts';

/**
 * Copies every row of a table into one with the same columns and no rows, and lets its numbers go on. Yields how many rows came with each batch.
 * @param tx writes values as the source does: see `writeLike`
 */
export async function* copyTable(source: Queryable, tx: Queryable, table: Table): AsyncGenerator<number> {
  const rowType = await makeRowType(tx, table);
  for await (const rows of readBatches(source, table)) {
    await insertRows(tx, rowType, rows);
    yield rows.length;
  }
  await rowType.drop();
  await setNumbers(tx, table, await readNumbers(source, table));
}
