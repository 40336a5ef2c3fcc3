import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Connection, Queryable, ScriptableDatabase } from './contract.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
/** Any number will do, as long as every process takes the same. */
const LOCK = 7_283_546_501;

interface Migration {
  /** `0001_ledger` */
  readonly name: string;
  readonly text: string;
  readonly sha256: string;
}

/**
 * Applies the SQL files in `migrations/` that were not applied yet, in the order of their names, each in a transaction
 * of its own. Two processes that start at once take turns.
 * @throws Error when an applied file has changed since, or was applied by a newer version of the service
 */
export async function migrate(database: ScriptableDatabase, folder: URL = FOLDER): Promise<void> {
  const migrations = await readMigrations(folder);
  let applied = await readApplied(database);
  refuseChanged(migrations, applied);
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue;
    applied = await database.transaction((tx) => applyOnce(tx, migration));
    refuseChanged(migrations, applied);
  }
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_\w+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, folder), 'utf8');
      return {
        name: file.replace('.sql', ''),
        text,
        sha256: createHash('sha256').update(text).digest('hex'),
      };
    }),
  );
}

async function applyOnce(tx: Connection, { name, text, sha256 }: Migration): Promise<Map<string, string>> {
  await tx.query('select pg_advisory_xact_lock($1)', [LOCK]);
  await tx.script(`create table if not exists schema_migrations (
    name text primary key,
    sha256 text not null,
    applied_at timestamptz not null default now()
  )`);
  const applied = await readApplied(tx);
  if (applied.has(name)) return applied;
  await tx.script(text);
  await tx.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256]);
  return applied.set(name, sha256);
}

/** Name → sha256 of what was applied. */
async function readApplied(database: Queryable): Promise<Map<string, string>> {
  const [found] = await database.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  );
  if (!found?.exists) return new Map();
  const rows = await database.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations',
  );
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]));
}

function refuseChanged(migrations: Migration[], applied: Map<string, string>): void {
  for (const [name, sha256] of applied) {
    const migration = migrations.find((candidate) => candidate.name === name);
    if (!migration) {
      throw new Error(
        `The database was changed by ${name}, which this version does not have. Start the version that last used it, or a newer one.`,
      );
    }
    if (migration.sha256 !== sha256) {
      throw new Error(
        `${name}.sql has changed since it was applied. Restore that file and put the change into a new migration.`,
      );
    }
  }
}
