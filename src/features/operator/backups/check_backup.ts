import { type BackupPlace, type Steps, stepsOf } from './deps.ts';
import { eachBlob } from './each_blob.ts';
import { createKeptObjects, type KeptObjects } from './kept_objects.ts';
import { type Manifest, readManifest } from './manifest.ts';
import type { CheckedBackup, ChooseOptions } from './types.ts';

/** Reads every object of a backup and compares it with its name. @throws Error naming the first that is damaged */
export async function checkBackup(place: BackupPlace, options: ChooseOptions): Promise<CheckedBackup> {
  const { name, manifest } = await readManifest(place, options.at);
  return { name, ...(await checkObjects(manifest, createKeptObjects(place), stepsOf(options))) };
}

/** @throws as `checkBackup` */
export async function checkObjects(
  { tables, files, blobs }: Manifest,
  objects: KeptObjects,
  steps: Steps,
): Promise<Omit<CheckedBackup, 'name'>> {
  const checked = { objects: 0, bytes: 0 };
  const check = async (sha256: string) => {
    steps.proceed();
    checked.bytes += (await objects.read(sha256)).length;
    checked.objects += 1;
  };
  for (const { sha256 } of files) await check(sha256);
  for (const [index, { name, parts }] of tables.entries()) {
    for (const part of parts) await check(part);
    steps.progress((0.5 * (index + 1)) / tables.length, `checking ${name}`);
  }
  if (!blobs) return checked;
  const damaged = new Set(blobs.damaged);
  const rest: Steps = {
    ...steps,
    progress: (fraction, what) => steps.progress(0.5 + fraction / 2, `checking ${what}`),
  };
  await eachBlob(blobs, { objects, steps: rest }, async (sha256) => {
    if (!damaged.has(sha256)) await check(sha256);
  });
  return checked;
}
