import { type AppliedMigration, migrate } from '../migrate.ts';
import type { Queryable, ScriptableDatabase } from '../types.ts';
import { type Digest, digestTable, listReferences, listTables, type Table } from './tables.ts';

/** Comment on a database while it is filled, so that a failed attempt can be repeated. */
const BEGUN = 'This database is being filled and is incomplete.';

/** Access to the new database while it is filled. */
export interface Filling {
  /** Empty tables without triggers or references. */
  readonly tx: Queryable;
  /** @throws Error if the rows of the table do not match `digest` */
  requireSame(table: Table, digest: Digest): Promise<void>;
}

/**
 * Fills a new database in one transaction, all or nothing. Triggers do not fire, because the rows they would write are copied too. Foreign
 * keys are dropped and recreated, which verifies them.
 * @param target an empty database without a statement timeout
 * @param options `only`: the migrations to apply; default: all
 * @throws Error if the target is not new; and errors of `fill`
 */
export async function fillDatabase(
  target: ScriptableDatabase,
  { only, fill }: { only?: readonly AppliedMigration[]; fill: (filling: Filling) => Promise<void> },
): Promise<void> {
  await requireNew(target);
  await migrate(target, undefined, { only });
  await target.query(`comment on table schema_migrations is '${BEGUN}'`);
  await target.transaction(async (tx) => {
    const putBack = await suspendConstraints(tx);
    await fill({ tx, requireSame: (table, digest) => requireSame(tx, table, digest) });
    await putBack();
    await tx.query('comment on table schema_migrations is null');
  });
}

/** @throws Error if the database contains tables of another application, or of an Atelier that has been used */
async function requireNew(target: Queryable): Promise<void> {
  const [found] = await target.query<{ tables: number; begun: boolean }>(
    `select count(*) as tables,
       coalesce(bool_or(relname = 'schema_migrations' and obj_description(oid, 'pg_class') = $1), false) as begun
     from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm')`,
    [BEGUN],
  );
  if (found!.tables > 0 && !found!.begun)
    throw new Error(
      `The database in DATABASE_URL is not empty: it has ${found!.tables} tables. Create an empty database (createdb) and set DATABASE_URL to it.`,
    );
}

/**
 * Removes triggers and foreign keys and empties the tables, into which migrations have inserted rows. Returns a function that restores
 * them.
 * @throws Error if a server has been started on the database
 */
async function suspendConstraints(tx: Queryable): Promise<() => Promise<void>> {
  if ((await tx.query('select from storage')).length > 0)
    throw new Error(
      'A server was started on the database in DATABASE_URL during the copy. Stop it, and start again with a new database.',
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
    `The table ${table.name} differs after the copy: ${rows} rows in the target, ${copied.rows} in the source. The source may have been changed during the copy. Nothing was copied; start again.`,
  );
}
