import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Connection, Queryable, ScriptableDatabase } from './contract.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
/** Any number will do, as long as every process takes the same. */
const LOCK = 7_283_546_501;

/** A migration as a database knows it that has it. */
export interface AppliedMigration {
  readonly name: string;
  readonly sha256: string;
}

interface MigrateOptions {
  /** Only these: for a database that is to be as another one was. */
  readonly only?: readonly AppliedMigration[] | undefined;
  /** Runs before anything is changed, where there is a database already. */
  readonly beforeChange?: ((database: ScriptableDatabase) => Promise<void>) | undefined;
}

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
export async function migrate(
  database: ScriptableDatabase,
  folder: URL = FOLDER,
  { only, beforeChange }: MigrateOptions = {},
): Promise<void> {
  const all = await readMigrations(folder);
  const migrations = only ? all.filter(({ name }) => only.some((wanted) => wanted.name === name)) : all;
  let applied = await readApplied(database);
  refuseChanged(all, applied);
  if (applied.size > 0 && migrations.some(({ name }) => !applied.has(name))) await beforeChange?.(database);
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue;
    applied = await database.transaction((tx) => applyOnce(tx, migration));
    refuseChanged(migrations, applied);
  }
}

/** What was applied to a database, by name. */
export async function listApplied(database: Queryable): Promise<AppliedMigration[]> {
  const applied = [...(await readApplied(database))].map(([name, { sha256 }]) => ({ name, sha256 }));
  return applied.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Those among some that this version does not have, or has otherwise. */
export async function listUnknown(
  applied: readonly AppliedMigration[],
  folder: URL = FOLDER,
): Promise<string[]> {
  const known = new Map((await readMigrations(folder)).map(({ name, sha256 }) => [name, sha256]));
  return applied.filter(({ name, sha256 }) => known.get(name) !== sha256).map(({ name }) => name);
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
