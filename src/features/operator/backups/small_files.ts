import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, makeFolder, replaceFile } from '../../../core/storage/blobs/disk.ts';
import type { KeptObjects } from './kept_objects.ts';
import type { Manifest } from './manifest.ts';

/** Keys that a server makes itself: without them earlier links end, and receipts are signed by another key. */
const NAMES = ['signing_secret', 'receipt_key.pem'];

/** Keeps the small files of DATA_DIR that are there; those given by settings are not. */
export async function keepSmallFiles(dataDir: string, objects: KeptObjects): Promise<Manifest['files']> {
  const kept: Manifest['files'] = [];
  for (const name of NAMES) {
    const bytes = await readFile(join(dataDir, name)).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (bytes) kept.push({ name, sha256: (await objects.put(bytes)).sha256 });
  }
  return kept;
}

/** Writes them to a folder, readable by this user only. What a backup names otherwise is left out. */
export async function restoreSmallFiles(
  folder: string,
  objects: KeptObjects,
  files: Manifest['files'],
): Promise<void> {
  await makeFolder(folder);
  for (const { name, sha256 } of files.filter((file) => NAMES.includes(file.name)))
    await replaceFile(join(folder, name), Buffer.from(await objects.read(sha256)));
}
