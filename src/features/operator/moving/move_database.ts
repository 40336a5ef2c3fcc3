import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { copyDatabase } from '../../../core/database/copying/copy_database.ts';
import { isJoined } from '../../../core/database/join_database.ts';
import { openDatabase } from '../../../core/database/open.ts';
import { openPostgresql } from '../../../core/database/postgresql.ts';
import { leaveNote, refuseMoved } from './moved_note.ts';
import type { Moved, MoveOptions } from './types.ts';

/**
 * Brings the embedded database of DATA_DIR to the PostgreSQL of DATABASE_URL, whole or not at all. A server that has it open goes on
 * answering what only reads, and after the move keeps to that until it is stopped.
 * @throws Error saying what to set or to do
 */
export async function moveDatabase(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | undefined },
  options: MoveOptions = {},
): Promise<Moved> {
  if (!databaseUrl)
    throw new Error('Set DATABASE_URL to the PostgreSQL database to move to: a new, empty one.');
  if (!existsSync(join(dataDir, 'database')))
    throw new Error(
      `There is no embedded database in DATA_DIR ${dataDir}. Set DATA_DIR to the folder the server was started with.`,
    );
  refuseMoved(dataDir);
  // The place to move to first: if it cannot be used, nobody was kept from writing.
  const target = await openPostgresql(databaseUrl, { statementMs: 0 });
  const source = await openDatabase({ dataDir, mayJoin: true }).catch(async (error: unknown) => {
    await target.close();
    throw error;
  });
  const joined = isJoined(source) ? source : undefined;
  try {
    await joined?.freeze();
    const copied = await copyDatabase(source, target, options);
    await leaveNote(dataDir);
    await joined?.stayFrozen();
    return { ...copied, wasOpen: joined !== undefined };
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}
