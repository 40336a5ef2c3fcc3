import type { Queryable, ScriptableDatabase } from '../types.ts';
import { copyTable } from './copy_table.ts';
import { fillDatabase } from './fill_database.ts';
import { type Digest, digestTable, listTables, writeLike } from './tables.ts';

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
