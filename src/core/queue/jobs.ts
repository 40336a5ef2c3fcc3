import { randomUUID } from 'node:crypto';
import { JOB_RUN_MS_MAX } from '../../config/limits.ts';
import type { Queryable } from '../database/types.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { claimJobs, type JobClaimer } from './claim_jobs.ts';
import { createRunner, type Runner, storeInput } from './create_runner.ts';
import { JOB_LEASE_MS, JOB_LIFETIME_MS, UNUSED_HOLD_AGE_MS } from './limits.ts';
import { createQueueState, type QueueState } from './queue_state.ts';
import * as store from './store.ts';
import { dismissJob, freeRunning } from './store.ts';
import { createTableEngine, requireRoom } from './table_engine.ts';
import type { JobLimits, Jobs, JobsOptions, JobView, NewJob, QueueDeps } from './types.ts';
import { joinWorkerRegistry, type WorkerRegistry } from './worker_registry.ts';

/** Below this fraction, progress reflects the start of the work more than its duration. */
const MEANINGFUL_PROGRESS = 0.2;

type PlacedJob = Omit<store.JobRow, 'round' | 'position' | 'ahead'> & { readonly ahead: number };

/** Adds the queue position and the estimated duration, from the job's own progress or from recent jobs. */
async function estimateJob(
  database: Queryable,
  { ahead, megapixels, expectedSeconds, ...job }: PlacedJob,
  { at, atOnce }: { at: Date; atOnce: number },
): Promise<JobView> {
  const isQueued = job.state === 'queued';
  const isLive = isQueued || job.state === 'running';
  const left = isLive ? await secondsLeft(database, { ahead, megapixels, ...job }, { at, atOnce }) : null;
  const estimate = isLive
    ? comparedWithFirst(left, { expectedSeconds, createdAt: job.createdAt, at })
    : ENDED;
  return { ...job, place: isQueued ? ahead + 1 : null, ...estimate };
}

type Estimate = Pick<JobView, 'secondsLeft' | 'isLate'>;
const ENDED: Estimate = { secondsLeft: null, isLate: false };

/** Tolerance of estimates: a share of the first one, at least SLACK_SECONDS. */
const SLACK_SHARE = 0.25;
const SLACK_SECONDS = 2;

/**
 * An estimate may only fall. One that rises past the first estimate marks the job as late.
 * @param left seconds; null: unknown, or more than it usually takes
 */
export function comparedWithFirst(
  left: number | null,
  { expectedSeconds, createdAt, at }: { expectedSeconds: number | null; createdAt: Date; at: Date },
): Estimate {
  if (expectedSeconds === null) return { secondsLeft: left && roundUp(left), isLate: false };
  const promised = expectedSeconds - (at.getTime() - createdAt.getTime()) / 1000;
  const slack = Math.max(SLACK_SECONDS, expectedSeconds * SLACK_SHARE);
  const isLate = (left ?? 0) > promised + slack || promised < -slack;
  if (isLate) return { secondsLeft: left && roundUp(left), isLate };
  return { secondsLeft: roundUp(Math.min(left ?? promised, promised)), isLate };
}

/** Null where it is unknown: no job of this tool has ended yet, or this one takes longer than they did and reports no progress. */
async function secondsLeft(
  database: Queryable,
  { tool, runAt, progress, ahead, megapixels }: Omit<PlacedJob, 'expectedSeconds'>,
  { at, atOnce }: { at: Date; atOnce: number },
): Promise<number | null> {
  const elapsed = runAt ? (at.getTime() - runAt.getTime()) / 1000 : 0;
  if (runAt && progress >= MEANINGFUL_PROGRESS) return (elapsed * (1 - progress)) / progress;
  const { ofTool, ofAny } = await store.typicalSeconds(database, { tool, megapixels });
  if (ofTool === null) return null;
  const left = (ahead / atOnce) * (ofAny ?? ofTool) + ofTool - elapsed;
  return left > 0 ? left : null;
}

const roundUp = (seconds: number): number => Math.max(1, Math.ceil(seconds));

/** Jobs as rows with a lease of the process that runs them. See docs/decisions/0004-jobs-and-queue.md. */
export function createJobs(options: JobsOptions): Jobs {
  const terms = { clock: () => new Date(), leaseMs: JOB_LEASE_MS, ...options };
  const parts: QueueDeps = { ...terms, engine: createTableEngine(terms) };
  const { database, engine, blobs, texts, limits, clock } = parts;
  const state = createQueueState(database);
  let runner: Runner | undefined;
  let starting: Promise<{ takers: WorkerRegistry; taking: JobClaimer }> | undefined;
  const wake = () => void starting?.then(({ taking }) => taking.wake());
  return {
    newId: () => `job_${randomUUID().replaceAll('-', '')}`,
    requireRoom: async (caller) => {
      requireRoom(await store.countLive(database, caller), limits);
      await requireRoomInAll(state, limits);
    },
    preview: async (job) => previewJob(parts, state, job),
    accept: async (job, kept) => {
      await requireRoomInAll(state, limits);
      await engine.accept(job, await storeInput(blobs, job), kept);
    },
    async find(id) {
      const row = JOB_ID.test(id) ? await store.select(database, id) : undefined;
      if (!row) return undefined;
      const { round, position, ahead, ...job } = row;
      const known = { ...job, ahead: ahead ?? (await state.ahead({ round, position })) };
      return estimateJob(database, known, { at: clock(), atOnce: limits.atOnce });
    },
    paramsOf: async (id) =>
      JOB_ID.test(id) ? ((await store.paramsOf(database, id)) ?? undefined) : undefined,
    recentOf: (wallet, limit) => store.selectRecentOf(database, wallet, limit),
    resultOf: ({ resultSha256 }) => texts.get(resultSha256!),
    async cancel(id) {
      const isEnded = JOB_ID.test(id) && (await engine.end(id, { outcome: 'canceled' }));
      if (isEnded) runner?.stop(id);
      else if (JOB_ID.test(id)) await dismissJob(database, id);
      return isEnded;
    },
    work: async (working) => {
      const { tools, lacks = async () => [] } = working;
      starting = (async () => {
        await freeDeadRuns(parts);
        const takers = await joinWorkerRegistry(parts, { tools: tools ?? null, lacks });
        runner = createRunner(parts, working, takers);
        return { takers, taking: claimJobs(parts, { tools, takers, run: runner.run }) };
      })();
      engine.onWake(wake);
      await starting;
    },
    running: () => runner?.count() ?? 0,
    waiting: state.waiting,
    typicalSeconds: async (like) => (await store.typicalSeconds(database, like)).ofTool,
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

/** The total is not locked: it may be exceeded by the jobs that are accepted at the same moment. */
async function requireRoomInAll(state: QueueState, { inAll }: JobLimits): Promise<void> {
  if ((await state.live()) < inAll) return;
  throw new AtelierError('busy', 'The job queue is full. Send the call again later, or without async.', {
    retryAfterSeconds: 30,
  });
}

async function previewJob(
  { database, limits, clock }: QueueDeps,
  state: QueueState,
  job: NewJob,
): ReturnType<Jobs['preview']> {
  const at = clock();
  const { round, running, ahead } = await store.findPlace(database, job.caller);
  const before = running + (ahead ?? (await state.ahead({ round })));
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
      megapixels: job.megapixels ?? null,
      expectedSeconds: null,
    },
    { at, atOnce: limits.atOnce },
  );
}

/** Only one process owns an embedded database, so the process that ran a job there has died. */
async function freeDeadRuns({ database, report }: QueueDeps): Promise<void> {
  if (database.kind !== 'embedded') return;
  await freeRunning(database).catch((error) => report(error, { about: 'jobs of a crashed process' }));
}

async function sweep(parts: QueueDeps, now: Date): Promise<number> {
  const { database, engine, problemOf } = parts;
  const before = (ms: number) => new Date(now.getTime() - ms);
  for (const id of await store.overdue(database, now, before(2 * JOB_RUN_MS_MAX))) {
    const error = new AtelierError('timed_out', 'The job did not start in time. You were not charged.');
    await engine.end(id, { outcome: 'failed', problem: problemOf(error, { id, requestId: id }) });
  }
  await store.voidOrphanedHolds(database, now, before(UNUSED_HOLD_AGE_MS));
  return store.forget(database, now);
}
