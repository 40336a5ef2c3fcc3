import { AtelierError } from '../../errors/atelier_error.ts';
import { RESULT_LIFETIME_MS } from '../../limits.ts';
import type { JobWork, RunJob } from './contract.ts';
import { endJob } from './end_job.ts';
import { readInput } from './input.ts';
import { JOB_CRASHES_MAX, JOB_HOLD_LIFETIME_MS, JOB_LIFETIME_MS } from './limits.ts';
import type { Parts } from './parts.ts';
import { startReporting } from './reporting.ts';
import * as store from './store.ts';

/** Why a run ends before its work does. */
type Stop = 'canceled' | 'lost' | 'leaving';

export interface Runner {
  /** Says how jobs are run; until then none is. */
  use(run: RunJob): void;
  /** Works on a job the queue has handed out. A rejection puts it back into the queue. */
  run(id: string, lost: AbortSignal): Promise<void>;
  /** Ends the run of a canceled job, where it is here. */
  stop(id: string): void;
  /** Ends every run here; their jobs are put back. */
  leave(): Promise<void>;
}

/** The life of one run: claim → run → keep the answer → settle → succeeded; or failed, given back, lost, canceled. */
export function createRunner(parts: Parts): Runner {
  const running = new Map<string, { stop(reason: Stop): void; ended: Promise<void> }>();
  let runJob: RunJob | undefined;
  return {
    use: (run) => {
      runJob = run;
    },
    async run(id, lost) {
      if (!runJob) throw new Error('No jobs are worked on yet.');
      const stopping = new AbortController();
      const stop = (reason: Stop) => stopping.abort(reason);
      lost.addEventListener('abort', () => stop('lost'), { once: true });
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      running.set(id, { stop, ended });
      try {
        await runOnce(parts, { id, run: runJob, stopping });
      } finally {
        running.delete(id);
        resolve();
      }
    },
    stop: (id) => running.get(id)?.stop('canceled'),
    async leave() {
      const runs = [...running.values()];
      for (const { stop } of runs) stop('leaving');
      await Promise.all(runs.map(({ ended }) => ended));
    },
  };
}

interface Running {
  readonly id: string;
  readonly run: RunJob;
  readonly stopping: AbortController;
}

async function runOnce(parts: Parts, { id, run, stopping }: Running): Promise<void> {
  const { database, clock } = parts;
  const row = await store.claim(database, id, clock());
  // Canceled, or delivered twice and done.
  if (!row) return;
  const hopeless = row.resultSha256 === null ? whyHopeless(row, clock()) : undefined;
  if (hopeless) {
    const problem = parts.problemOf(hopeless, { id, requestId: row.requestId });
    return void (await endJob(parts, id, { problem, attempt: row.attempt }));
  }
  const place = { id, attempt: row.attempt };
  const reporting = startReporting(database, place, () => stopping.abort('lost' satisfies Stop));
  let isKept = row.resultSha256 !== null;
  try {
    await run({
      ...(await workOf(parts, id, row)),
      signal: stopping.signal,
      onProgress: reporting.show,
      keep: async (answer, { taken } = {}) => {
        const sha256 = await parts.texts.put(answer);
        if (!(await store.keepResult(database, place, { sha256, taken })))
          stopping.abort('lost' satisfies Stop);
        else isKept = true;
        stopping.signal.throwIfAborted();
      },
    });
    const at = clock();
    await store.succeed(database, { id, at, expiresAt: new Date(at.getTime() + RESULT_LIFETIME_MS) });
  } catch (error) {
    await endFailedRun(
      parts,
      { ...place, row, isKept, stop: stopping.signal.reason as Stop | undefined },
      error,
    );
  } finally {
    await reporting.end();
  }
}

async function workOf(
  { blobs, texts }: Parts,
  id: string,
  row: store.ClaimedRow,
): Promise<Omit<JobWork, 'signal' | 'onProgress' | 'keep'>> {
  const { tool, countedAs, address, requestId, wallet, proof, warnings, held, resultSha256 } = row;
  return {
    id,
    tool,
    caller: { countedAs, address, requestId, ...(wallet && { wallet }), ...(proof && { proof }) },
    ...(await readInput(blobs, row)),
    warnings,
    held: held ?? undefined,
    answer: resultSha256 === null ? undefined : await texts.get(resultSha256),
  };
}

interface Failure extends store.Run {
  readonly row: store.ClaimedRow;
  readonly isKept: boolean;
  readonly stop: Stop | undefined;
}

/** What becomes of a job whose run ended early. A rejection puts it back into the queue. */
async function endFailedRun(
  parts: Parts,
  { id, attempt, row, isKept, stop }: Failure,
  error: unknown,
): Promise<void> {
  const problemOf = (reason: unknown) => parts.problemOf(reason, { id, requestId: row.requestId });
  if (isKept) {
    // The answer is there and waits for its money. Only once the hold has ended is there no hope.
    const holdEnd = row.expiresAt.getTime() - JOB_LIFETIME_MS + JOB_HOLD_LIFETIME_MS;
    if (parts.clock().getTime() < holdEnd) throw error;
    return void (await endJob(parts, id, { problem: problemOf(tooLate()), unsettled: true }));
  }
  if (stop === 'canceled' || stop === 'lost') return;
  if (stop === 'leaving') {
    await store.giveBack(parts.database, { id, attempt });
    throw new Error(`${id} is given back: this server stops.`);
  }
  if (!(error instanceof AtelierError) || error.code === 'internal_error')
    parts.report(error, { job: id, requestId: row.requestId });
  await endJob(parts, id, { problem: problemOf(error), attempt });
}

function whyHopeless({ crashes, expiresAt }: store.ClaimedRow, at: Date): AtelierError | undefined {
  if (expiresAt <= at) return tooLate();
  if (crashes <= JOB_CRASHES_MAX) return undefined;
  return new AtelierError(
    'internal_error',
    `The server stopped ${crashes} times in the middle of this job, so it is given up. Nothing was charged.`,
  );
}

const tooLate = (): AtelierError =>
  new AtelierError('timed_out', 'The job could not be finished in time. Nothing was charged.');
