import type { BackupPlace } from './deps.ts';
import type { BackupObjects } from './kept_objects.ts';
import { listBackups, type Manifest, manifestName, readManifest } from './manifest.ts';

/**
 * Deletes all backups but the newest, and the objects that only they used. An interrupted run leaves complete backups, and the next
 * run deletes the rest. Names in use are held in memory: 64 bytes per blob.
 * @returns names of the deleted backups
 */
export async function pruneBackups(
  place: BackupPlace,
  objects: BackupObjects,
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

/** Names of all objects of a backup, damaged blobs included. */
export async function* objectsOf(
  { tables, files, blobs }: Manifest,
  objects: BackupObjects,
): AsyncGenerator<string> {
  for (const { parts } of tables) yield* parts;
  for (const { sha256 } of files) yield sha256;
  for (const list of blobs?.lists ?? []) {
    yield list;
    yield* await objects.readLines(list);
  }
}
