import { createHash } from 'node:crypto';
import type { Database, Queryable } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import {
  DATASET_BATCH_ROWS,
  DATASET_LOSS_SHARE_MAX,
  DATASET_TAKEOVER_MS,
  DATASET_WORDS_COUNTED_MAX,
} from '../limits.ts';
import { SourceProblem } from '../readers/source_problem.ts';
import { type PreparedRecord, prepareRecord } from '../records/canonical.ts';
import type { ArtworkRecord } from '../records/record.ts';
import {
  analyzeWorks,
  countByMuseum,
  readHashes,
  type WrittenRow,
  writeRecords,
} from '../records/record_store.ts';
import { readChangedMuseums } from '../search/index_store.ts';
import { createVocabulary } from '../search/vocabulary.ts';
import { wordIndexOf } from '../search/word_index.ts';
import type { WordWriter } from '../search/word_index_types.ts';
import {
  abandonEdition,
  type Edition,
  publishEdition,
  type Running,
  readEdition,
  readImportedMuseums,
  readRunning,
  removeMissing,
  startEdition,
  touchEdition,
} from './edition_store.ts';
import { countLeftOut, emptyReport, type ImportReport } from './report.ts';

/** An edition being written by this process. */
interface Run {
  readonly number: number;
  /**
   * Heartbeat. Within the transaction of a write, it ensures that no other process writes the edition.
   * @throws AtelierError busy where another process has taken over
   */
  touch(report: ImportReport, tx?: Queryable): Promise<void>;
  /** Deletes the edition, unless another process has taken it over. */
  abandon(report: ImportReport): Promise<void>;
  /** Leaves the edition unfinished, so that the next import of the same source resumes it without waiting. */
  release(report: ImportReport): Promise<void>;
  /**
   * Publishes the edition.
   * @throws AtelierError busy where another process has abandoned it
   */
  publish(database: Queryable, whole: Whole): Promise<void>;
}

interface Whole {
  readonly now: Date;
  readonly report: ImportReport;
  /** Number of works of the whole dataset. */
  readonly works: number;
  readonly digest: string;
}

interface Begun {
  /** A museum, or another kind of edition. */
  readonly museum: string;
  readonly source: string;
  readonly now: () => Date;
}

/**
 * Starts an edition, or resumes an interrupted one of the same source. Abandons an interrupted one of another source.
 * @throws AtelierError busy while another import runs
 */
export async function beginEdition(
  database: Database,
  { museum, source, now }: Begun,
  report: ImportReport,
): Promise<Run> {
  const running = await readRunning(database);
  if (running && !isCutShort(running, now())) throw isBusy(running.museum);
  const isSame = running?.museum === museum && running.source === source;
  if (running && !isSame) await abandonEdition(database, running.number);
  let writtenAt = isSame ? running.writtenAt : now();
  const number = isSame
    ? running.number
    : await startEdition(database, { museum, source, now: writtenAt, report }).catch((error) => {
        throw (error as { code?: string }).code === '23505' ? isBusy('another museum') : error;
      });
  const touched = async (current: ImportReport, at: Date, queryable: Queryable = database) => {
    const before = writtenAt;
    const isOurs = await touchEdition(queryable, { number, now: at, report: current, before });
    if (isOurs) writtenAt = at;
    return isOurs;
  };
  const write = async (current: ImportReport, at: Date, tx?: Queryable) => {
    if (!(await touched(current, at, tx))) throw isBusy(museum);
  };
  const run: Run = {
    number,
    touch: (current, tx) => write(current, now(), tx),
    async abandon(current) {
      if (await touched(current, now())) await abandonEdition(database, number);
    },
    async publish(queryable, whole) {
      if (!(await publishEdition(queryable, { number, ...whole }))) throw isBusy(museum);
    },
    release: (current) => write(current, new Date(now().getTime() - DATASET_TAKEOVER_MS)),
  };
  // If two processes take over a dead import, the second one fails here.
  await run.touch(report);
  return run;
}

/** True if the writing process has died. */
export const isCutShort = ({ writtenAt }: Running, now: Date): boolean =>
  now.getTime() - writtenAt.getTime() >= DATASET_TAKEOVER_MS;

const isBusy = (what: string) =>
  new AtelierError('busy', `An import is running already (${what}). Wait until it has ended.`);

/** The import would remove too many works without the operator's permission. */
export class WorksWouldBeLost extends Error {
  override readonly name = 'WorksWouldGo';

  constructor({ going, works, left }: { going: number; works: number; left: number }) {
    super(
      `${going} of the museum's ${works} works are missing from it and would be removed; it would have ${left} works.`,
    );
  }
}

export interface ImportOptions {
  /** A museum, or 'starter'. */
  readonly museum: string;
  /** Shown with the edition: file name or address. */
  readonly source: string;
  /** Maximum number of works, those with an image and the best known first. Absent: all. */
  readonly worksMax?: number | undefined;
  /** The file is a part of the museum's data: works that it lacks stay. */
  readonly isPart?: boolean | undefined;
  /** Called before the museum would have fewer works, or lose more than 10 % of the imported ones. Absent: not allowed. */
  mayLose?(loss: Loss): Promise<boolean>;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  onProgress(report: ImportReport): void;
}

/** Published works of a museum that its new file lacks. */
export interface Loss {
  readonly going: number;
  readonly works: number;
  /** Number of works the museum would then have. */
  readonly left: number;
}

/** Valid records. `report` counts their outcomes. */
export type Records = (report: ImportReport) => AsyncIterable<ArtworkRecord>;
/** The same records, selected, prepared and batched. */
export type Batches = (report: ImportReport) => AsyncIterable<readonly PreparedRecord[]>;

/** Imports records read in this thread. See `importBatches`. */
export const importWorks = (database: Database, records: Records, options: ImportOptions) =>
  importBatches(
    database,
    (report) => prepareBatches(choose(records(report), report, options.worksMax)),
    options,
  );

/**
 * Writes a museum's works as a new edition in small transactions, and publishes it with one statement at the end. Until then, readers see
 * the previous edition. The next import of the same source resumes what a killed import has written; another one deletes it. Importing the
 * same file again changes nothing.
 * @throws AtelierError busy while another import runs; SourceProblem where the file has none of the museum's formats, or no work that can
 * be included; WorksWouldGo
 */
export async function importBatches(
  database: Database,
  batches: Batches,
  options: ImportOptions,
): Promise<{ report: ImportReport; edition: Edition }> {
  const { now, signal, onProgress } = options;
  const report: ImportReport = { ...emptyReport(), ...(options.isPart && { part: true }) };
  const run = await beginEdition(database, options, report);
  try {
    const seenOn = now().toISOString().slice(0, 10);
    const writing = createWriting(database);
    for await (const works of rebatch(batches(report), DATASET_BATCH_ROWS[database.kind])) {
      signal.throwIfAborted();
      await writing.write(works, { run, seenOn, report });
      onProgress(report);
    }
    await writing.indexed();
    signal.throwIfAborted();
    if (report.rows === 0) throw new SourceProblem('It contains nothing in a supported format.');
    if (report.added + report.changed + report.unchanged === 0) throw nothingToTake(report);
    return await finish(database, { ...options, run, report, writing });
  } catch (error) {
    // An aborted import resumes when the same file is imported again.
    if (signal.aborted) await run.release(report);
    else await run.abandon(report);
    throw error;
  }
}

/** Batches that may be written ahead of the index. Indexing in step with PostgreSQL cost 14 to 42 µs a work in waiting. */
const INDEXING_MAX = 4;

type Writing = ReturnType<typeof createWriting>;

/** Writes works, and keeps in memory what the end of the import needs: their ids and their word index. */
function createWriting(database: Database) {
  const met = new Set<string>();
  const writers = new Map<string, WordWriter>();
  const vocabulary = createVocabulary();
  const writerOf = (museum: string) => {
    const known = writers.get(museum) ?? wordIndexOf(database).write(museum, vocabulary);
    writers.set(museum, known);
    return known;
  };
  /** Indexes written batches, one after the other, while the next ones are written. */
  const indexing: Promise<void>[] = [];
  const index = async (rows: readonly WrittenRow[]) => {
    for (const [museum, some] of Map.groupBy(rows, ({ record }) => record.museum))
      await writerOf(museum).add(some);
    if (vocabulary.size > DATASET_WORDS_COUNTED_MAX) await vocabulary.write(database);
  };
  return {
    met,
    writers,
    vocabulary,
    async indexed() {
      await indexing.at(-1);
    },
    async write(
      works: readonly PreparedRecord[],
      { run, seenOn, report }: { run: Run; seenOn: string; report: ImportReport },
    ): Promise<void> {
      // The first of two rows with the same id counts.
      const unmet = works.filter(({ record: { id } }) => !met.has(id) && met.add(id));
      const written = await database.transaction(async (tx) => {
        await run.touch(report, tx);
        return writeRecords(tx, run.number, unmet, seenOn);
      });
      report.added += written.added;
      report.changed += written.changed;
      report.unchanged += written.unchanged;
      report.duplicates += works.length - unmet.length;
      for (let at = 0; at < written.withdrawn; at += 1) countLeftOut(report, 'withdrawn on request');
      const before = indexing.at(-1);
      if (indexing.length === INDEXING_MAX) await indexing.shift();
      const next = (async () => {
        await before;
        await index(written.rows);
      })();
      next.catch(() => {});
      indexing.push(next);
    },
  };
}

/** Error for a file without usable works. It removes no published work. */
function nothingToTake({ rows, left_out, bad, bad_rows }: ImportReport): SourceProblem {
  const reasons = Object.entries(left_out).map(([reason, count]) => `${count}: ${reason}`);
  if (bad > 0) reasons.push(`${bad}: invalid (the first: ${bad_rows[0]?.problem})`);
  return new SourceProblem(
    `None of its ${rows} rows is a work that can be imported (${reasons.join('; ')}). Nothing was changed.`,
  );
}

async function finish(
  database: Database,
  {
    museum,
    isPart,
    mayLose,
    run,
    report,
    writing: { met, writers, vocabulary },
    now,
  }: ImportOptions & { run: Run; report: ImportReport; writing: Writing },
): Promise<{ report: ImportReport; edition: Edition }> {
  const { number } = run;
  // Heartbeat: building the index of a large museum takes minutes, and a process silent for two counts as dead. If another process takes
  // over nevertheless, publishing reports it.
  const sign = setInterval(() => run.touch(report).catch(() => {}), DATASET_TAKEOVER_MS / 4);
  try {
    await analyzeWorks(database);
    if (report.complete && !isPart) {
      const works = await worksOf(database, museum);
      const left = report.added + report.changed + report.unchanged;
      report.removed = await removeMissing(database, { number, museum, met, left });
      const loss = { going: report.removed, works, left };
      if ((await isLoss(database, museum, loss)) && !(await mayLose?.(loss)))
        throw new WorksWouldBeLost(loss);
    }
    // In parallel on PostgreSQL.
    const [digest] = await allDone([
      digestOf(database, number),
      (async () => {
        for (const changed of await readChangedMuseums(database, number)) {
          await wordIndexOf(database).complete(changed, number, { writer: writers.get(changed), vocabulary });
        }
      })(),
      vocabulary.write(database),
    ]);
    // Works of an interrupted import were counted when they were read again.
    await vocabulary.write(database);
    await run.publish(database, { now: now(), report, ...digest });
  } finally {
    clearInterval(sign);
  }
  return { report, edition: (await readEdition(database, number))! };
}

/** Whether the edition would lose works, or replace so many that the file may be the wrong one. Either needs explicit permission. */
async function isLoss(database: Queryable, museum: string, { going, works, left }: Loss): Promise<boolean> {
  if (left < works) return true;
  // Works of the starter catalogue are meant to be replaced.
  return going > works * DATASET_LOSS_SHARE_MAX && (await readImportedMuseums(database)).includes(museum);
}

/** Number of published works of a museum before this import. */
async function worksOf(database: Queryable, museum: string): Promise<number> {
  const current = await readEdition(database);
  return current ? ((await countByMuseum(database, current.number))[museum]?.works ?? 0) : 0;
}

const HASHES_A_PAGE = 2000;

/** sha256 over "id sha256\n" of all works in the order of ids. Anyone who has the works can compute it. */
export async function digestOf(
  database: Queryable,
  edition: number,
): Promise<{ works: number; digest: string }> {
  const hash = createHash('sha256');
  let works = 0;
  let after = '';
  for (;;) {
    const page = await readHashes(database, edition, after, HASHES_A_PAGE);
    hash.update(page.text);
    works += page.works;
    if (page.works < HASHES_A_PAGE) return { works, digest: hash.digest('hex') };
    after = page.last!;
  }
}

/** Waits for all promises even if one fails, because the caller then deletes what they have written. */
async function allDone<T extends readonly unknown[]>(work: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  await Promise.allSettled(work);
  return (await Promise.all(work)) as unknown as T;
}

/** Converts the records of one thread to the batches another one sends. */
export async function* prepareBatches(
  records: AsyncIterable<ArtworkRecord>,
): AsyncGenerator<PreparedRecord[]> {
  let batch: PreparedRecord[] = [];
  for await (const record of records) {
    batch.push(prepareRecord(record));
    if (batch.length === DATASET_BATCH_ROWS.embedded) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** Merges batches up to this size. */
async function* rebatch<T>(batches: AsyncIterable<readonly T[]>, size: number): AsyncGenerator<T[]> {
  let lot: T[] = [];
  for await (const batch of batches) {
    lot.push(...batch);
    if (lot.length < size) continue;
    yield lot;
    lot = [];
  }
  if (lot.length > 0) yield lot;
}

/**
 * Selects at most `max` works: those with an image, the best known first, then a fair sample of the rest by the hash of the id, so that the
 * same file always gives the same works. Holds at most 2 × `max` records.
 */
export async function* choose(
  records: AsyncIterable<ArtworkRecord>,
  report: ImportReport,
  max: number | undefined,
): AsyncGenerator<ArtworkRecord> {
  if (max === undefined) {
    yield* records;
    return;
  }
  let kept: { rank: string; record: ArtworkRecord }[] = [];
  let all = 0;
  const trim = () => {
    kept.sort((a, b) => (a.rank < b.rank ? -1 : 1));
    kept = kept.slice(0, max);
  };
  for await (const record of records) {
    all += 1;
    kept.push({ rank: rankOf(record), record });
    if (kept.length >= 2 * max) trim();
  }
  trim();
  report.left_out['over the number of works asked for'] = all - kept.length;
  if (all === kept.length) delete report.left_out['over the number of works asked for'];
  for (const { record } of kept) yield record;
}

/** Sort key: works to be selected first sort first. */
function rankOf({ id, image, highlight, artists }: ArtworkRecord): string {
  const place = image === null ? 3 : highlight ? 0 : artists.length > 0 ? 1 : 2;
  return `${place}${createHash('sha256').update(id).digest('hex')}`;
}
