import { type AppliedMigration, migrate } from '../migrate.ts';
import type { Queryable, ScriptableDatabase } from '../types.ts';
import { type Digest, digestTable, listReferences, listTables, type Table } from './tables.ts';

/** Stands on a database that is being filled, so that this may begin again after a failure. */
const BEGUN = 'This database is being filled, and not whole yet.';

/** Lets what happens in the new database be said. */
export interface Filling {
  /** Empty tables, silent triggers and no references. */
  readonly tx: Queryable;
  /** @throws Error where the table does not hold the rows of `digest` */
  requireSame(table: Table, digest: Digest): Promise<void>;
}

/**
 * Fills a new database in one transaction: whole or not at all. Triggers do not fire, for what they would write comes with the rows.
 * References between tables are taken away and put back, which checks each.
 * @param target an empty database whose statements have no time limit
 * @param options `only`: the migrations it is to have; absent: all
 * @throws Error where the target is not new; and what `fill` throws
 */
export async function fillDatabase(
  target: ScriptableDatabase,
  { only, fill }: { only?: readonly AppliedMigration[]; fill: (filling: Filling) => Promise<void> },
): Promise<void> {
  await requireNew(target);
  await migrate(target, undefined, { only });
  await target.query(`comment on table schema_migrations is '${BEGUN}'`);
  await target.transaction(async (tx) => {
    const putBack = await laySilent(tx);
    await fill({ tx, requireSame: (table, digest) => requireSame(tx, table, digest) });
    await putBack();
    await tx.query('comment on table schema_migrations is null');
  });
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
  if ((await tx.query('select from storage')).length > 0)
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
    `The table ${table.name} differs after the copy: ${rows} rows there, ${copied.rows} here. Was something written meanwhile? Nothing was kept; begin again.`,
  );
}
