import { createHash } from 'node:crypto';
import { accessSync, constants, cpSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { listSchemaFiles } from './schema_files.ts';
import { CACHE_FOLDER, libraryVersion } from './snapshot.ts';

/**
 * Copies an empty cluster with today's tables into an empty folder; false when this machine has none that we may read. Copying a thousand
 * files takes a twentieth of a second, where unpacking them through WebAssembly and migrating takes one and a half.
 */
export async function copyTemplate(folder: string): Promise<boolean> {
  const template = await templatePlace();
  if (!isReadable(template)) return false;
  cpSync(template, folder, { recursive: true });
  return true;
}

/** Asked first, because Node ends the process where a folder that is copied may not be read. */
function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Named after the library and the schema, so that a template made with others is never used. */
export async function templatePlace(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await listSchemaFiles()) hash.update(readFileSync(file));
  const name = `cluster-${await libraryVersion()}-${hash.digest('hex').slice(0, 12)}`;
  return fileURLToPath(new URL(name, CACHE_FOLDER));
}
