import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../../config/config.ts';
import { copyDatabase } from '../../../core/database/copying/copy_database.ts';
import { isJoined } from '../../../core/database/join_database.ts';
import { openDatabase } from '../../../core/database/open_database.ts';
import { openPostgresql } from '../../../core/database/postgresql.ts';
import type { ScriptableDatabase } from '../../../core/database/types.ts';
import { bindStorage, refuseRunning, runningError } from '../../../core/storage/binding/bind_storage.ts';
import { createFileObjects } from '../../../core/storage/objects/file_objects.ts';
import { openStore } from '../../../core/storage/objects/objects.ts';
import type { Objects, Store } from '../../../core/storage/objects/types.ts';
import { openData } from '../storage/open_data.ts';
import { leaveNote, refuseMoved } from './moved_note.ts';

/** Subfolders of DATA_DIR, and prefixes of the bucket. */
const KINDS = ['blobs', 'results', 'uploads', 'mirror'] as const;
/** Concurrent copies. */
const AT_ONCE = 8;
/** Unfinished writes, and files that the cleanup moved aside. */
const DRAFT = /\.(part|new|swept)$/;
/** Larger files are copied through a temporary file, not through memory. */
const IN_MEMORY_BYTES_MAX = 8 * 1024 * 1024;

interface Places {
  readonly dataDir: string;
  /** The database that references the files. */
  openDatabase(): Promise<ScriptableDatabase>;
  openBucket(database: ScriptableDatabase): Promise<Store>;
}

/**
 * Copies the files of DATA_DIR that are missing in the bucket of STORAGE_URL. Servers keep running, except for the final copy,
 * which binds the database to the bucket. The files in the folder stay.
 * @throws Error saying what to set or to do
 */
async function moveFiles(
  { dataDir, openDatabase, openBucket }: Places,
  { isLast, onProgress = () => {}, signal }: FilesOptions,
): Promise<MovedFiles> {
  if (isLast) await refuseRunning(dataDir);
  const database = await openDatabase();
  try {
    if (isLast && isJoined(database)) throw runningError();
    const { objectsOf, remote } = await openBucket(database);
    if (!remote) throw new Error('Set STORAGE_URL to the bucket to move to.');
    await remote.probe();
    const tied = await bindStorage(database, { dataDir, remote });
    const moved = { files: 0, copied: 0, bytes: 0 };
    for (const [index, kind] of KINDS.entries()) {
      const source = createFileObjects(join(dataDir, kind));
      for await (const folder of foldersOf({ source, target: objectsOf(kind) })) {
        signal?.throwIfAborted();
        const some = await copyFolder(folder, signal);
        moved.files += some.files;
        moved.copied += some.copied;
        moved.bytes += some.bytes;
        onProgress((index + folder.fraction) / KINDS.length, `${kind} ${folder.name}`);
      }
    }
    if (isLast) await tied.finish();
    return moved;
  } finally {
    await database.close();
  }
}

interface Sides {
  readonly source: Objects;
  readonly target: Objects;
}

interface Folder extends Sides {
  readonly name: string;
  readonly fraction: number;
}

async function* foldersOf(sides: Sides): AsyncGenerator<Folder> {
  const names = (await sides.source.folders()).sort();
  for (const [index, name] of names.entries()) yield { ...sides, name, fraction: (index + 1) / names.length };
}

/** Copies one name prefix at a time, so that the listings stay small. @throws Error where a file was not copied */
async function copyFolder({ source, target, name }: Folder, signal?: AbortSignal): Promise<MovedFiles> {
  const there = new Map<string, { sizeBytes: number; modifiedAt: Date }>();
  for await (const { name: own, ...found } of target.list(name)) there.set(own, found);
  const moved = { files: 0, copied: 0, bytes: 0 };
  let batch: Promise<number | undefined>[] = [];
  const settle = async () => {
    for (const bytes of await Promise.all(batch)) {
      if (bytes === undefined) continue;
      moved.copied += 1;
      moved.bytes += bytes;
    }
    batch = [];
    signal?.throwIfAborted();
  };
  for await (const file of source.list(name)) {
    if (DRAFT.test(file.name)) continue;
    moved.files += 1;
    const known = there.get(file.name);
    if (known?.sizeBytes === file.sizeBytes && known.modifiedAt >= file.modifiedAt) continue;
    batch.push(copyFile({ source, target }, file.name));
    if (batch.length === AT_ONCE) await settle();
  }
  await settle();
  return moved;
}

/** Copies one file. Returns its bytes; undefined where it was deleted meanwhile. */
async function copyFile({ source, target }: Sides, name: string): Promise<number | undefined> {
  const blob = await source.open(name);
  if (!blob) return undefined;
  if (blob.size <= IN_MEMORY_BYTES_MAX) {
    const bytes = await source.read(name);
    if (bytes) await target.replace(name, bytes);
    return bytes?.length;
  }
  return (await target.make(name, (path) => writeFile(path, blob.stream()))).sizeBytes;
}

/** Migration of the data to the configured storage. */
export const openMove = (config: Config): Move => ({
  database: (options) =>
    moveDatabase({ dataDir: config.DATA_DIR, databaseUrl: config.DATABASE_URL }, options),
  files: (options) =>
    moveFiles(
      {
        dataDir: config.DATA_DIR,
        openDatabase: () => openData(config, { mayJoin: true }),
        openBucket: (database) => openStore(config, database),
      },
      options,
    ),
});

/**
 * Copies the embedded database of DATA_DIR to the PostgreSQL of DATABASE_URL, all or nothing. A server that has it open is
 * read-only meanwhile, and afterwards until it is stopped.
 * @throws Error saying what to set or to do
 */
async function moveDatabase(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | undefined },
  options: MoveOptions = {},
): Promise<Moved> {
  if (!databaseUrl)
    throw new Error('Set DATABASE_URL to the PostgreSQL database to move to: a new, empty one.');
  if (!existsSync(join(dataDir, 'database')))
    throw new Error(
      `There is no embedded database in DATA_DIR ${dataDir}. Set DATA_DIR to the folder of the server.`,
    );
  refuseMoved(dataDir);
  // Opens the target first: if it cannot be used, no writer is blocked.
  const target = await openPostgresql(databaseUrl, { statementMs: 0 });
  const source = await openDatabase({ dataDir, mayJoin: true }).catch(async (error: unknown) => {
    await target.close();
    throw error;
  });
  const joined = isJoined(source) ? source : undefined;
  try {
    await joined?.freeze();
    const copied = await copyDatabase(source, target, options);
    await leaveNote(dataDir);
    await joined?.stayFrozen();
    return { ...copied, wasOpen: joined !== undefined };
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

/** Migration to other storage, while a server continues to serve reads. */
export interface Move {
  /**
   * Copies the embedded database to PostgreSQL, all or nothing; writes are refused meanwhile. @throws Error saying what to set or
   * to do
   */
  database(options?: MoveOptions): Promise<Moved>;
  /**
   * Copies the files of the folder to a bucket. Repeatable; the final copy needs `isLast`. @throws Error saying what to set or to
   * do
   */
  files(options: FilesOptions): Promise<MovedFiles>;
}

/** Result of a migration. */
export interface Moved {
  readonly tables: number;
  readonly rows: number;
  /** Whether a server had the database open: it is read-only from now on. */
  readonly wasOpen: boolean;
}

export interface MoveOptions {
  /** Progress, 0 to 1, and the current step. */
  readonly onProgress?: (fraction: number, message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface FilesOptions extends MoveOptions {
  /** Final copy, with no server running: binds the database to the bucket. */
  readonly isLast: boolean;
}

export interface MovedFiles {
  readonly files: number;
  /** Files that were missing in the target. */
  readonly copied: number;
  readonly bytes: number;
}
