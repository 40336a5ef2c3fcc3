import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { isMigration, listSchemaFiles, SCHEMA_FILES, type SchemaFiles } from './schema_files.ts';
import type { Connection, Queryable, ScriptableDatabase } from './types.ts';

/** Advisory lock of migrating processes: an arbitrary number. */
const LOCK = 7_283_546_501;

/** A schema file or migration, as recorded in the database. */
export interface AppliedMigration {
  readonly name: string;
  readonly sha256: string;
}

interface MigrateOptions {
  /** Only these: to recreate the schema of an earlier version. */
  readonly only?: readonly AppliedMigration[] | undefined;
  /** Called before an existing database is changed. */
  readonly beforeChange?: ((database: ScriptableDatabase) => Promise<void>) | undefined;
}

interface Migration {
  /** For a schema file the feature (`ledger`), for a migration its number and change (`0001_hold_reasons`). */
  readonly name: string;
  readonly text: string;
  readonly sha256: string;
  /** Incompatible with earlier versions: its first line is `-- Not for older versions: <why>`. All others only add. */
  readonly breaks: boolean;
}

interface Applied {
  readonly sha256: string;
  readonly breaks: boolean;
}

/**
 * Applies pending schema files and migrations in order, each in its own transaction. Concurrent processes take turns. Additions of a newer
 * version are ignored: the older version keeps running and can be restarted until all servers are upgraded.
 * @throws UnreleasedDatabase if the database was created before the first release; Error if an applied file has changed since, or a newer
 * version is incompatible
 */
export async function migrate(
  database: ScriptableDatabase,
  files: SchemaFiles = SCHEMA_FILES,
  { only, beforeChange }: MigrateOptions = {},
): Promise<void> {
  const all = await readMigrations(files);
  const migrations = only ? all.filter(({ name }) => only.some((wanted) => wanted.name === name)) : all;
  let applied = await readApplied(database);
  refuseUnreleased(all, applied);
  refuseChanged(all, applied);
  if (applied.size > 0 && migrations.some(({ name }) => !applied.has(name))) await beforeChange?.(database);
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue;
    applied = await database.transaction((tx) => applyOnce(tx, migration));
    refuseChanged(migrations, applied);
  }
}

/** The database was created before the first release, with migrations that no longer exist. */
export class UnreleasedDatabase extends Error {
  constructor(last: string) {
    super(
      `The database was created by an unreleased version of Atelier (its last migration is ${last}), and there is no upgrade from it. Set DATA_DIR to a new folder or DATABASE_URL to an empty database (createdb). To use its data, start the version that created it.`,
    );
    this.name = 'UnreleasedDatabase';
  }
}

/** Applied migrations of a database, in order. */
export async function listApplied(database: Queryable): Promise<AppliedMigration[]> {
  return [...(await readApplied(database))].map(([name, { sha256 }]) => ({ name, sha256 }));
}

/** Applied migrations that this version lacks, or has with other contents. */
export async function listUnknown(
  applied: readonly AppliedMigration[],
  files: SchemaFiles = SCHEMA_FILES,
): Promise<string[]> {
  const known = new Map((await readMigrations(files)).map(({ name, sha256 }) => [name, sha256]));
  return applied.filter(({ name, sha256 }) => known.get(name) !== sha256).map(({ name }) => name);
}

async function readMigrations(files: SchemaFiles): Promise<Migration[]> {
  return Promise.all(
    (await listSchemaFiles(files)).map(async (file) => {
      const text = await readFile(file, 'utf8');
      return {
        name: basename(file.pathname, '.sql'),
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
    applied_at timestamptz not null default now(),
    breaks boolean not null default false
  )`);
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

/** Applied migrations by name, in order. */
async function readApplied(database: Queryable): Promise<Map<string, Applied>> {
  const [found] = await database.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  );
  if (!found?.exists) return new Map();
  const rows = await database.query<Applied & { name: string }>(
    // Some unreleased versions created this table without the column.
    `select name, sha256, coalesce((to_jsonb(applied) ->> 'breaks')::boolean, false) as breaks
     from schema_migrations applied order by applied_at, name`,
  );
  return new Map(rows.map(({ name, ...applied }) => [name, applied]));
}

/** Numbered migrations from before the first release do not begin with a schema file. */
function refuseUnreleased([first]: readonly Migration[], applied: Map<string, Applied>): void {
  if (!first || isMigration(first.name) || applied.size === 0 || applied.has(first.name)) return;
  throw new UnreleasedDatabase([...applied.keys()].at(-1)!);
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
