import { randomBytes } from 'node:crypto';
import { link, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, isMissing, makeFolder, syncFolder, writeNewFile } from '../blobs/disk.ts';

/**
 * The configured key for signed links, else the one kept in `dataDir`, made at the first start. Two processes that
 * start at once end up with the same key, and a process killed on the way never leaves half a key.
 */
export async function signingSecret(dataDir: string, configured?: string): Promise<string> {
  if (configured) return configured;
  const path = join(dataDir, 'signing_secret');
  const kept = await read(path);
  if (kept) return kept;
  await makeFolder(dataDir);
  const temporary = `${path}.${randomBytes(8).toString('hex')}.new`;
  await writeNewFile(temporary, Buffer.from(randomBytes(32).toString('hex')), true);
  // link() fails where rename() would replace the key another process has just made.
  await link(temporary, path).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  await rm(temporary);
  await syncFolder(dataDir);
  return readFile(path, 'utf8');
}

function read(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}
