import { AtelierError, isForOperator } from '../errors/atelier_error.ts';
import type { Blobs } from '../storage/blobs/blobs.ts';
import type { SourceImage } from '../workers/types.ts';
import {
  JOB_CRASHES_MAX,
  JOB_HANDOFFS_MAX,
  JOB_HOLD_LIFETIME_MS,
  JOB_LIFETIME_MS,
  JOB_REPORT_MS,
  JOB_RETRY_MS,
  JOB_STORAGE_RETRY_MS,
  JOB_STORAGE_RUNS_MAX,
} from './limits.ts';
import type {
  ClaimedRow,
  JobWork,
  NewJob,
  QueueDeps,
  QueueEngine,
  Run,
  StoredInput,
  Working,
} from './types.ts';
import type { WorkerRegistry } from './worker_registry.ts';

/**
 * Progress is reported after this many ticks even without a change, because the job may have been canceled elsewhere, or lose its
 * lease.
 */
const QUIET_TICKS_MAX = 3;

/**
 * Reports the progress of a run, once a second at most, which also renews its lease. `onLost` is called when the run no longer owns
 * the job; a brief database outage does not count.
 */
function startReporting(
  engine: QueueEngine,
  run: Run,
  onLost: () => void,
): { show(progress: number, message: string): void; end(): Promise<void> } {
  let latest = { progress: 0, message: '' };
  let written = latest;
  let quietTicks = 0;
  let writing: Promise<void> | undefined;
  const write = async () => {
    written = latest;
    quietTicks = 0;
    const isOurs = await engine.report(run, written).catch(() => true);
    if (!isOurs) onLost();
  };
  const timer = setInterval(() => {
    quietTicks += 1;
    if (writing || (latest === written && quietTicks < QUIET_TICKS_MAX)) return;
    writing = write().finally(() => {
      writing = undefined;
    });
  }, JOB_REPORT_MS);
  return {
    show(progress, message) {
      latest = { progress: Math.min(1, Math.max(0, progress)) || 0, message: message.slice(0, 200) };
    },
    async end() {
      clearInterval(timer);
      await writing;
    },
  };
}

/** Why a run ends early. */
type Stop = 'canceled' | 'lost' | 'leaving';

export interface Runner {
  /** Runs a claimed job and leaves it finished, requeued or handed off to another process. Never rejects. */
  run(row: ClaimedRow): Promise<Outcome>;
  /** Stops the run of a canceled job, if it runs here. */
  stop(id: string): void;
  /** Number of runs in this process. */
  count(): number;
  /** Stops every run in this process and requeues its jobs. */
  leave(): Promise<void>;
}

/** `passed on`: this process lacks something the job needs, and another process may have it. */
type Outcome = 'ended' | 'passed on';

/** The lifecycle of one run: claim → run → store the response → settle → succeeded; or failed, requeued, lost, canceled. */
export function createRunner(
  parts: QueueDeps,
  work: Working,
  takers: Pick<WorkerRegistry, 'others'>,
): Runner {
  const running = new Map<string, { stop(reason: Stop): void; ended: Promise<void> }>();
  return {
    async run(row) {
      const stopping = new AbortController();
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      running.set(row.id, { stop: (reason) => stopping.abort(reason), ended });
      try {
        return await runOnce(parts, { row, work, takers, stopping });
      } catch (error) {
        parts.report(error, { job: row.id, requestId: row.requestId });
        return 'ended';
      } finally {
        running.delete(row.id);
        resolve();
      }
    },
    stop: (id) => running.get(id)?.stop('canceled'),
    count: () => running.size,
    async leave() {
      const runs = [...running.values()];
      for (const { stop } of runs) stop('leaving');
      await Promise.all(runs.map(({ ended }) => ended));
    },
  };
}

interface Running {
  readonly row: ClaimedRow;
  readonly work: Working;
  readonly takers: Pick<WorkerRegistry, 'others'>;
  readonly stopping: AbortController;
}

async function runOnce(parts: QueueDeps, { row, work, takers, stopping }: Running): Promise<Outcome> {
  const { engine, clock } = parts;
  const { id, attempt } = row;
  const hopeless = row.resultSha256 === null ? abandonReason(row, clock()) : undefined;
  if (hopeless) {
    const problem = parts.problemOf(hopeless, { id, requestId: row.requestId });
    await engine.end(id, { outcome: 'failed', problem, attempt });
    return 'ended';
  }
  const place = { id, attempt };
  const reporting = startReporting(engine, place, () => stopping.abort('lost' satisfies Stop));
  let isKept = row.resultSha256 !== null;
  const mayRequeue = row.passes < JOB_HANDOFFS_MAX && takers.others(row.tool);
  try {
    await work.run({
      ...(await workOf(parts, row)),
      signal: stopping.signal,
      mayRequeue,
      onProgress: reporting.show,
      keep: async (answer, { taken } = {}) => {
        const sha256 = await parts.texts.put(answer);
        if (!(await engine.keep(place, { sha256, taken }))) stopping.abort('lost' satisfies Stop);
        else isKept = true;
        stopping.signal.throwIfAborted();
      },
    });
    await engine.end(id, { outcome: 'succeeded' });
    return 'ended';
  } catch (error) {
    const stop = stopping.signal.reason as Stop | undefined;
    return await endFailedRun(parts, { ...place, row, work, mayRequeue, isKept, stop }, error);
  } finally {
    await reporting.end();
  }
}

async function workOf(
  { blobs, texts }: QueueDeps,
  row: ClaimedRow,
): Promise<Omit<JobWork, 'signal' | 'mayRequeue' | 'onProgress' | 'keep'>> {
  const { id, tool, wallet, proof, trace, warnings, held, isWaived, resultSha256, ...asked } = row;
  const { countedAs, address, requestId } = asked;
  return {
    id,
    tool,
    caller: {
      countedAs,
      address,
      requestId,
      ...(wallet && { wallet }),
      ...(proof && { proof }),
      ...(trace && { trace }),
    },
    ...(await readInput(blobs, row)),
    warnings,
    held: held ?? undefined,
    isWaived,
    answer: resultSha256 === null ? undefined : await texts.get(resultSha256),
  };
}

interface Failure extends Run {
  readonly row: ClaimedRow;
  readonly work: Working;
  readonly mayRequeue: boolean;
  readonly isKept: boolean;
  readonly stop: Stop | undefined;
}

/** Outcome of a job whose run ended early. */
async function endFailedRun(
  parts: QueueDeps,
  { id, attempt, row, work, mayRequeue, isKept, stop }: Failure,
  error: unknown,
): Promise<Outcome> {
  const { engine } = parts;
  const run = { id, attempt };
  const giveBack = (afterMs: number) => engine.requeue(run, { afterMs });
  const problemOf = (reason: unknown) => parts.problemOf(reason, { id, requestId: row.requestId });
  if (isKept) {
    // The response is stored and waits for settlement, which is impossible only once the hold has expired.
    const holdEnd = row.expiresAt.getTime() - JOB_LIFETIME_MS + JOB_HOLD_LIFETIME_MS;
    if (parts.clock().getTime() >= holdEnd) {
      await engine.end(id, { outcome: 'failed', problem: problemOf(tooLate()), unsettled: true });
      return 'ended';
    }
    if (!stop) parts.report(error, { job: id, requestId: row.requestId });
    await giveBack(stop === 'leaving' ? 0 : JOB_RETRY_MS);
    return 'ended';
  }
  if (stop === 'canceled' || stop === 'lost') return 'ended';
  if (stop === 'leaving') {
    await giveBack(0);
    return 'ended';
  }
  // It is unknown whether the database has committed; if it has stored the response, the next run settles it.
  if (error instanceof AtelierError && error.code === 'database_unavailable') {
    await giveBack(JOB_RETRY_MS);
    return 'ended';
  }
  if (isStorageAway(error) && attempt < JOB_STORAGE_RUNS_MAX) {
    await giveBack(JOB_STORAGE_RETRY_MS * attempt);
    return 'ended';
  }
  const laterMs = work.retriesAfterMs?.(error);
  if (laterMs !== undefined) {
    await giveBack(laterMs);
    return 'ended';
  }
  if (mayRequeue && work.shouldRequeue?.(error)) {
    await engine.requeue(run, { afterMs: 0, isPass: true });
    return 'passed on';
  }
  if (!(error instanceof AtelierError) || isForOperator(error.code))
    parts.report(error, { job: id, requestId: row.requestId });
  await engine.end(id, { outcome: 'failed', problem: problemOf(error), attempt });
  return 'ended';
}

/** Images cannot be read, or the response cannot be stored, at the moment. */
const isStorageAway = (error: unknown): boolean =>
  error instanceof AtelierError && ['storage_unavailable', 'storage_full'].includes(error.code);

function abandonReason({ crashes, expiresAt }: ClaimedRow, at: Date): AtelierError | undefined {
  if (expiresAt <= at) return tooLate();
  if (crashes <= JOB_CRASHES_MAX) return undefined;
  return new AtelierError(
    'internal_error',
    `The server stopped ${crashes} times while running this job, so the job was abandoned. You were not charged.`,
  );
}

const tooLate = (): AtelierError =>
  new AtelierError('timed_out', 'The job could not be finished in time. You were not charged.');

/** Stores the images, as bytes, and the rest of the input. */
export async function storeInput(
  blobs: Pick<Blobs, 'put'>,
  { input, pictures }: Pick<NewJob, 'input' | 'pictures'>,
): Promise<StoredInput> {
  const text = new TextEncoder().encode(JSON.stringify(input));
  const images = Object.values(pictures);
  const [inputSha256, ...kept] = await Promise.all([
    blobs.put(text),
    ...Object.entries(pictures).map(async ([field, { bytes, format, width, height, fileName }]) => ({
      field,
      sha256: await blobs.put(bytes),
      format,
      width,
      height,
      ...(fileName !== undefined && { fileName }),
    })),
  ]);
  const bytes = images.reduce((sum, image) => sum + image.bytes.length, text.length);
  return { inputSha256, pictures: kept, bytes };
}

async function readInput(
  blobs: Pick<Blobs, 'get'>,
  { inputSha256, pictures }: Pick<ClaimedRow, 'inputSha256' | 'pictures'>,
): Promise<Pick<NewJob, 'input' | 'pictures'>> {
  const opened = await Promise.all(
    pictures.map(async ({ field, sha256, format, width, height, fileName }) => {
      const picture = {
        bytes: await blobs.get(sha256),
        format: format as SourceImage['format'],
        width,
        height,
        ...(fileName !== undefined && { fileName }),
      };
      return [field, picture] as const;
    }),
  );
  return {
    input: JSON.parse(new TextDecoder().decode(await blobs.get(inputSha256))),
    pictures: Object.fromEntries(opened),
  };
}
