import { createHash, randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Disk } from '../disk/contract.ts';
import type { Reserve } from '../visits/contract.ts';
import { reserveNothing } from '../visits/visits.ts';
import type { Blobs } from './contract.ts';
import {
  errorCode,
  isMissing,
  makeFolder,
  refuseFullDisk,
  syncFolder,
  tooLarge,
  writeNewFile,
} from './disk.ts';

const SHA256 = /^[0-9a-f]{64}$/;
const SWEEP_BATCH = 500;

/** Where damage on the disk is reported; pino's logger fits. */
interface DamageLogger {
  error(details: object, message: string): void;
}

interface BlobsOptions {
  readonly logger?: DamageLogger;
  /** Absent: everything is taken until the disk is full. */
  readonly disk?: Pick<Disk, 'requireRoom'>;
  /** Counts what is read. */
  readonly reserve?: Reserve;
}

/**
 * Bytes named by their sha256, in `<folder>/ab/cd/abcd…`. Several processes may share the folder.
 * Every `put` writes anew and renames: that repairs a damaged file and gives it a fresh age, which is what keeps
 * a sweep from taking a blob somebody has just kept.
 */
export function createBlobs(
  folder: string,
  { logger, disk, reserve = reserveNothing }: BlobsOptions = {},
): Blobs {
  const root = resolve(folder);
  const pathOf = (sha256: string) => join(root, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  const sizeOf = async (sha256: string): Promise<number | undefined> =>
    SHA256.test(sha256) ? stat(pathOf(sha256)).then(({ size }) => size, whenMissing(undefined)) : undefined;
  const reportDamage = (sha256: string, { isMissing: missing }: { isMissing: boolean }): AtelierError => {
    logger?.error({ sha256, missing }, 'stored bytes are damaged');
    return new AtelierError(
      'internal_error',
      'The stored bytes are damaged or gone, so they are not answered.',
      { cause: new Error(`blob ${sha256} ${missing ? 'is missing' : 'no longer has its sha256'}`) },
    );
  };

  return {
    async put(bytes) {
      await disk?.requireRoom(bytes.length);
      const sha256 = sha256Of(bytes);
      await refuseFullDisk(() => replaceFile(pathOf(sha256), bytes));
      return sha256;
    },

    async get(sha256, { bytesMax = Number.POSITIVE_INFINITY, copies = 1 } = {}) {
      const size = await sizeOf(sha256);
      if (size !== undefined && size > bytesMax) throw tooLarge(size, bytesMax);
      await reserve((size ?? 0) * copies);
      const bytes =
        size === undefined ? undefined : await readFile(pathOf(sha256)).catch(whenMissing(undefined));
      if (bytes && sha256Of(bytes) === sha256) return bytes;
      throw reportDamage(sha256, { isMissing: !bytes });
    },

    async open(sha256) {
      if ((await sizeOf(sha256)) === undefined) throw reportDamage(sha256, { isMissing: true });
      return openAsBlob(pathOf(sha256));
    },

    async sweep(isUsed, olderThan) {
      let removed = 0;
      for (const part of await namesIn(root)) {
        removed += await sweepPart(join(root, part), isUsed, olderThan);
      }
      return removed;
    },
  };
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  const temporary = `${path}.${randomUUID()}.new`;
  try {
    await writeNewFile(temporary, bytes, true);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

async function sweepPart(
  part: string,
  isUsed: Parameters<Blobs['sweep']>[0],
  olderThan: Date,
): Promise<number> {
  const old: string[] = [];
  for (const inner of await namesIn(part)) {
    for (const name of await namesIn(join(part, inner))) {
      const path = join(part, inner, name);
      if (await isOlder(path, olderThan)) old.push(path);
    }
  }
  let removed = 0;
  for (let start = 0; start < old.length; start += SWEEP_BATCH) {
    const batch = old.slice(start, start + SWEEP_BATCH);
    const used = await isUsed(batch.map((path) => basename(path)).filter((name) => SHA256.test(name)));
    for (const path of batch) {
      // What is not named by a sha256 was left by a process that died while writing.
      if (!used.has(basename(path)) && (await removeIfStillOld(path, olderThan))) removed += 1;
    }
  }
  return removed;
}

/** Moves the file aside before looking at its age once more: a `put` in between has either renewed it or writes it anew. */
async function removeIfStillOld(path: string, olderThan: Date): Promise<boolean> {
  const aside = join(dirname(path), `${basename(path).slice(0, 64)}.${randomUUID()}.swept`);
  const moved = await rename(path, aside).then(() => true, whenMissing(false));
  if (!moved) return false;
  if (!(await isOlder(aside, olderThan))) {
    await rename(aside, path);
    return false;
  }
  await rm(aside, { force: true });
  return true;
}

const isOlder = (path: string, limit: Date): Promise<boolean> =>
  stat(path).then(({ mtime }) => mtime < limit, whenMissing(false));
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(whenMissing([]));

/** For a file or folder that another process has removed meanwhile, or that is no folder at all. */
function whenMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (isMissing(error) || errorCode(error) === 'ENOTDIR') return value;
    throw error;
  };
}
