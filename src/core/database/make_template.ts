import { chmodSync, globSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unmarkComplete } from './cluster_folder.ts';
import { templatePlace } from './cluster_template.ts';
import { openDatabase } from './open_database.ts';

/** Makes what `copyTemplate` copies. Run after installing; everything works without, the first start only takes longer. */
export async function makeTemplate(): Promise<void> {
  const place = await templatePlace();
  await mkdir(dirname(place), { recursive: true });
  const draft = mkdtempSync(`${place}-`);
  try {
    const database = await openDatabase({ dataDir: draft });
    await database.close();
    // A copy is complete only when its last file is there, so the copier writes the mark.
    unmarkComplete(join(draft, 'database'));
    openToReaders(join(draft, 'database'));
    rmSync(place, { recursive: true, force: true });
    renameSync(join(draft, 'database'), place);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Whoever installs is often not who runs the service. Nothing is in it yet, and nobody else may change it. */
function openToReaders(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of globSync('**', { cwd: folder, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}
