import { type Filling, fillDatabase } from '../../../core/database/copying/fill_database.ts';
import { loadTable } from '../../../core/database/copying/load_table.ts';
import { listTables, type Table, writePlainly } from '../../../core/database/copying/tables.ts';
import { listUnknown } from '../../../core/database/migrate.ts';
import { isMigration } from '../../../core/database/schema_files.ts';
import type { ScriptableDatabase } from '../../../core/database/types.ts';
import type { Steps } from './deps.ts';
import type { KeptObjects } from './kept_objects.ts';
import type { DumpedTable, Manifest } from './manifest.ts';

/**
 * Fills a new database with the rows of a backup, as its tables were then: whole or not at all. Each table is compared with what was dumped, and every
 * reference is checked. Answers how many rows there are.
 * @throws Error where the backup is of a newer version, or a table differs
 */
export async function loadRows(
  database: ScriptableDatabase,
  { migrations, tables }: Manifest,
  { objects, steps }: { objects: KeptObjects; steps: Steps },
): Promise<number> {
  await refuseNewer(migrations);
  const rowsInAll = tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  const load = async ({ tx, requireSame }: Filling, dumped: DumpedTable, table: Table) => {
    for await (const rows of loadTable(tx, {
      table,
      numbers: dumped.numbers,
      parts: partsOf(dumped, objects),
    })) {
      steps.proceed();
      done += rows;
      steps.progress(done / rowsInAll, table.name);
    }
    await requireSame(table, dumped);
  };
  await fillDatabase(database, {
    only: migrations,
    async fill(filling) {
      await writePlainly(filling.tx);
      const there = new Map((await listTables(filling.tx)).map((table) => [table.name, table]));
      for (const dumped of tables) await load(filling, dumped, asDumped(dumped, there.get(dumped.name)));
    },
  });
  return rowsInAll;
}

/** @throws Error naming the migrations that this program does not have, or has otherwise */
export async function refuseNewer(migrations: Manifest['migrations']): Promise<void> {
  const unknown = await listUnknown(migrations);
  if (unknown.some(isMigration) && !migrations.some(({ name }) => name === 'ledger'))
    throw new Error(
      'The backup was made by an unreleased version, and there is no upgrade from it. Restore it with the version that made it.',
    );
  if (unknown.length > 0)
    throw new Error(
      `The backup was made by a newer version, whose database has ${unknown.slice(0, 3).join(', ')}. Install that version, and restore with it.`,
    );
}

/** Names become part of statements, so they are those of the database itself; the order of columns is that of the rows. */
function asDumped({ name, columns }: DumpedTable, there: Table | undefined): Table {
  const isSame = there !== undefined && new Set([...columns, ...there.columns]).size === columns.length;
  if (!isSame || columns.length !== there.columns.length)
    throw new Error(
      `The backup has a table ${name} of another form than its version makes. It cannot be restored.`,
    );
  return { ...there, columns };
}

async function* partsOf({ parts }: DumpedTable, objects: KeptObjects): AsyncGenerator<string[]> {
  for (const part of parts) yield await objects.readLines(part);
}
