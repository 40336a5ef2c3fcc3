import type { Queryable, ScriptableDatabase } from '../types.ts';
import { fillDatabase } from './fill_database.ts';
import { readBatches } from './read_batches.ts';
import { insertRows, makeRowType, readNumbers, setNumbers } from './table_dump.ts';
import { type Digest, digestTable, listTables, type Table, writeLike } from './tables.ts';

interface CopyOptions {
  /** Progress, 0 to 1, and the current table. */
  readonly onProgress?: (fraction: number, table: string) => void;
  /** Aborts between two statements; the target is left empty. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of a copy. */
export interface Copied {
  readonly tables: number;
  readonly rows: number;
}

/**
 * Copies every row into a new database in one transaction. Afterwards the target holds the same rows, table by table, or none.
 * @param source must not be written meanwhile
 * @param target an empty PostgreSQL database without a statement timeout
 * @throws Error if the target is not new, or its rows differ from the source in the end
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
 * Copies every row of a table into an empty one with the same columns, and its sequences. Yields the number of rows per batch.
 * @param tx formats values like the source: see `writeLike`
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
