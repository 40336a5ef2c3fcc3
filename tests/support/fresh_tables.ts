import { migrate } from '../../src/core/database/migrate.ts';
import type { Connection, ScriptableDatabase } from '../../src/core/database/types.ts';

export interface FreshTables {
  /** Restores the state after the migrations. */
  restore(): Promise<void>;
}

/**
 * Stores the state of a migrated schema. Emptying its tables takes a twentieth of the time of a new
 * migration, which is only used after tests that dropped tables, and for users who may not disable triggers.
 * Tables created by a test are dropped.
 */
export async function freshTables(database: ScriptableDatabase, schema: string): Promise<FreshTables> {
  const names = await tablesOf(database, schema);
  const rows = new Map<string, string>();
  for (const name of names) rows.set(name, await rowsOf(database, name));
  const [user] = await database.query<{ usesuper: boolean }>(
    'select usesuper from pg_user where usename = current_user',
  );
  return {
    async restore() {
      const present = await tablesOf(database, schema);
      if (!user?.usesuper || names.some((name) => !present.includes(name))) return rebuild(database, schema);
      const added = present.filter((name) => !rows.has(name));
      for (const name of added) await database.query(`drop table if exists "${name}" cascade`);
      await database.transaction((tx) => refill(tx, schema, rows));
    },
  };
}

async function tablesOf(database: ScriptableDatabase, schema: string): Promise<string[]> {
  const tables = await database.query<{ tablename: string }>(
    'select tablename from pg_tables where schemaname = $1 order by tablename',
    [schema],
  );
  return tables.map(({ tablename }) => tablename);
}

const rowsOf = async (database: ScriptableDatabase, table: string): Promise<string> => {
  const [{ rows } = { rows: '[]' }] = await database.query<{ rows: string }>(
    `select coalesce(json_agg(t), '[]')::text as rows from ${table} t`,
  );
  return rows;
};

/** With disabled triggers: some tables are append-only, and foreign keys require an order. */
async function refill(tx: Connection, schema: string, rows: ReadonlyMap<string, string>): Promise<void> {
  await tx.query('set local session_replication_role = replica');
  const filled = await tx.query<{ name: string }>(
    [...rows.keys()]
      .map((name) => `select '${name}' as name where exists (select from ${name})`)
      .join(' union all '),
  );
  for (const { name } of filled) await tx.query(`delete from ${name}`);
  for (const [name, text] of rows) {
    if (text === '[]') continue;
    await tx.query(
      `insert into ${name} overriding system value select * from json_populate_recordset(null::${name}, $1)`,
      [text],
    );
  }
  await tx.query(
    'select setval(format($1, schemaname, sequencename)::regclass, start_value, false) from pg_sequences where schemaname = $2 and last_value is not null',
    ['%I.%I', schema],
  );
}

async function rebuild(database: ScriptableDatabase, schema: string): Promise<void> {
  await database.query(`drop schema ${schema} cascade`);
  await database.query(`create schema ${schema}`);
  await migrate(database);
}
