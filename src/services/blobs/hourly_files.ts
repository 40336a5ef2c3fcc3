import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AtelierError } from '../../errors.ts';
import { isMissing, makeFolder, refusingFullDisk, syncFolder, writeNewFile } from './disk.ts';

const HOUR_MS = 3_600_000;
const HOUR_FOLDER = /^\d{4}-\d{2}-\d{2}T\d{2}$/;
/** Second of creation in base 36, 128 random bits, and an optional extension. */
const NAME = /^([0-9a-z]{6,8})-[0-9a-f]{32}(\.[a-z0-9]{1,8})?$/;

/** Files with a common lifetime, without any index: the name says when and therefore where. */
interface HourlyFiles {
  /** Keeps the bytes under a new unguessable name. @throws AtelierError storage_full */
  write(
    bytes: Uint8Array,
    extension: string,
    options?: { durable?: boolean },
  ): Promise<{ name: string; expiresAt: Date }>;
  /**
   * Keeps what `fill` writes to the path it is given, where nothing is yet. What fails half-way is deleted.
   * @throws AtelierError storage_full
   */
  make<T>(extension: string, fill: (path: string) => Promise<T>): Promise<Made<T>>;
  /** Nothing when the name is not one of ours, was never given, or has expired. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** The same, but read from the disk as it is used. */
  open(name: string): Promise<Blob | undefined>;
  /** Deletes the folders of all hours whose files have expired; returns how many files went. */
  sweep(now: Date): Promise<number>;
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
  /** Above this sum nothing more is taken. Each process counts what it found at its last sweep and what it has written since. */
  readonly bytesMax: number;
  readonly now?: () => number;
}

/** Keeps files in one folder per UTC hour, so that expiry deletes folders and never looks for single files. */
export function createHourlyFiles(
  path: string,
  { lifetimeMs, bytesMax, now = Date.now }: HourlyFilesOptions,
): HourlyFiles {
  const folder = resolve(path);
  let used: Promise<{ bytes: number }> | undefined;
  const pathOf = (name: string, createdMs: number) => join(folder, hourOf(createdMs), name);
  const expiryOf = (name: string) => createdAt(name) + lifetimeMs;
  const found = async <T>(name: string, open: (path: string) => Promise<T>): Promise<T | undefined> => {
    if (!NAME.test(name) || expiryOf(name) <= now()) return undefined;
    return open(pathOf(name, createdAt(name))).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
  };

  const add = async <T>(extension: string, bytesExpected: number, fill: (path: string) => Promise<T>) => {
    used ??= bytesUnder(folder);
    const space = await used;
    if (space.bytes + bytesExpected > bytesMax) throw full();
    space.bytes += bytesExpected;
    const name = newName(now(), extension);
    const path = pathOf(name, createdAt(name));
    try {
      const made = await refusingFullDisk(() => fill(path));
      const { size: sizeBytes } = await stat(path);
      space.bytes += sizeBytes - bytesExpected;
      return { name, expiresAt: new Date(expiryOf(name)), sizeBytes, made };
    } catch (error) {
      space.bytes -= bytesExpected;
      await rm(path, { force: true });
      throw error;
    }
  };

  return {
    write: (bytes, extension, { durable = false } = {}) =>
      add(extension, bytes.length, (path) => writeInto(path, bytes, durable)),
    make: (extension, fill) =>
      add(extension, 0, async (path) => {
        await makeFolder(dirname(path), false);
        return fill(path);
      }),
    read: (name) => found<Uint8Array>(name, (path) => readFile(path)),
    // Of a missing file openAsBlob does not say that it is missing.
    open: (name) => found(name, async (path) => ((await stat(path)) ? openAsBlob(path) : undefined)),

    async sweep(at) {
      let removed = 0;
      for (const hour of await hoursIn(folder)) {
        if (Date.parse(`${hour}:00:00Z`) + HOUR_MS + lifetimeMs > at.getTime()) continue;
        removed += (await readdir(join(folder, hour))).length;
        await rm(join(folder, hour), { recursive: true, force: true });
      }
      used = bytesUnder(folder);
      await used;
      return removed;
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
