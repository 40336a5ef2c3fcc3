import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { copyFile, link, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  errorCode,
  isMissing,
  makeFolder,
  readWholeFile,
  refuseFullDisk,
  syncFolder,
  writeNewFile,
} from '../blobs/disk.ts';
import type { FoundObject, Objects } from './types.ts';

/** Characters of the file name that start a temporary name; file systems allow 255 in total. */
const NAMESAKE_CHARACTERS = 64;

/** Objects as files in a folder, readable by this user only. Several processes may share it. */
export function createFileObjects(folder: string): Objects {
  const root = resolve(folder);
  const pathOf = (name: string) => join(root, name);
  const sizeAt = (path: string) =>
    stat(path).then(({ size }): number | undefined => size, whenMissing(undefined));
  return {
    kind: 'files',
    write: (name, bytes, { durable = false } = {}) =>
      refuseFullDisk(() => writeInto(pathOf(name), bytes, durable)),
    add: (name, bytes) => refuseFullDisk(() => writeAtOnce(pathOf(name), bytes)),
    addFile: (name, { path }) => refuseFullDisk(() => linkFile(path, pathOf(name))),
    replace: (name, bytes) => refuseFullDisk(() => replaceFile(pathOf(name), bytes)),
    make: (name, fill) => refuseFullDisk(() => makeFile(pathOf(name), fill)),
    sizeOf: (name) => sizeAt(pathOf(name)),
    read: (name, admit) => readWholeFile(pathOf(name), admit).catch(whenMissing(undefined)),
    // openAsBlob does not report a missing file.
    open: async (name) => ((await sizeAt(pathOf(name))) === undefined ? undefined : openAsBlob(pathOf(name))),
    remove: (name) => rm(pathOf(name), { force: true }),
    removeIfOlder: (name, than) => removeIfOlder(pathOf(name), than),
    list: (folder = '') => listUnder(root, folder),
    async folders() {
      const entries = await readdir(root, { withFileTypes: true }).catch(whenMissing([]));
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
    async removeFolder(name) {
      const files = await readdir(pathOf(name), { recursive: true, withFileTypes: true }).catch(
        whenMissing([]),
      );
      await rm(pathOf(name), { recursive: true, force: true });
      return files.filter((entry) => entry.isFile()).length;
    },
  };
}

/** No temporary name is needed: the name is not referenced before the write has ended. */
async function writeInto(path: string, bytes: Uint8Array, durable: boolean): Promise<void> {
  const folder = dirname(path);
  const write = () => writeNewFile(path, bytes, durable);
  try {
    await write().catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      await makeFolder(folder, durable);
      await write();
    });
  } catch (error) {
    // An existing file was written by another process.
    if (errorCode(error) !== 'EEXIST') await rm(path, { force: true });
    throw error;
  }
  if (durable) await syncFolder(folder);
}

/**
 * Writes atomically: a reader that knows the name before the write has ended sees nothing or everything, and of several writers one
 * wins.
 */
async function writeAtOnce(path: string, bytes: Uint8Array): Promise<boolean> {
  const unknown = namesakeOf(path, 'new');
  try {
    await writeInto(unknown, bytes, false);
    return await linkFile(unknown, path);
  } finally {
    await rm(unknown, { force: true });
  }
}

/** Creates a hard link, or a copy if the folder is on another file system. */
async function linkFile(source: string, path: string): Promise<boolean> {
  try {
    await link(source, path).catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      await makeFolder(dirname(path), false);
      await link(source, path);
    });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (errorCode(error) !== 'EXDEV') throw error;
  }
  const copy = namesakeOf(path, 'new');
  try {
    await copyFile(source, copy);
    return await linkFile(copy, path);
  } finally {
    await rm(copy, { force: true });
  }
}

async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  const temporary = namesakeOf(path, 'new');
  try {
    await writeNewFile(temporary, bytes, true);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

async function makeFile<T>(
  path: string,
  fill: (path: string) => Promise<T>,
): Promise<{ sizeBytes: number; made: T }> {
  await makeFolder(dirname(path), false);
  try {
    const made = await fill(path);
    return { sizeBytes: (await stat(path)).size, made };
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') await rm(path, { force: true });
    throw error;
  }
}

/** Moves the file aside before its age is checked again: a `replace` in between has renewed it or writes it again. */
async function removeIfOlder(path: string, than: Date): Promise<boolean> {
  if (!(await isOlder(path, than))) return false;
  const aside = namesakeOf(path, 'swept');
  const moved = await rename(path, aside).then(() => true, whenMissing(false));
  if (!moved) return false;
  if (!(await isOlder(aside, than))) {
    await rename(aside, path);
    return false;
  }
  await rm(aside, { force: true });
  return true;
}

async function* listUnder(root: string, folder: string): AsyncGenerator<FoundObject> {
  for (const entry of await readdir(join(root, folder), { withFileTypes: true }).catch(whenMissing([]))) {
    const name = join(folder, entry.name);
    if (entry.isDirectory()) yield* listUnder(root, name);
    const found = entry.isFile() ? await stat(join(root, name)).catch(whenMissing(undefined)) : undefined;
    if (found) yield { name, sizeBytes: found.size, modifiedAt: found.mtime };
  }
}

const namesakeOf = (path: string, ending: string): string =>
  join(dirname(path), `${basename(path).slice(0, NAMESAKE_CHARACTERS)}.${randomUUID()}.${ending}`);
const isOlder = (path: string, limit: Date): Promise<boolean> =>
  stat(path).then(({ mtime }) => mtime < limit, whenMissing(false));

/** For a file or folder that another process has deleted, or that is not a folder. */
function whenMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (isMissing(error) || errorCode(error) === 'ENOTDIR') return value;
    throw error;
  };
}
