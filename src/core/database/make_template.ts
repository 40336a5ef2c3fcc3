import { chmodSync, globSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unmarkComplete } from './cluster_folder.ts';
import { templatePlace } from './cluster_template.ts';
import { openDatabase } from './open_database.ts';

/** Creates the template for `copyTemplate`. Run after installation; without it, only the first start takes longer. */
export async function makeTemplate(): Promise<void> {
  const place = await templatePlace();
  await mkdir(dirname(place), { recursive: true });
  const draft = mkdtempSync(`${place}-`);
  try {
    const database = await openDatabase({ dataDir: draft });
    await database.close();
    // A copy is complete once its last file exists, so the copier writes the marker.
    unmarkComplete(join(draft, 'database'));
    openToReaders(join(draft, 'database'));
    rmSync(place, { recursive: true, force: true });
    renameSync(join(draft, 'database'), place);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * The user who installs often differs from the user who runs the service. The template holds no data yet; it is readable by all and
 * writable by its owner.
 */
function openToReaders(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of globSync('**', { cwd: folder, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}
