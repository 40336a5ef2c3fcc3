import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/core/database/open_database.ts';
import type { ScriptableDatabase } from '../../src/core/database/types.ts';

/**
 * The embedded database with empty tables, in a folder that is removed when it closes: one in memory would
 * have to migrate first.
 */
export async function openEmbeddedDatabase(): Promise<ScriptableDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-database-'));
  const database = await openDatabase({ dataDir: folder });
  const close = async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...database, close };
}
