import type { Queryable, ScriptableDatabase } from '../types.ts';
import { fillDatabase } from './fill_database.ts';
import { insertRows, makeRowType } from './insert_rows.ts';
import { readNumbers, setNumbers } from './numbers.ts';
import { readBatches } from './read_batches.ts';
import { type Digest, digestTable, listTables, type Table, writeLike } from './tables.ts';

interface CopyOptions {
  /** How far it is, 0 to 1, and at which table. */
  readonly onProgress?: (fraction: number, table: string) => void;
  /** Aborts between two statements; nothing is left in the target then. */
  readonly signal?: AbortSignal | undefined;
}

/** What was brought over. */
export interface Copied {
  readonly tables: number;
  readonly rows: number;
}

/**
 * Copies every row into a new database, in one transaction: afterwards it holds the same, table by table, or nothing.
 * @param source nobody may write to it meanwhile
 * @param target an empty PostgreSQL database whose statements have no time limit
 * @throws Error where the target is not new, or does not hold the same in the end
 */
export async function copyDatabase(
  source: Queryable,
  target: ScriptableDatabase,
  { onProgress = () => {}, signal }: CopyOptions = {},
): Promise<Copied> {
  const tables = await listTables(source);
  const digests = new Map<string, Digest>();
  const digestAll = async () => {
    for (const table of tables) digests.set(table.name, await digestTable(source, table));
    return [...digests.values()].reduce((sum, { rows }) => sum + rows, 0);
  };
  let rowsInAll = 0;
  await fillDatabase(target, {
    async fill({ tx, requireSame }) {
      rowsInAll = await digestAll();
      await writeLike(source, tx);
      let done = 0;
      for (const table of tables) {
        for await (const rows of copyTable(source, tx, table)) {
          done += rows;
          onProgress(done / rowsInAll, table.name);
          signal?.throwIfAborted();
        }
        await requireSame(table, digests.get(table.name)!);
      }
    },
  });
  return { tables: tables.length, rows: rowsInAll };
}

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
