import { createHash } from 'node:crypto';
import type { Database, Queryable } from '../../database/contract.ts';
import { DATASET_BATCH_ROWS, DATASET_LOSS_SHARE_MAX, DATASET_TAKEOVER_MS } from '../limits.ts';
import { SourceProblem } from '../reading/source_problem.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { analyzeWorks, countByMuseum, readHashes, writeRecords } from '../records/record_store.ts';
import { indexMuseum } from '../search/index_museum.ts';
import { deleteOldIndexes, readChangedMuseums } from '../search/index_store.ts';
import { beginEdition, type Run } from './begin_edition.ts';
import { choose } from './choose_records.ts';
import {
  abandonEdition,
  type Edition,
  forgetSeen,
  readEdition,
  readImportedMuseums,
  retireUnseen,
} from './edition_store.ts';
import { countLeftOut, emptyReport, type ImportReport } from './report.ts';
import { WorksWouldGo } from './works_would_go.ts';

export interface ImportOptions {
  /** A museum, or 'starter'. */
  readonly museum: string;
  /** Shown with the edition: a file name or an address. */
  readonly source: string;
  /** At most so many works, those with a picture and the best known first. Absent: all. */
  readonly worksMax?: number | undefined;
  /** Works that are not in the file stay: it is a part of what the museum publishes. */
  readonly isPart?: boolean | undefined;
  /** Asked before more than a tenth of the works imported from the museum go. Absent: they may not. */
  mayLose?(loss: Loss): Promise<boolean>;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  onProgress(report: ImportReport): void;
}

/** Works of a museum that are not in its new file, among those there are. */
export interface Loss {
  readonly going: number;
  readonly works: number;
}

/** Rows that are ready, with what happened to them counted in `report`. */
export type Records = (report: ImportReport) => AsyncIterable<ArtworkRecord>;

/**
 * Writes a museum's works as a new edition, in small transactions, and publishes it in one statement at the end: until
 * then everybody reads the edition before. What a killed import has written is taken over by the next one of the same
 * source, else taken back. Importing the same file again changes nothing.
 * @throws AtelierError busy while another import runs; SourceProblem where the file is none of the museum's, or holds no work that
 * can be taken; WorksWouldGo
 */
export async function importWorks(
  database: Database,
  records: Records,
  options: ImportOptions,
): Promise<{ report: ImportReport; edition: Edition }> {
  const { now, signal, onProgress } = options;
  const report: ImportReport = { ...emptyReport(), ...(options.isPart && { part: true }) };
  const run = await beginEdition(database, options, report);
  try {
    const seenOn = now().toISOString().slice(0, 10);
    for await (const batch of batches(choose(records(report), report, options.worksMax))) {
      signal.throwIfAborted();
      const written = await database.transaction((tx) => writeRecords(tx, run.number, batch, seenOn));
      report.added += written.added;
      report.changed += written.changed;
      report.unchanged += written.unchanged;
      report.duplicates += written.duplicates;
      for (let at = 0; at < written.withdrawn; at += 1) countLeftOut(report, 'withdrawn on request');
      await run.touch(report);
      onProgress(report);
    }
    if (report.rows === 0) throw new SourceProblem('Nothing in it is in a form this importer reads.');
    if (report.added + report.changed + report.unchanged === 0) throw nothingToTake(report);
    return await finish(database, run, { ...options, report });
  } catch (error) {
    // What was cut short goes on where it was when the same file is imported again.
    if (signal.aborted) await run.release(report);
    else await abandonEdition(database, run.number);
    throw error;
  }
}

/** Such a file says nothing of the works that are here: none of them goes because of it. */
function nothingToTake({ rows, left_out, bad, bad_rows }: ImportReport): SourceProblem {
  const reasons = Object.entries(left_out).map(([reason, count]) => `${count}: ${reason}`);
  if (bad > 0) reasons.push(`${bad}: bad (the first: ${bad_rows[0]?.problem})`);
  return new SourceProblem(
    `None of its ${rows} rows is a work that can be taken (${reasons.join('; ')}). Nothing was changed.`,
  );
}

async function finish(
  database: Database,
  run: Run,
  { museum, isPart, mayLose, report, now }: ImportOptions & { report: ImportReport },
): Promise<{ report: ImportReport; edition: Edition }> {
  const { number } = run;
  // Making the index of a large museum takes minutes, and whoever is silent for two counts as dead. Where somebody has taken over
  // nevertheless, publishing says so.
  const sign = setInterval(() => run.touch(report).catch(() => {}), DATASET_TAKEOVER_MS / 4);
  try {
    await analyzeWorks(database);
    if (report.complete && !isPart) {
      const works = await worksOf(database, museum);
      report.removed = await retireUnseen(database, number, museum);
      const loss = { going: report.removed, works };
      // A part of a file, taken for the whole, would empty the museum. Works of the starter catalogue are there to be replaced.
      const isGreat = loss.going > works * DATASET_LOSS_SHARE_MAX;
      if (isGreat && (await readImportedMuseums(database)).includes(museum) && !(await mayLose?.(loss)))
        throw new WorksWouldGo(loss);
    }
    await forgetSeen(database, number);
    const digest = await digestOf(database, number);
    for (const changed of await readChangedMuseums(database, number)) {
      await indexMuseum(database, changed, number);
      await deleteOldIndexes(database, changed, number);
    }
    await run.publish(database, { now: now(), report, ...digest });
  } finally {
    clearInterval(sign);
  }
  return { report, edition: (await readEdition(database, number))! };
}

/** How many of its works everybody sees before this import. */
async function worksOf(database: Queryable, museum: string): Promise<number> {
  const current = await readEdition(database);
  return current ? ((await countByMuseum(database, current.number))[museum]?.works ?? 0) : 0;
}

const HASHES_A_PAGE = 2000;

/** sha256 over "id sha256\n" of all works in the order of their ids: anybody who has the works can compute it. */
export async function digestOf(
  database: Queryable,
  edition: number,
): Promise<{ works: number; digest: string }> {
  const hash = createHash('sha256');
  let works = 0;
  let after = '';
  for (;;) {
    const page = await readHashes(database, edition, after, HASHES_A_PAGE);
    for (const { id, sha256 } of page) hash.update(`${id} ${sha256}\n`);
    works += page.length;
    if (page.length < HASHES_A_PAGE) return { works, digest: hash.digest('hex') };
    after = page.at(-1)!.id;
  }
}

async function* batches(records: AsyncIterable<ArtworkRecord>): AsyncGenerator<ArtworkRecord[]> {
  let batch: ArtworkRecord[] = [];
  for await (const record of records) {
    batch.push(record);
    if (batch.length === DATASET_BATCH_ROWS) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
