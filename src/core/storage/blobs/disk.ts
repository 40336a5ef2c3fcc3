import {
  close as closeFile,
  closeSync,
  fstatSync,
  fsync,
  open as openFile,
  read as readBytes,
  write as writeFile,
} from 'node:fs';
import { mkdir, open, rename, rm, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { DISK_FREE_BYTES_MIN, DISK_FREE_SHARE_MIN } from '../../../config/limits.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Admit } from '../objects/types.ts';

/**
 * File descriptors instead of FileHandles, which take 0.1 ms more of the main thread per call; nearly every request stores a result or
 * reads a file.
 */
const descriptors = {
  open: promisify(openFile),
  write: promisify(writeFile) as (
    descriptor: number,
    bytes: Uint8Array,
    from: number,
  ) => Promise<{ bytesWritten: number }>,
  read: promisify(readBytes) as (
    descriptor: number,
    into: Uint8Array,
    at: number,
    length: number,
    from: number,
  ) => Promise<{ bytesRead: number }>,
  sync: promisify(fsync),
  close: promisify(closeFile),
};

/** Writes a new file readable by this user only. `durable` syncs it to disk. */
export async function writeNewFile(path: string, bytes: Uint8Array, durable: boolean): Promise<void> {
  const descriptor = await descriptors.open(path, 'wx', 0o600);
  try {
    for (let written = 0; written < bytes.length; )
      written += (await descriptors.write(descriptor, bytes, written)).bytesWritten;
    if (durable) await descriptors.sync(descriptor);
  } finally {
    await descriptors.close(descriptor);
  }
}

/**
 * Reads a whole file, in a single read if the system returns all of it. Its size, which the system knows once the file is open, is read
 * synchronously, and so is the file closed, which writes nothing: each trip to a thread and back takes 0.1 to 0.2 ms.
 * @param admit as `Admit`
 * @throws the system error, ENOENT for a missing file
 */
export async function readWholeFile(path: string, admit?: Admit): Promise<Buffer> {
  const descriptor = await descriptors.open(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const bytes = (await admit?.(size)) ?? Buffer.allocUnsafeSlow(size);
    for (let at = 0; at < size; ) {
      const { bytesRead } = await descriptors.read(descriptor, bytes, at, size - at, at);
      // The file was truncated meanwhile.
      if (bytesRead === 0) return bytes.subarray(0, at);
      at += bytesRead;
    }
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}

/** Atomically creates or replaces a file: a concurrent reader sees the old or the new contents. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.new`;
  await rm(temporary, { force: true });
  await writeNewFile(temporary, bytes, true);
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Creates a folder and its missing parents; each new one is durable once its parent has been synced. */
export async function makeFolder(path: string, durable = true): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (!first || !durable) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** A new name or a rename is durable only once its folder is synced. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Converts a full-disk error. @throws AtelierError storage_full */
export async function refuseFullDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isDiskFull(error) ? diskFull(error) : error;
  }
}

/** ENOSPC and EDQUOT of the system, 53100 of PostgreSQL, and these messages of a database that stops. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ['ENOSPC', 'EDQUOT', '53100'].includes(errorCode(error) ?? '') ||
    /no space left on device|disk quota exceeded/i.test(error.message) ||
    isDiskFull(error.cause)
  );
}

/** Error for a full disk. */
export const diskFull = (cause: unknown): AtelierError =>
  new AtelierError(
    'storage_full',
    'The disk of this server is full, so nothing was saved. Try again later.',
    {
      retryAfterSeconds: 300,
      cause,
    },
  );

/** Refuses a stored file that exceeds the limit of its reader. */
export const tooLarge = (sizeBytes: number, bytesMax: number): AtelierError =>
  new AtelierError('payload_too_large', `The file has ${sizeBytes} bytes. The limit is ${bytesMax}.`);

export const errorCode = (error: unknown): string | undefined =>
  (error as NodeJS.ErrnoException | undefined)?.code;
export const isMissing = (error: unknown): boolean => errorCode(error) === 'ENOENT';

/** How long a disk check is cached. */
const DISK_CACHE_MS = 1_000;

interface DiskOptions {
  readonly folder: string;
  /** Default: 1 GiB or a twentieth of the disk, whichever is less. */
  readonly freeBytesMin?: number | undefined;
  readonly look?: (folder: string) => Promise<Space>;
  readonly now?: () => number;
}

interface Space {
  readonly bsize: number;
  /** Block size, and blocks available to this user. */
  readonly blocks: number;
  readonly bavail: number;
}

/** Checks once a second at most. A file system that reports no size counts as unlimited. */
export function createDisk({
  folder,
  freeBytesMin,
  look = statfs,
  now = () => performance.now(),
}: DiskOptions): Disk {
  let seen: { at: number; spareBytes: Promise<number> } | undefined;
  const spareLately = async (): Promise<number> => {
    if (!seen || now() - seen.at >= DISK_CACHE_MS) seen = { at: now(), spareBytes: spareNow() };
    return seen.spareBytes;
  };
  const spareNow = () => spareBytes(folder, freeBytesMin, look);
  return {
    async requireRoom(bytes = 0) {
      if ((await spareLately()) < bytes) throw full();
    },
    hasRoom: async () => (await spareLately()) >= 0,
    spareBytes: spareLately,
  };
}

/** Bytes that may still be written to the disk of a folder; negative below the required free space. */
export async function spareBytes(
  folder: string,
  freeBytesMin: number | undefined,
  look: NonNullable<DiskOptions['look']> = statfs,
): Promise<number> {
  const { bsize, blocks, bavail } = await look(folder).catch(() => ({ bsize: 0, blocks: 0, bavail: 0 }));
  if (blocks === 0) return Number.POSITIVE_INFINITY;
  const min = freeBytesMin ?? Math.min(DISK_FREE_BYTES_MIN, blocks * bsize * DISK_FREE_SHARE_MIN);
  return bavail * bsize - min;
}

const full = (): AtelierError =>
  new AtelierError(
    'storage_full',
    'The server is low on disk space and cannot save new files. Existing files are still available. Try again later.',
    { retryAfterSeconds: 300 },
  );

/** Disk watermark: keeps space for required writes (ledger, log). */
export interface Disk {
  /** @throws AtelierError storage_full if these bytes would exceed the watermark */
  requireRoom(bytes?: number): Promise<void>;
  hasRoom(): Promise<boolean>;
  /** Bytes that may still be stored; negative below the watermark. */
  spareBytes(): Promise<number>;
}
