import type { Queryable, ScriptableDatabase } from '../contract.ts';
import { migrate } from '../migrate.ts';
import { copyTable } from './copy_table.ts';
import { type Digest, digestTable, listReferences, listTables, type Table, writeLike } from './tables.ts';

/** Stands on a database into which a move has begun, so that it may begin again there after a failure. */
const BEGUN = 'A move into this database has begun and not ended.';

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
 * Copies every row into a new database, in one transaction: afterwards it holds the same, table by table, or nothing. Triggers do
 * not fire, for what they would write is copied too. References between tables are taken away and put back, which checks each.
 * @param source nobody may write to it meanwhile
 * @param target an empty PostgreSQL database whose statements have no time limit
 * @throws Error where the target is not new, or does not hold the same in the end
 */
export async function copyDatabase(
  source: Queryable,
  target: ScriptableDatabase,
  { onProgress = () => {}, signal }: CopyOptions = {},
): Promise<Copied> {
  await requireNew(target);
  await migrate(target);
  await target.query(`comment on table schema_migrations is '${BEGUN}'`);
  const tables = await listTables(source);
  const digests = new Map<string, Digest>();
  for (const table of tables) digests.set(table.name, await digestTable(source, table));
  const rowsInAll = [...digests.values()].reduce((sum, { rows }) => sum + rows, 0);
  await target.transaction(async (tx) => {
    await writeLike(source, tx);
    const putBack = await laySilent(tx);
    let done = 0;
    for (const table of tables) {
      for await (const rows of copyTable(source, tx, table)) {
        done += rows;
        onProgress(done / rowsInAll, table.name);
        signal?.throwIfAborted();
      }
      await requireSame(tx, table, digests.get(table.name)!);
    }
    await putBack();
    await tx.query('comment on table schema_migrations is null');
  });
  return { tables: tables.length, rows: rowsInAll };
}

/** @throws Error where somebody else's tables, or a service's that has been used, are there */
async function requireNew(target: Queryable): Promise<void> {
  const [found] = await target.query<{ tables: number; begun: boolean }>(
    `select count(*) as tables,
       coalesce(bool_or(relname = 'schema_migrations' and obj_description(oid, 'pg_class') = $1), false) as begun
     from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm')`,
    [BEGUN],
  );
  if (found!.tables > 0 && !found!.begun)
    throw new Error(
      `The database DATABASE_URL is not new: it has ${found!.tables} tables. Make an empty one (createdb) and name that.`,
    );
}

/**
 * Takes triggers and references away and empties the tables: migrations leave rows of their own. Returns how to put them back.
 * @throws Error where a server has been started on it
 */
async function laySilent(tx: Queryable): Promise<() => Promise<void>> {
  const [used] = await tx.query('select 1 from storage');
  if (used)
    throw new Error(
      'A server was started on the database of DATABASE_URL meanwhile. Stop it, and begin again with a new one.',
    );
  const [tables, references] = [await listTables(tx), await listReferences(tx)];
  for (const { table, name } of references) await tx.query(`alter table ${table} drop constraint ${name}`);
  for (const { name } of tables) {
    await tx.query(`alter table ${name} disable trigger user`);
    await tx.query(`delete from ${name}`);
  }
  return async () => {
    for (const { name } of tables) await tx.query(`alter table ${name} enable trigger user`);
    for (const { table, name, definition } of references)
      await tx.query(`alter table ${table} add constraint ${name} ${definition}`);
  };
}

async function requireSame(tx: Queryable, table: Table, { rows, sum }: Digest): Promise<void> {
  const copied = await digestTable(tx, table);
  if (copied.rows === rows && copied.sum === sum) return;
  throw new Error(
    `The table ${table.name} differs after the copy: ${rows} rows there, ${copied.rows} here. Was something written meanwhile? Nothing was kept; move again.`,
  );
}
