import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AtelierError } from '../../errors/atelier_error.ts';

/** Writes a new file readable by this user only. `durable` waits until the bytes are on the disk. */
export async function writeNewFile(path: string, bytes: Uint8Array, durable: boolean): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    if (durable) await file.sync();
  } finally {
    await file.close();
  }
}

/** Puts a file in the place of another, or where there was none: whoever reads meanwhile has the one or the other. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.new`;
  await rm(temporary, { force: true });
  await writeNewFile(temporary, bytes, true);
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Makes a folder and its missing parents; each new one is durable once its parent has been synced. */
export async function makeFolder(path: string, durable = true): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (!first || !durable) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** A rename or a new name is on the disk only when its folder is. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Runs work that writes, and tells the caller plainly when the disk has no room. @throws AtelierError storage_full */
export async function refuseFullDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isDiskFull(error) ? diskFull(error) : error;
  }
}

/** ENOSPC and EDQUOT of the system, 53100 of PostgreSQL; of what a database says in words as it stops, these. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ['ENOSPC', 'EDQUOT', '53100'].includes(errorCode(error) ?? '') ||
    /no space left on device|disk quota exceeded/i.test(error.message) ||
    isDiskFull(error.cause)
  );
}

export const diskFull = (cause: unknown): AtelierError =>
  new AtelierError('storage_full', 'The disk of this server is full, so nothing was kept. Try again later.', {
    retryAfterSeconds: 300,
    cause,
  });

/** Refuses a stored file that is larger than whoever asks for it can take. */
export const tooLarge = (sizeBytes: number, bytesMax: number): AtelierError =>
  new AtelierError('payload_too_large', `It has ${sizeBytes} bytes; at most ${bytesMax} are taken here.`);

export const errorCode = (error: unknown): string | undefined =>
  (error as NodeJS.ErrnoException | undefined)?.code;
export const isMissing = (error: unknown): boolean => errorCode(error) === 'ENOENT';
