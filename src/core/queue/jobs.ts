import { randomUUID } from 'node:crypto';
import { IDEMPOTENCY_LIFETIME_MS, JOB_RUN_MS_MAX } from '../../config/limits.ts';
import type { Queryable } from '../database/types.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import type { KeptAnswer } from '../idempotency/types.ts';
import { createRunner, keepInput, type Runner } from './create_runner.ts';
import type { JobLimits, JobsOptions, QueueDeps } from './deps.ts';
import { endJob } from './end_job.ts';
import { knowTakers, type Takers } from './know_takers.ts';
import { JOB_LEASE_MS, JOB_LIFETIME_MS, UNUSED_HOLD_AGE_MS } from './limits.ts';
import { freeRunning } from './run_store.ts';
import * as store from './store.ts';
import { type Taking, takeJobs } from './take_jobs.ts';
import type { Jobs, JobView, NewJob } from './types.ts';

type Row = Omit<JobView, 'place' | 'secondsLeft'> & { readonly ahead: number };

/** Below this fraction, progress reflects the start of the work more than its duration. */
const TELLING_PROGRESS = 0.2;

/** Adds the queue position and the estimated duration, from the job's own progress or from recent jobs. */
async function estimateJob(
  database: Queryable,
  { ahead, ...job }: Row,
  { at, atOnce }: { at: Date; atOnce: number },
): Promise<JobView> {
  const isQueued = job.state === 'queued';
  return {
    ...job,
    place: isQueued ? ahead + 1 : null,
    secondsLeft:
      isQueued || job.state === 'running'
        ? await secondsLeft(database, { ahead, ...job }, { at, atOnce })
        : null,
  };
}

async function secondsLeft(
  database: Queryable,
  { tool, runAt, progress, ahead }: Row,
  { at, atOnce }: { at: Date; atOnce: number },
): Promise<number | null> {
  const elapsed = runAt ? (at.getTime() - runAt.getTime()) / 1000 : 0;
  if (runAt && progress >= TELLING_PROGRESS) return roundUp((elapsed * (1 - progress)) / progress);
  const { ofTool, ofAny } = await store.typicalSeconds(database, tool);
  if (ofTool === null) return null;
  return roundUp((ahead / atOnce) * (ofAny ?? ofTool) + ofTool - elapsed);
}

const roundUp = (seconds: number): number => Math.max(1, Math.ceil(seconds));

/** Jobs as rows with a lease of the process that runs them. See docs/decisions/0023-jobs.md and 0108-workers.md. */
export function createJobs(options: JobsOptions): Jobs {
  const parts: QueueDeps = { clock: () => new Date(), leaseMs: JOB_LEASE_MS, ...options };
  const { database, texts, limits, clock } = parts;
  let runner: Runner | undefined;
  let starting: Promise<{ takers: Takers; taking: Taking }> | undefined;
  return {
    newId: () => `job_${randomUUID().replaceAll('-', '')}`,
    requireRoom: async (caller) => requireRoom(await store.countLive(database, caller), limits),
    preview: async (job) => previewJob(parts, job),
    accept: async (job, kept) => {
      await accept(parts, job, kept);
      void starting?.then(({ taking }) => taking.wake());
    },
    async find(id) {
      const row = JOB_ID.test(id) ? await store.select(database, id) : undefined;
      return row && estimateJob(database, row, { at: clock(), atOnce: limits.atOnce });
    },
    resultOf: ({ resultSha256 }) => texts.get(resultSha256!),
    async cancel(id) {
      const isEnded = JOB_ID.test(id) && (await endJob(parts, id));
      if (isEnded) runner?.stop(id);
      return isEnded;
    },
    work: async (working) => {
      const { tools, lacks = async () => [] } = working;
      starting = (async () => {
        await freeDeadRuns(parts);
        const takers = await knowTakers(parts, { tools: tools ?? null, lacks });
        runner = createRunner(parts, working, takers);
        return { takers, taking: takeJobs(parts, { tools, takers, run: runner.run }) };
      })();
      await starting;
    },
    running: () => runner?.count() ?? 0,
    waiting: () => store.waiting(database),
    sweep: (now) => sweep(parts, now),
    close: async () => {
      const { takers, taking } = (await starting) ?? {};
      await taking?.stop();
      await runner?.leave();
      await takers?.leave();
    },
  };
}

const JOB_ID = /^job_[0-9a-f]{32}$/;

function requireRoom({ all, own, ofAddress }: store.LiveJobs, limits: JobLimits): void {
  const { inAll, perCaller, perAddress } = limits;
  if (ofAddress >= perAddress)
    throw new AtelierError(
      'too_many_jobs',
      `From your network address ${ofAddress} jobs have not ended, and this server takes ${perAddress} of one address at once, whatever their wallets. Wait for some, or cancel some (cancel_job, DELETE /api/jobs/{id}).`,
      { retryAfterSeconds: 10 },
    );
  if (all >= inAll)
    throw new AtelierError(
      'busy',
      'No more jobs are taken until some have ended. Send the call again then, or without async.',
      { retryAfterSeconds: 30 },
    );
  if (own >= perCaller)
    throw new AtelierError(
      'too_many_jobs',
      `You have ${own} jobs that have not ended, and this server takes ${perCaller} of one caller at once. Wait for one, or cancel one (cancel_job, DELETE /api/jobs/{id}).`,
      { retryAfterSeconds: 10 },
    );
}

async function previewJob({ database, limits, clock }: QueueDeps, job: NewJob): ReturnType<Jobs['preview']> {
  const at = clock();
  const before = await store.countBefore(database, job.caller);
  return estimateJob(
    database,
    {
      id: job.id,
      tool: job.tool,
      wallet: job.caller.wallet ?? null,
      proof: job.caller.proof ?? null,
      state: 'queued',
      progress: 0,
      message: '',
      held: job.held ?? null,
      resultSha256: null,
      problem: null,
      createdAt: at,
      runAt: null,
      finishedAt: null,
      expiresAt: new Date(at.getTime() + JOB_LIFETIME_MS),
      ahead: Math.max(0, before - limits.atOnce),
    },
    { at, atOnce: limits.atOnce },
  );
}

async function accept(
  { database, blobs, limits, clock }: QueueDeps,
  job: NewJob,
  kept: KeptAnswer | undefined,
): Promise<void> {
  const input = await keepInput(blobs, job);
  const at = clock();
  const after = (ms: number) => new Date(at.getTime() + ms);
  await database.transaction(async (tx) => {
    await store.lockAcceptance(tx);
    requireRoom(await store.countLive(tx, job.caller), limits);
    await store.insert(tx, job, { ...input, answer: kept }, { at, expiresAt: after(JOB_LIFETIME_MS) });
    if (kept && !(await store.keepAcceptance(tx, kept, after(IDEMPOTENCY_LIFETIME_MS))))
      throw new Error(`The idempotency key of ${job.id} is not claimed.`);
  });
}

/** Only one process owns an embedded database, so the process that ran a job there has died. */
async function freeDeadRuns({ database, report }: QueueDeps): Promise<void> {
  if (database.kind !== 'embedded') return;
  await freeRunning(database).catch((error) => report(error, { about: 'jobs of a process that died' }));
}

async function sweep(parts: QueueDeps, now: Date): Promise<number> {
  const { database, problemOf } = parts;
  const before = (ms: number) => new Date(now.getTime() - ms);
  for (const id of await store.overdue(database, now, before(2 * JOB_RUN_MS_MAX))) {
    const error = new AtelierError('timed_out', 'The job did not get its turn in time. Nothing was charged.');
    await endJob(parts, id, { problem: problemOf(error, { id, requestId: id }) });
  }
  await store.voidHoldsOfNoJob(database, now, before(UNUSED_HOLD_AGE_MS));
  return store.forget(database, now);
}
