import type { BackupPlace } from './deps.ts';
import type { KeptObjects } from './kept_objects.ts';
import { listBackups, type Manifest, manifestName, readManifest } from './manifest.ts';

/**
 * Removes all backups of a place but the newest, and what only they needed. Stopped on the way, it leaves whole backups, and the next
 * time removes the rest. What is in use is held in memory: 64 bytes a blob.
 * @returns names of those that were removed
 */
export async function pruneBackups(
  place: BackupPlace,
  objects: KeptObjects,
  keep: number,
): Promise<string[]> {
  const names = await listBackups(place);
  const old = names.slice(0, -keep);
  if (old.length === 0) return [];
  const named = new Set<string>();
  for (const name of names.slice(-keep)) {
    const { manifest } = await readManifest(place, name);
    for await (const sha256 of objectsOf(manifest, objects)) named.add(sha256);
  }
  for (const name of old) await place.manifests.remove(manifestName(name));
  await objects.removeAllBut((sha256) => named.has(sha256));
  return old;
}

/** Names of all objects a backup consists of; those of damaged blobs among them. */
export async function* objectsOf(
  { tables, files, blobs }: Manifest,
  objects: KeptObjects,
): AsyncGenerator<string> {
  for (const { parts } of tables) yield* parts;
  for (const { sha256 } of files) yield sha256;
  for (const list of blobs?.lists ?? []) {
    yield list;
    yield* await objects.readLines(list);
  }
}
