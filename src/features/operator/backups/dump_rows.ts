import { dumpTable, readNumbers } from '../../../core/database/copying/table_dump.ts';
import { digestTable, listTables } from '../../../core/database/copying/tables.ts';
import type { Queryable } from '../../../core/database/types.ts';
import type { Steps } from './deps.ts';
import type { BackupObjects } from './kept_objects.ts';
import type { DumpedTable } from './manifest.ts';

interface Dumped {
  readonly tables: DumpedTable[];
  readonly rows: number;
  readonly bytes: number;
  readonly addedBytes: number;
}

/**
 * Stores every row of the database.
 * @param moment a snapshot transaction
 */
export async function dumpRows(moment: Queryable, objects: BackupObjects, steps: Steps): Promise<Dumped> {
  const tables = await listTables(moment);
  // Prevents a rewrite of the tables until the end of the transaction: rewritten tables are empty in an older snapshot.
  await moment.query(`lock table ${tables.map(({ name }) => name).join(', ')} in access share mode`);
  const dumped = { tables: [] as DumpedTable[], rows: 0, bytes: 0, addedBytes: 0 };
  for (const [index, table] of tables.entries()) {
    const { rows, sum } = await digestTable(moment, table);
    const parts: string[] = [];
    let found = 0;
    for await (const part of dumpTable(moment, table)) {
      steps.proceed();
      const kept = await objects.putLines(part);
      parts.push(kept.sha256);
      found += part.length;
      dumped.bytes += kept.bytes;
      dumped.addedBytes += kept.addedBytes;
      steps.progress((index + found / rows) / tables.length, table.name);
    }
    if (found !== rows)
      throw new Error(`Read ${found} of ${rows} rows of ${table.name}. Run the backup again.`);
    const numbers = await readNumbers(moment, table);
    dumped.tables.push({ name: table.name, columns: [...table.columns], numbers, rows, sum, parts });
    dumped.rows += rows;
  }
  return dumped;
}
