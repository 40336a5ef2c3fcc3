import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isMissing, replaceFile } from '../../../core/storage/blobs/disk.ts';

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
