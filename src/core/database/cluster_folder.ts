import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Marker of a complete cluster, written last. PostgreSQL ignores unknown files. */
const MARK = 'atelier-complete';

/**
 * Creates the folder of the embedded database, mode 0700. An incomplete one, left by a process that died, is moved aside: it
 * contains no data, but it is not deleted.
 */
export function prepareClusterFolder(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, MARK))) {
    renameSync(folder, `${folder}.incomplete-${Date.now()}`);
  }
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
}

/** Whether the folder contains a complete cluster. */
export const isComplete = (folder: string): boolean => existsSync(join(folder, MARK));

export function markComplete(folder: string): void {
  writeFileSync(
    join(folder, MARK),
    'This cluster is complete. The service moves a folder without this file aside.\n',
  );
}

export const unmarkComplete = (folder: string): void => rmSync(join(folder, MARK), { force: true });
