import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Picture } from '../images/pictures.ts';
import type { PictureSize } from '../images/sizes.ts';
import { DATASET_TAKEOVER_MS, MIRROR_FAILURES_MAX, MIRROR_WAIT_MS_MAX } from '../limits.ts';
import type { MuseumName } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { MirrorFiles } from './mirror_files.ts';
import {
  countPictures,
  endRun,
  listGone,
  listMirrored,
  listWanted,
  readMirrored,
  sumMirrored,
  takeRun,
} from './mirror_store.ts';

export interface MirrorRequest {
  readonly museums: readonly MuseumName[];
  readonly size: PictureSize;
  /** Maximum size of all stored images of all museums together. */
  readonly bytesMax: number;
  /** Verifies every file first, and downloads changed ones again. */
  readonly isChecked?: boolean | undefined;
  readonly signal: AbortSignal;
  onProgress(report: MirrorReport): void;
}

export interface MirrorReport {
  readonly museums: Readonly<Partial<Record<MuseumName, MuseumReport>>>;
  /** Images deleted because their works were removed, or because the files were damaged. */
  readonly dropped: number;
  /** Images stored now, of all museums. */
  readonly pictures: number;
  readonly bytes: number;
  /** The size limit was reached. */
  readonly isFull: boolean;
}

export interface MuseumReport {
  /** Works with an image. */
  readonly works: number;
  readonly brought: number;
  readonly failed: number;
  /** The first few failures, as sentences. */
  readonly problems: readonly string[];
  /** The museum was skipped after too many consecutive failures. */
  readonly isGivenUp: boolean;
}

interface MirrorPicturesDeps {
  readonly database: Database;
  readonly files: MirrorFiles;
  /** The newest edition. */
  readonly edition: number;
  /**
   * Downloads from the museum.
   * @throws AtelierError if that fails
   */
  bring(record: ArtworkRecord, size: PictureSize): Promise<Picture>;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

type Changing<T> = { -readonly [Key in keyof T]: T[Key] };
type Run = MirrorPicturesDeps &
  MirrorRequest & {
    readonly report: Changing<MirrorReport>;
    readonly owner: string;
    readonly lane: { last: Promise<unknown> };
  };

const ROWS_AT_A_TIME = 100;
const PROBLEMS_TOLD = 5;

/**
 * Downloads missing images until all are stored or the size limit is reached. Images are written atomically,
 * so an interrupted run resumes where it stopped.
 * @throws AtelierError busy while another run is active
 */
export async function mirrorPictures(
  parts: MirrorPicturesDeps,
  request: MirrorRequest,
): Promise<MirrorReport> {
  const owner = randomUUID();
  await stayAlone(parts.database, owner);
  const report = {
    museums: {},
    dropped: 0,
    isFull: false,
    ...(await sumMirrored(parts.database)),
  };
  const run: Run = { ...parts, ...request, report, owner, lane: { last: Promise.resolve() } };
  try {
    await run.files.tidy();
    await dropGone(run);
    if (run.isChecked) await dropDamaged(run);
    await Promise.all(run.museums.map((museum) => mirrorMuseum(run, museum)));
  } finally {
    await endRun(parts.database, owner);
  }
  return report;
}

async function stayAlone(database: Database, owner: string): Promise<void> {
  const now = new Date();
  const before = new Date(now.getTime() - DATASET_TAKEOVER_MS);
  if (await takeRun(database, { owner, now, before })) return;
  throw new AtelierError(
    'busy',
    `Another run is mirroring images. The lock of a killed run expires after ${DATASET_TAKEOVER_MS / 60_000} minutes.`,
  );
}

async function dropGone(run: Run): Promise<void> {
  for (const mirrored of await listGone(run.database, run.edition)) await drop(run, mirrored);
}

async function dropDamaged(run: Run): Promise<void> {
  for (let after = ''; !run.signal.aborted; ) {
    const rows = await listMirrored(run.database, after, ROWS_AT_A_TIME);
    for (const row of rows) {
      if (!(await run.files.read(row.id))) await drop(run, row);
      await tell(run);
    }
    if (rows.length < ROWS_AT_A_TIME) return;
    after = rows.at(-1)!.id;
  }
}

async function drop({ files, report }: Run, mirrored: Parameters<MirrorFiles['drop']>[0]): Promise<void> {
  await files.drop(mirrored);
  report.dropped += 1;
  report.pictures -= 1;
  report.bytes -= mirrored.bytes;
}

async function mirrorMuseum(run: Run, museum: MuseumName): Promise<void> {
  const { database, edition, size, report, signal } = run;
  const own: Changing<MuseumReport> = {
    works: await countPictures(database, edition, museum),
    brought: 0,
    failed: 0,
    problems: [],
    isGivenUp: false,
  };
  report.museums = { ...report.museums, [museum]: own };
  let failuresOnEnd = 0;
  for (const highlight of [true, false]) {
    for (let after = ''; ; ) {
      const wanted = { edition, museum, size, highlight, after, limit: ROWS_AT_A_TIME };
      const records = await listWanted(database, wanted);
      for (const record of records) {
        if (signal.aborted || report.isFull) return;
        failuresOnEnd = (await bringOne(run, record, own)) ? 0 : failuresOnEnd + 1;
        own.isGivenUp = failuresOnEnd >= MIRROR_FAILURES_MAX;
        if (own.isGivenUp) return;
      }
      if (records.length < ROWS_AT_A_TIME) break;
      after = records.at(-1)!.id;
    }
  }
}

/** Returns false on failure. Waits if the museum asks for a pause. */
async function bringOne(run: Run, record: ArtworkRecord, own: Changing<MuseumReport>): Promise<boolean> {
  try {
    const { bytes } = await run.bring(record, run.size);
    if (await keepWithinBudget(run, record, bytes)) own.brought += 1;
    await tell(run);
    return true;
  } catch (error) {
    if (!(error instanceof AtelierError) || error.code === 'storage_full') throw error;
    own.failed += 1;
    if (own.problems.length < PROBLEMS_TOLD) own.problems = [...own.problems, error.message];
    await tell(run);
    const { retryAfterSeconds } = error.details;
    if (retryAfterSeconds !== undefined && !run.signal.aborted) {
      const { wait = (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}) } = run;
      await wait(Math.min(retryAfterSeconds * 1000, MIRROR_WAIT_MS_MAX), run.signal);
    }
    return false;
  }
}

/**
 * Stores images one after the other, regardless of the number of museums, because a replaced image frees its
 * space.
 */
function keepWithinBudget(run: Run, record: ArtworkRecord, picture: Uint8Array): Promise<boolean> {
  const { database, files, bytesMax, size, report } = run;
  const keeping = run.lane.last.then(async () => {
    const before = await readMirrored(database, record.id);
    const bytes = report.bytes - (before?.bytes ?? 0) + picture.length;
    report.isFull ||= bytes > bytesMax;
    if (report.isFull) return false;
    await files.keep(record, size, picture);
    report.bytes = bytes;
    report.pictures += before ? 0 : 1;
    return true;
  });
  run.lane.last = keeping.catch(() => {});
  return keeping;
}

/**
 * Heartbeat and progress report.
 * @throws AtelierError busy if another run has taken over
 */
async function tell({ database, owner, report, onProgress }: Run): Promise<void> {
  await stayAlone(database, owner);
  onProgress(report);
}
