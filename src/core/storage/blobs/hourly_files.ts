import { randomUUID } from 'node:crypto';
import { acquireBuffer } from '../../buffer_pool.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Links } from '../../links/links.ts';
import type { StorageQuota } from '../../quotas/quotas.ts';
import { type Reserve, reserveNothing } from '../../request_scope/request_scope.ts';
import type { Objects } from '../objects/types.ts';
import { tooLarge } from './disk.ts';
import { cleanFileName, decodeFileName, encodeFileName } from './file_name.ts';
import type { SpooledFile } from './spool.ts';

const HOUR_MS = 3_600_000;
const RECOUNT_STORE_MS = 600_000;
const HOUR_FOLDER = /^\d{4}-\d{2}-\d{2}T\d{2}$/;
/**
 * Creation second in base 36, 32 hex digits with 122 random bits (RFC 9562, version 4), optionally the encoded client file name, and an
 * optional extension.
 */
const NAME = /^([0-9a-z]{6,8})-[0-9a-f]{32}(?:-((?:[A-Za-z0-9-]|_[0-9a-f]{2}){1,120}))?(\.[a-z0-9]{1,8})?$/;

/** The client's file name, without the extension of the stored file. */
export function fileNameIn(name: string): string | undefined {
  const encoded = NAME.exec(name)?.[2];
  return encoded === undefined ? undefined : decodeFileName(encoded);
}

/** Files with a common lifetime, without an index: the name encodes the time and so the location. */
interface HourlyFiles {
  /** An unguessable name for a file to be written later, whose lifetime starts now. */
  newName(fileName?: string): string;
  /** Stores bytes under a new unguessable name. @throws AtelierError storage_full, too_much_kept */
  write(
    bytes: Uint8Array,
    extension: string,
    options?: { durable?: boolean; fileName?: string | undefined },
  ): Promise<{ name: string; expiresAt: Date }>;
  /**
   * Stores a spooled file once under a name from `newName`: undefined if the name is taken. Without a name, it is stored under a new one
   * that includes the client's file name.
   * @throws as `write`; busy
   */
  addFile(
    file: SpooledFile,
    name?: string,
    fileName?: string,
  ): Promise<{ name: string; expiresAt: Date } | undefined>;
  /** Checks the total and the quota of the client without using them. @throws as `write` */
  requireRoom(bytes: number): Promise<void>;
  /**
   * Stores a file that `fill` writes to the given path, which does not exist yet. A partial file is deleted.
   * @throws AtelierError storage_full
   */
  make<T>(extension: string, fill: (path: string) => Promise<T>, fileName?: string): Promise<Made<T>>;
  /**
   * Undefined if the name is malformed, unknown or expired.
   * @throws AtelierError payload_too_large before anything is read; busy
   */
  read(name: string, options?: ReadOptions): Promise<Uint8Array | undefined>;
  /** `read` as a stream. */
  open(name: string): Promise<Blob | undefined>;
  /** When an existing file expires. */
  expiryOf(name: string): Date;
  /** Deletes the folders of all expired hours; returns the number of files. */
  sweep(now: Date): Promise<number>;
}

export interface ReadOptions {
  readonly bytesMax?: number;
  /** Number of copies of its bytes in memory. */
  readonly copies?: number;
  /** Also reads a file that is retained only for stored responses. */
  readonly evenExpired?: boolean;
}

interface Made<T> {
  readonly name: string;
  readonly expiresAt: Date;
  readonly sizeBytes: number;
  /** Result of `fill`. */
  readonly made: T;
}

/** Options of a service that stores its files by the hour. */
export interface FileServiceOptions {
  readonly objects: Objects;
  /** Signs the links to the files. */
  readonly links: Links;
  readonly bytesMax?: number;
  readonly quota?: StorageQuota;
  readonly reserve?: Reserve;
  readonly now?: () => number;
}

interface HourlyFilesOptions {
  readonly lifetimeMs: number;
  /** How long files outlive their names. */
  readonly graceMs?: number;
  /** Limit of the total. Each process counts the files at its last listing and its own writes since. */
  readonly bytesMax: number;
  readonly now?: () => number;
  /** Storage quota per caller; absent: none. */
  readonly quota?: StorageQuota | undefined;
  /** Memory budget of reads. */
  readonly reserve?: Reserve | undefined;
}

/** Stores files in one folder per UTC hour, so that expiry deletes whole folders. */
export function createHourlyFiles(objects: Objects, options: HourlyFilesOptions): HourlyFiles {
  const { lifetimeMs, graceMs = 0, now = Date.now, reserve = reserveNothing } = options;
  const space = createSpace(objects, options);
  const expiryOf = (name: string) => new Date(createdAt(name) + lifetimeMs);
  const isKept = (name: string, late = 0) => NAME.test(name) && createdAt(name) + lifetimeMs + late > now();
  const described = (name: string) => ({ name, expiresAt: expiryOf(name) });

  return {
    newName: (fileName) => newName(now(), '', fileName),
    async write(bytes, extension, { durable = false, fileName } = {}) {
      const name = newName(now(), extension, fileName);
      await space.fill(bytes.length, async () => {
        await objects.write(pathOf(name), bytes, { durable });
        return { sizeBytes: bytes.length };
      });
      return described(name);
    },
    async addFile(file, given, fileName) {
      const { sizeBytes } = file;
      const name = given ?? newName(now(), '', fileName);
      const { isNew } = await space.fill(sizeBytes, async () => {
        // Files are linked; a store gets the bytes from memory.
        if (objects.kind !== 'files') await reserve(sizeBytes);
        const isNew = await objects.addFile(pathOf(name), file, { isFresh: given === undefined });
        return { isNew, sizeBytes: isNew ? sizeBytes : 0 };
      });
      return isNew ? described(name) : undefined;
    },
    requireRoom: async (bytes) => void (await space.fill(bytes, async () => ({ sizeBytes: 0 }))),
    async make(extension, fill, fileName) {
      const name = newName(now(), extension, fileName);
      return { ...described(name), ...(await space.fill(0, () => objects.make(pathOf(name), fill))) };
    },
    async read(name, { bytesMax, copies = 1, evenExpired = false } = {}) {
      if (!isKept(name, evenExpired ? graceMs : 0)) return undefined;
      return objects.read(pathOf(name), async (size) => {
        if (bytesMax !== undefined && size > bytesMax) throw tooLarge(size, bytesMax);
        await reserve(size * copies);
        return acquireBuffer(size);
      });
    },
    open: async (name) => (isKept(name) ? objects.open(pathOf(name)) : undefined),
    expiryOf,

    async sweep(at) {
      let removed = 0;
      for (const hour of await hoursIn(objects)) {
        if (Date.parse(`${hour}:00:00Z`) + HOUR_MS + lifetimeMs + graceMs > at.getTime()) continue;
        removed += await objects.removeFolder(hour);
      }
      await space.recount();
      return removed;
    },
  };
}

/** Usage in total and per caller, and the free space. */
function createSpace(objects: Objects, { bytesMax, quota }: Pick<HourlyFilesOptions, 'bytesMax' | 'quota'>) {
  let used: Promise<{ bytes: number }> | undefined;
  let countedAtMs = 0;
  const count = () => {
    countedAtMs = performance.now();
    used = bytesIn(objects);
    return used;
  };
  return {
    /** @throws AtelierError storage_full, too_much_kept; a failed write is not counted */
    async fill<T extends { sizeBytes: number }>(bytesExpected: number, work: () => Promise<T>): Promise<T> {
      const space = await (used ?? count());
      if (space.bytes + bytesExpected > bytesMax) throw full();
      space.bytes += bytesExpected;
      let become: ((bytes: number) => void) | undefined;
      try {
        become = await quota?.take(bytesExpected);
        const made = await work();
        space.bytes += made.sizeBytes - bytesExpected;
        become?.(made.sizeBytes);
        return made;
      } catch (error) {
        space.bytes -= bytesExpected;
        become?.(0);
        throw error;
      }
    },
    async recount(): Promise<void> {
      // Listing a store is billed; between two listings a process adds its own writes.
      if (objects.kind === 'files' || performance.now() - countedAtMs > RECOUNT_STORE_MS) await count();
    },
  };
}

/** @param fileName the client's name; its cleaned form becomes part of the name */
function newName(nowMs: number, extension: string, fileName?: string): string {
  const second = Math.floor(nowMs / 1000).toString(36);
  const clean = fileName === undefined ? undefined : cleanFileName(fileName);
  const known = clean === undefined ? '' : `-${encodeFileName(clean)}`;
  return `${second}-${randomUUID().replaceAll('-', '')}${known}${extension && `.${extension}`}`;
}

const createdAt = (name: string): number => Number.parseInt(name, 36) * 1000;
/** `2026-10-09T14` */
function hourOf(ms: number): string {
  const hour = Math.floor(ms / HOUR_MS);
  if (hour !== lastHour.hour) lastHour = { hour, text: new Date(ms).toISOString().slice(0, 13) };
  return lastHour.text;
}
/** Cache: nearly all files are of the current hour, and formatting a date takes as long as signing a link. */
let lastHour = { hour: Number.NaN, text: '' };

const pathOf = (name: string): string => `${hourOf(createdAt(name))}/${name}`;

const hoursIn = async (objects: Objects): Promise<string[]> =>
  (await objects.folders()).filter((name) => HOUR_FOLDER.test(name));

async function bytesIn(objects: Objects): Promise<{ bytes: number }> {
  let bytes = 0;
  for (const hour of await hoursIn(objects))
    for await (const { sizeBytes } of objects.list(hour)) bytes += sizeBytes;
  return { bytes };
}

function full(): AtelierError {
  return new AtelierError(
    'storage_full',
    'The storage for temporary files is full, so nothing was saved. Try again when older files have expired.',
    {
      retryAfterSeconds: 600,
    },
  );
}
