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
  /** Versions without it would do harm: its first line is `-- Not for older versions: <why>`. All others only add. */
  readonly breaks: boolean;
}

interface Applied {
  readonly sha256: string;
  readonly breaks: boolean;
}

/**
 * Applies the SQL files in `migrations/` that were not applied yet, in the order of their names, each in a transaction
 * of its own. Two processes that start at once take turns.
 * What a newer version has added is let be: the older one goes on beside it, and can be started again, until all are upgraded.
 * @throws Error when an applied file has changed since, or a newer version has changed what this one relies on
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
        breaks: text.startsWith('-- Not for older versions: '),
      };
    }),
  );
}

async function applyOnce(tx: Connection, migration: Migration): Promise<Map<string, Applied>> {
  const { name, text, sha256, breaks } = migration;
  await tx.query('select pg_advisory_xact_lock($1)', [LOCK]);
  await tx.script(`create table if not exists schema_migrations (
    name text primary key,
    sha256 text not null,
    applied_at timestamptz not null default now()
  )`);
  await tx.script(
    'alter table schema_migrations add column if not exists breaks boolean not null default false',
  );
  const applied = await readApplied(tx);
  if (applied.has(name)) return applied;
  await tx.script(text);
  await tx.query('insert into schema_migrations (name, sha256, breaks) values ($1, $2, $3)', [
    name,
    sha256,
    breaks,
  ]);
  return applied.set(name, { sha256, breaks });
}

/** What was applied, by name. */
async function readApplied(database: Queryable): Promise<Map<string, Applied>> {
  const [found] = await database.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  );
  if (!found?.exists) return new Map();
  const rows = await database.query<Applied & { name: string }>(
    // Older versions made this table without the column.
    `select name, sha256, coalesce((to_jsonb(applied) ->> 'breaks')::boolean, false) as breaks from schema_migrations applied`,
  );
  return new Map(rows.map(({ name, ...applied }) => [name, applied]));
}

function refuseChanged(migrations: Migration[], applied: Map<string, Applied>): void {
  for (const [name, { sha256, breaks }] of applied) {
    const migration = migrations.find((candidate) => candidate.name === name);
    if (!migration && !breaks) continue;
    if (!migration) {
      throw new Error(
        `The database was changed by ${name}, which this version does not have and cannot work with. Start the version that last used it, or a newer one.`,
      );
    }
    if (migration.sha256 !== sha256) {
      throw new Error(
        `${name}.sql has changed since it was applied. Restore that file and put the change into a new migration.`,
      );
    }
  }
}
