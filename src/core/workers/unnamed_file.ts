import { randomUUID } from 'node:crypto';
import { ftruncateSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Opens a file for reading and writing in the first writable folder and deletes its name, so that nothing is left of it if the process is
 * killed. Undefined if no folder is writable.
 */
export function openUnnamedFile(folders: readonly string[]): number | undefined {
  for (const folder of folders) {
    const path = join(folder, `atelier-image-${process.pid}-${randomUUID()}`);
    try {
      const opened = openSync(path, 'wx+', 0o600);
      unlinkSync(path);
      return opened;
    } catch {
      // The next folder may be writable.
    }
  }
  return undefined;
}

/** Replaces the contents of an open file. False if the file system is full; the file is then empty. */
export function replaceContents(descriptor: number, bytes: Uint8Array): boolean {
  try {
    for (let written = 0; written < bytes.length; )
      written += writeSync(descriptor, bytes, written, bytes.length - written, written);
    ftruncateSync(descriptor, bytes.length);
    return true;
  } catch {
    ftruncateSync(descriptor);
    return false;
  }
}
