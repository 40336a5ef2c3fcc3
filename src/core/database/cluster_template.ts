import { createHash, randomUUID } from 'node:crypto';
import { accessSync, constants, cpSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';
import { listSchemaFiles } from './schema_files.ts';

/** Beside the installed packages, because it belongs to one version of one of them. */
const CACHE_FOLDER = new URL('../../../node_modules/.cache/atelier/', import.meta.url);

/**
 * Reads the snapshot: an empty initialised cluster in a compressed archive. Creating a cluster takes seconds, unpacking one a few hundred
 * milliseconds, so the first one created on a machine is stored. Undefined if there is none yet.
 */
export async function readSnapshot(): Promise<Blob | undefined> {
  try {
    return new Blob([await readFile(await place())], { type: 'application/x-gzip' });
  } catch {
    return undefined;
  }
}

/** Starts storing a snapshot of a database without data. Never fails: a read-only installation works without a snapshot. */
export async function takeSnapshot(database: PGlite): Promise<{ kept: Promise<void> }> {
  const archive = await database.dumpDataDir('none');
  return { kept: keep(archive).catch(() => {}) };
}

async function keep(archive: Blob): Promise<void> {
  const file = await place();
  const draft = new URL(`${file.href}.${randomUUID()}`);
  try {
    const packed = await promisify(gzip)(await archive.arrayBuffer());
    await mkdir(CACHE_FOLDER, { recursive: true });
    await writeFile(draft, packed);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

const place = async (): Promise<URL> => new URL(`cluster-${await libraryVersion()}.tar.gz`, CACHE_FOLDER);

/** Version of the library that created a cluster; only this version is certain to read it. */
async function libraryVersion(): Promise<string> {
  const description = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  return (JSON.parse(await readFile(description, 'utf8')) as { version: string }).version;
}

/**
 * Copies an empty migrated cluster into an empty folder; false when there is no readable template. Copying a thousand files takes
 * 50 ms; unpacking and migrating takes 1.5 s.
 */
export async function copyTemplate(folder: string): Promise<boolean> {
  const template = await templatePlace();
  if (!isReadable(template)) return false;
  cpSync(template, folder, { recursive: true });
  return true;
}

/** Checked first, because Node ends the process when a folder to copy is unreadable. */
function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Named after the versions of library and schema, so that a template of other versions is not used. */
export async function templatePlace(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await listSchemaFiles()) hash.update(readFileSync(file));
  const name = `cluster-${await libraryVersion()}-${hash.digest('hex').slice(0, 12)}`;
  return fileURLToPath(new URL(name, CACHE_FOLDER));
}
