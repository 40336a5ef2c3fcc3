import { IDEMPOTENCY_LIFETIME_MS, RESULT_LIFETIME_MS } from '../../config/limits.ts';
import type { Database } from '../database/types.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { keyLost } from '../idempotency/answers.ts';
import { endJob } from './end_job.ts';
import { JOB_LIFETIME_MS, JOBS_TOPIC } from './limits.ts';
import * as runs from './store.ts';
import * as store from './store.ts';
import type { JobLimits, QueueDeps, QueueEngine } from './types.ts';

type TableEngineDeps = Pick<QueueDeps, 'signals' | 'limits' | 'isHeld' | 'release' | 'clock' | 'leaseMs'> & {
  readonly database: Pick<Database, 'query' | 'transaction'>;
};

/** The queue as rows of the table `jobs`, in the transactions of holds and keys. See docs/decisions/0004-jobs-and-queue.md. */
export function createTableEngine(deps: TableEngineDeps): QueueEngine {
  const { database, signals, limits, clock, leaseMs } = deps;
  const wakes: (() => void)[] = [];
  const wake = () => {
    for (const each of wakes) each();
    signals?.send(JOBS_TOPIC);
  };
  return {
    async accept(job, stored, kept) {
      const at = clock();
      const after = (ms: number) => new Date(at.getTime() + ms);
      await database.transaction(async (tx) => {
        await store.lockAcceptance(tx, job.caller);
        requireRoom(await store.countLive(tx, job.caller), limits);
        if (job.held !== undefined && !(await deps.isHeld(tx, job.id))) throw holdExpired();
        await store.insert(tx, job, { ...stored, answer: kept }, { at, expiresAt: after(JOB_LIFETIME_MS) });
        if (kept && !(await store.keepAcceptance(tx, kept, after(IDEMPOTENCY_LIFETIME_MS)))) throw keyLost();
      });
      wake();
    },
    claim: (wanted) => runs.claim(database, wanted, { at: clock(), leaseMs }),
    report: (run, shown) => runs.report(database, run, { ...shown, leaseMs }),
    keep: (run, result) => runs.keepResult(database, run, result),
    async end(id, ending) {
      if (ending.outcome !== 'succeeded') return endJob(deps, id, ending);
      const at = clock();
      return runs.succeed(database, { id, at, expiresAt: new Date(at.getTime() + RESULT_LIFETIME_MS) });
    },
    async requeue(run, terms) {
      await runs.requeue(database, run, terms);
      if (terms.afterMs === 0) wake();
    },
    onWake(heard) {
      wakes.push(heard);
      signals?.on(JOBS_TOPIC, heard);
    },
  };
}

/** Storing the input took so long that the hold was released as one of a dead call. */
const holdExpired = (): AtelierError =>
  new AtelierError(
    'busy',
    'Storing the input of this job took too long, and the hold on its price has expired. You were not charged. Send the call again.',
    { retryAfterSeconds: 10 },
  );

/** @throws AtelierError too_many_jobs */
export function requireRoom({ own, ofAddress }: store.LiveJobs, { perCaller, perAddress }: JobLimits): void {
  if (ofAddress >= perAddress)
    throw new AtelierError(
      'too_many_jobs',
      `Your IP address has ${ofAddress} active jobs. The limit is ${perAddress}, across all wallets. Wait for jobs to end, or cancel some (cancel_job, DELETE /api/jobs/{id}).`,
      { retryAfterSeconds: 10 },
    );
  if (own >= perCaller)
    throw new AtelierError(
      'too_many_jobs',
      `You have ${own} active jobs. The limit is ${perCaller}. Wait for a job to end, or cancel one (cancel_job, DELETE /api/jobs/{id}).`,
      { retryAfterSeconds: 10 },
    );
}
