import { createHash, randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { z } from 'zod';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import {
  type Disk,
  makeFolder,
  refuseFullDisk,
  syncFolder,
  writeNewFile,
} from '../../../core/storage/blobs/disk.ts';
import {
  SNAPSHOT_DRAFT_MS,
  SNAPSHOT_FILES_KEPT,
  SNAPSHOT_READ_ROWS,
  SNAPSHOT_RETRY_SECONDS,
  SNAPSHOT_WAIT_MS,
} from '../limits.ts';
import { readPage, type StoredRecord } from '../records/record_store.ts';
import type { Edition } from './edition_store.ts';
import { isWithdrawnSince } from './statistics_store.ts';

/** All records of a snapshot in one file. Generating it again gives the same bytes. */
export interface SnapshotFile {
  readonly bytes: number;
  readonly sha256: string;
  /** The file, plain and compressed by gzip; both are streamed. */
  open(): Promise<{ readonly plain: Blob; readonly gzip: Blob }>;
}

export interface SnapshotFiles {
  /**
   * File of the newest edition, generated if missing.
   * @throws AtelierError busy if that takes longer than a client waits; generation continues
   */
  newest(edition: Edition): Promise<SnapshotFile>;
  /** File of an older edition, if it is still stored and none of its works was withdrawn since. */
  kept(edition: Edition): Promise<SnapshotFile | undefined>;
  /** Generates the file of the newest edition in advance and deletes old ones; returns the number deleted. */
  sweep(newest: Edition, now: Date): Promise<number>;
  /** Resolves when no file is being generated. */
  settle(): Promise<void>;
}

interface SnapshotFilesDeps {
  readonly database: Database;
  readonly folder: string;
  readonly disk: Pick<Disk, 'requireRoom'>;
  /** A work as a line of JSON, without line break. */
  readonly lineOf: (work: StoredRecord) => string;
  readonly waitMs?: number;
}

/** Stored beside the file and written last, so its presence means that the file is complete. */
const facts = z.object({ bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) });

/** Version of the line format, so that files of older program versions are not served. */
const FORM = 2;

export function createSnapshotFiles({
  database,
  folder,
  disk,
  lineOf,
  waitMs = SNAPSHOT_WAIT_MS,
}: SnapshotFilesDeps): SnapshotFiles {
  const pathOf = ({ number, digest }: Edition) => join(folder, `${number}-${digest.slice(0, 16)}-${FORM}`);
  const found = async (edition: Edition): Promise<SnapshotFile | undefined> => {
    const path = pathOf(edition);
    const text = await readFile(`${path}.json`, 'utf8').catch(() => undefined);
    const isWhole = await stat(`${path}.jsonl`).catch(() => undefined);
    const known = text !== undefined && isWhole && facts.safeParse(JSON.parse(text)).data;
    if (!known || isWhole.size !== known.bytes) return undefined;
    return {
      ...known,
      open: async () => ({
        plain: await openAsBlob(`${path}.jsonl`),
        gzip: await openAsBlob(`${path}.jsonl.gz`),
      }),
    };
  };
  // One at a time: the next edition waits for the file being generated.
  let making: { number: number; file: Promise<void> } | undefined;
  const make = (edition: Edition): Promise<void> => {
    if (making?.number === edition.number) return making.file;
    const before = making?.file.catch(() => {});
    const file = (before ?? Promise.resolve())
      .then(() => writeSnapshot({ database, disk, lineOf }, edition, pathOf(edition)))
      .finally(() => {
        if (making?.file === file) making = undefined;
      });
    file.catch(() => {}); // callers of `make` receive the error
    making = { number: edition.number, file };
    return file;
  };
  return {
    async newest(edition) {
      const here = await found(edition);
      if (here) return here;
      await inTime(make(edition), waitMs);
      const made = await found(edition);
      if (made) return made;
      throw notYet();
    },
    async kept(edition) {
      return (await isWithdrawnSince(database, edition.number)) ? undefined : found(edition);
    },
    async sweep(newest, now) {
      if (!(await found(newest))) await make(newest);
      return sweepFolder(folder, newest, now);
    },
    settle: async () => {
      await making?.file.catch(() => {});
    },
  };
}

const notYet = () =>
  new AtelierError('busy', 'The file of this snapshot is being generated. Try again in a few seconds.', {
    retryAfterSeconds: SNAPSHOT_RETRY_SECONDS,
  });

/** @throws AtelierError busy */
async function inTime(work: Promise<void>, waitMs: number): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(notYet()), waitMs);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Writes works in batches, plain and compressed at once. Complete files get their names at the end. */
async function writeSnapshot(
  { database, disk, lineOf }: Pick<SnapshotFilesDeps, 'database' | 'disk' | 'lineOf'>,
  edition: Edition,
  path: string,
): Promise<void> {
  const draft = `${path}.${randomUUID()}.draft`;
  await makeFolder(join(path, '..'), false);
  const plain = await open(draft, 'wx', 0o600);
  const packed = await open(`${draft}.gz`, 'wx', 0o600);
  const hash = createHash('sha256');
  const gzip = createGzip();
  let bytes = 0;
  try {
    await refuseFullDisk(async () => {
      const packing = packed.writeFile(gzip);
      packing.catch(() => {}); // thrown below
      for (let after = ''; ; ) {
        const works = await readPage(database, edition.number, { after, limit: SNAPSHOT_READ_ROWS });
        const piece = Buffer.from(works.map((work) => `${lineOf(work)}\n`).join(''));
        await disk.requireRoom(piece.length);
        hash.update(piece);
        bytes += piece.length;
        await plain.writeFile(piece);
        if (!gzip.write(piece))
          await Promise.race([new Promise((resolve) => gzip.once('drain', resolve)), packing]);
        if (works.length < SNAPSHOT_READ_ROWS) break;
        after = works.at(-1)!.record.id;
      }
      gzip.end();
      await packing;
    });
    await plain.sync();
    await rename(draft, `${path}.jsonl`);
    await rename(`${draft}.gz`, `${path}.jsonl.gz`);
    await rm(`${path}.json`, { force: true });
    await writeNewFile(
      `${path}.json`,
      Buffer.from(JSON.stringify({ bytes, sha256: hash.digest('hex') })),
      true,
    );
    await syncFolder(join(path, '..'));
  } finally {
    gzip.destroy();
    await plain.close();
    await packed.close();
    await rm(draft, { force: true });
    await rm(`${draft}.gz`, { force: true });
  }
}

/** Deletes all files except those of the newest editions, and drafts that may still be written to. */
async function sweepFolder(folder: string, newest: Edition, now: Date): Promise<number> {
  const names = await readdir(folder).catch(() => [] as string[]);
  const numbers = [...new Set(names.map((name) => Number.parseInt(name, 10)))].sort((a, b) => b - a);
  const kept = new Set(
    [newest.number, ...numbers.filter((number) => number < newest.number)].slice(0, SNAPSHOT_FILES_KEPT),
  );
  let removed = 0;
  for (const name of names) {
    const isDraft = name.includes('.draft');
    if (!isDraft && kept.has(Number.parseInt(name, 10))) continue;
    const age = now.getTime() - ((await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0);
    if (isDraft && age < SNAPSHOT_DRAFT_MS) continue;
    await rm(join(folder, name), { force: true });
    removed += 1;
  }
  return removed;
}
