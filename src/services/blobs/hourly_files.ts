import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { link, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Reserve } from '../visits/contract.ts';
import { reserveNothing } from '../visits/visits.ts';
import {
  errorCode,
  isMissing,
  makeFolder,
  refuseFullDisk,
  syncFolder,
  tooLarge,
  writeNewFile,
} from './disk.ts';
import type { Shares } from './shares.ts';

const HOUR_MS = 3_600_000;
const HOUR_FOLDER = /^\d{4}-\d{2}-\d{2}T\d{2}$/;
/** Second of creation in base 36, 128 random bits, and an optional extension. */
const NAME = /^([0-9a-z]{6,8})-[0-9a-f]{32}(\.[a-z0-9]{1,8})?$/;

/** Files with a common lifetime, without any index: the name says when and therefore where. */
interface HourlyFiles {
  /** An unguessable name for a file that is written later, and lives as if it had been written now. */
  newName(): string;
  /**
   * Keeps the bytes under a new unguessable name, or under one that `newName` gave before: whole or not at all, and once.
   * @throws AtelierError storage_full; EEXIST where a file of that name is there
   */
  write(
    bytes: Uint8Array,
    extension: string,
    options?: { durable?: boolean; name?: string | undefined },
  ): Promise<{ name: string; expiresAt: Date }>;
  /**
   * Keeps what `fill` writes to the path it is given, where nothing is yet. What fails half-way is deleted.
   * @throws AtelierError storage_full
   */
  make<T>(extension: string, fill: (path: string) => Promise<T>): Promise<Made<T>>;
  /**
   * Nothing when the name is not one of ours, was never given, or has expired.
   * @throws AtelierError payload_too_large before anything is read; busy
   */
  read(name: string, options?: ReadOptions): Promise<Uint8Array | undefined>;
  /** The same, but read from the disk as it is used. */
  open(name: string): Promise<Blob | undefined>;
  /** When a file that was found expires. */
  expiryOf(name: string): Date;
  /** Deletes the folders of all hours whose files have expired; returns how many files went. */
  sweep(now: Date): Promise<number>;
}

export interface ReadOptions {
  readonly bytesMax?: number;
  /** How often its bytes will be in memory at once. */
  readonly copies?: number;
  /** Also while it is only kept for answers that name it. */
  readonly evenExpired?: boolean;
}

interface Made<T> {
  readonly name: string;
  readonly expiresAt: Date;
  readonly sizeBytes: number;
  /** What `fill` answered. */
  readonly made: T;
}

interface HourlyFilesOptions {
  readonly lifetimeMs: number;
  /** How much longer the files stay than their names are good for. */
  readonly graceMs?: number;
  /** Above this sum nothing more is taken. Each process counts what it found at its last sweep and what it has written since. */
  readonly bytesMax: number;
  readonly now?: () => number;
  /** Bounds what one caller keeps; absent: nothing does. */
  readonly shares?: Shares | undefined;
  /** Counts what is read. */
  readonly reserve?: Reserve | undefined;
}

/** Keeps files in one folder per UTC hour, so that expiry deletes folders and never looks for single files. */
export function createHourlyFiles(path: string, options: HourlyFilesOptions): HourlyFiles {
  const { lifetimeMs, graceMs = 0, now = Date.now, reserve = reserveNothing } = options;
  const folder = resolve(path);
  const space = createSpace(folder, options);
  const pathOf = (name: string) => join(folder, hourOf(createdAt(name)), name);
  const expiryOf = (name: string) => new Date(createdAt(name) + lifetimeMs);
  const openFound = async <T>(
    name: string,
    open: (path: string) => Promise<T>,
    late = 0,
  ): Promise<T | undefined> => {
    if (!NAME.test(name) || createdAt(name) + lifetimeMs + late <= now()) return undefined;
    return open(pathOf(name)).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
  };
  const add = async <T>(name: string, bytesExpected: number, fill: (path: string) => Promise<T>) => {
    const file = await space.fill(pathOf(name), bytesExpected, fill);
    return { name, expiresAt: expiryOf(name), ...file };
  };

  return {
    newName: () => newName(now(), ''),
    write: (bytes, extension, { durable = false, name } = {}) =>
      name === undefined
        ? add(newName(now(), extension), bytes.length, (file) => writeInto(file, bytes, durable))
        : add(name, bytes.length, (file) => writeAtOnce(file, bytes, durable)),
    make: (extension, fill) =>
      add(newName(now(), extension), 0, async (file) => {
        await makeFolder(dirname(file), false);
        return fill(file);
      }),
    read: (name, { bytesMax, copies = 1, evenExpired = false } = {}) =>
      openFound<Uint8Array>(
        name,
        async (file) => {
          const { size } = await stat(file);
          if (bytesMax !== undefined && size > bytesMax) throw tooLarge(size, bytesMax);
          await reserve(size * copies);
          return readFile(file);
        },
        evenExpired ? graceMs : 0,
      ),
    // openAsBlob does not say that a file is missing.
    open: (name) => openFound(name, async (file) => ((await stat(file)) ? openAsBlob(file) : undefined)),
    expiryOf,

    async sweep(at) {
      let removed = 0;
      for (const hour of await hoursIn(folder)) {
        if (Date.parse(`${hour}:00:00Z`) + HOUR_MS + lifetimeMs + graceMs > at.getTime()) continue;
        removed += (await readdir(join(folder, hour))).length;
        await rm(join(folder, hour), { recursive: true, force: true });
      }
      await space.recount();
      return removed;
    },
  };
}

/** What files take together and for each caller, and the room that is left. */
function createSpace(folder: string, { bytesMax, shares }: Pick<HourlyFilesOptions, 'bytesMax' | 'shares'>) {
  let used: Promise<{ bytes: number }> | undefined;
  return {
    /** @throws AtelierError storage_full, too_much_kept; what fails leaves nothing */
    async fill<T>(path: string, bytesExpected: number, work: (path: string) => Promise<T>) {
      used ??= bytesUnder(folder);
      const space = await used;
      if (space.bytes + bytesExpected > bytesMax) throw full();
      space.bytes += bytesExpected;
      let become: ((bytes: number) => void) | undefined;
      try {
        become = await shares?.take(bytesExpected);
        const made = await refuseFullDisk(() => work(path));
        const { size: sizeBytes } = await stat(path);
        space.bytes += sizeBytes - bytesExpected;
        become?.(sizeBytes);
        return { sizeBytes, made };
      } catch (error) {
        space.bytes -= bytesExpected;
        become?.(0);
        // What is there already was written by somebody else.
        if (errorCode(error) !== 'EEXIST') await rm(path, { force: true });
        throw error;
      }
    },
    async recount(): Promise<void> {
      used = bytesUnder(folder);
      await used;
    },
  };
}

function newName(nowMs: number, extension: string): string {
  const second = Math.floor(nowMs / 1000).toString(36);
  return `${second}-${randomBytes(16).toString('hex')}${extension && `.${extension}`}`;
}

const createdAt = (name: string): number => Number.parseInt(name, 36) * 1000;
/** `2026-10-09T14` */
const hourOf = (ms: number): string => new Date(ms).toISOString().slice(0, 13);

/** No temporary name is needed: nobody knows the name before the write has ended. */
async function writeInto(path: string, bytes: Uint8Array, durable: boolean): Promise<void> {
  const folder = dirname(path);
  try {
    await writeNewFile(path, bytes, durable);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await makeFolder(folder, durable);
    await writeNewFile(path, bytes, durable);
  }
  if (durable) await syncFolder(folder);
}

/** Whoever knows the name before the write has ended sees nothing or everything, and of several writers one. @throws EEXIST */
async function writeAtOnce(path: string, bytes: Uint8Array, durable: boolean): Promise<void> {
  const unknown = join(dirname(path), newName(Date.now(), 'part'));
  try {
    await writeInto(unknown, bytes, durable);
    await link(unknown, path);
  } finally {
    await rm(unknown, { force: true });
  }
}

async function hoursIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.filter((name) => HOUR_FOLDER.test(name));
}

async function bytesUnder(folder: string): Promise<{ bytes: number }> {
  let bytes = 0;
  for (const hour of await hoursIn(folder)) {
    for (const name of await readdir(join(folder, hour)).catch(() => [])) {
      bytes += await stat(join(folder, hour, name)).then(
        ({ size }) => size,
        () => 0,
      );
    }
  }
  return { bytes };
}

function full(): AtelierError {
  return new AtelierError(
    'storage_full',
    'The space for temporary files is used up, so nothing was kept. Try again when older files have expired.',
    {
      retryAfterSeconds: 600,
    },
  );
}
