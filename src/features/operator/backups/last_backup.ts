import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Queryable } from '../../../core/database/types.ts';
import { isMissing, replaceFile } from '../../../core/storage/blobs/disk.ts';
import type { LastBackup } from './types.ts';

/** Copy of the backup record in DATA_DIR, for when the database cannot be opened. */
const NAME = 'last_backup.json';

const note = z.object({ name: z.string(), made_at: z.iso.datetime(), place: z.string() });
type Note = z.output<typeof note>;

/** @param place folder or bucket, as `atelier restore` takes it */
export async function keepLastBackupNote(dataDir: string, made: Note): Promise<void> {
  await replaceFile(join(dataDir, NAME), Buffer.from(`${JSON.stringify(made)}\n`));
}

/** Undefined where no backup of this folder was made, or the note cannot be read. */
export async function readLastBackupNote(dataDir: string): Promise<Note | undefined> {
  const text = await readFile(join(dataDir, NAME), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  try {
    return note.parse(JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}

export async function saveLastBackup(database: Queryable, backup: LastBackup): Promise<void> {
  const { name, madeAt, folder, bytes, addedBytes, damaged } = backup;
  await database.query(
    `insert into last_backup (name, made_at, folder, bytes, added_bytes, damaged) values ($1, $2, $3, $4, $5, $6)
     on conflict (only_row) do update set name = excluded.name, made_at = excluded.made_at, folder = excluded.folder,
       bytes = excluded.bytes, added_bytes = excluded.added_bytes, damaged = excluded.damaged`,
    [name, madeAt, folder, bytes, addedBytes, damaged],
  );
}

export async function selectLastBackup(database: Queryable): Promise<LastBackup | undefined> {
  const [row] = await database.query<LastBackup>(
    `select name, made_at as "madeAt", folder, bytes, added_bytes as "addedBytes", damaged from last_backup`,
  );
  return row;
}
