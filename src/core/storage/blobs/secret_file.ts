import { randomBytes } from 'node:crypto';
import { link, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, isMissing, makeFolder, syncFolder, writeNewFile } from './disk.ts';

/**
 * Returns the text of a small secret file, created at the first call and readable by this user only. Processes that start
 * concurrently get the same text, and a killed process never leaves half of it. An existing file is never replaced, even if it is
 * empty: the caller validates it.
 */
export async function readOrCreateSecret(path: string, make: () => string): Promise<string> {
  const kept = await read(path);
  if (kept !== undefined) return kept;
  const folder = dirname(path);
  await makeFolder(folder);
  const temporary = `${path}.${randomBytes(8).toString('hex')}.new`;
  await writeNewFile(temporary, Buffer.from(make()), true);
  // link() fails where rename() would replace the file of another process.
  await link(temporary, path).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  await rm(temporary);
  await syncFolder(folder);
  return readFile(path, 'utf8');
}

function read(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}
