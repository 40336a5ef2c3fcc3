import { randomUUID } from 'node:crypto';
import type { BaseLogger } from 'pino';
import type { Config } from '../../config/config.ts';
import { IDEMPOTENCY_LIFETIME_MS, JOB_RUN_MS_MAX, RESULT_LIFETIME_MS } from '../../config/limits.ts';
import type { Database, Queryable } from '../database/types.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { keyLost } from '../idempotency/answers.ts';
import { createRunner, type Runner, storeInput } from './create_runner.ts';
import { endJob } from './end_job.ts';
import {
  JOB_HANDOFF_MS,
  JOB_LEASE_MS,
  JOB_LIFETIME_MS,
  JOB_POLL_MS,
  JOBS_TOPIC,
  UNUSED_HOLD_AGE_MS,
} from './limits.ts';
import { createQueueState, type QueueState } from './queue_state.ts';
import * as store from './store.ts';
import { dismissJob, freeRunning } from './store.ts';
import type {
  ClaimedRow,
  JobLimits,
  Jobs,
  JobsOptions,
  JobView,
  NewJob,
  QueueDeps,
  QueueEngine,
} from './types.ts';
import { joinWorkerRegistry, type WorkerRegistry } from './worker_registry.ts';

interface JobsDeps
  extends Pick<JobsOptions, 'database' | 'signals' | 'blobs' | 'texts' | 'problemOf' | 'isHeld' | 'release'> {
  readonly logger: BaseLogger;
}

/** Creates the job service with the configured limits. */
export function openJobs(config: Config, { logger, ...parts }: JobsDeps): Jobs {
  return createJobs({
    ...parts,
    limits: {
      atOnce: config.JOBS_AT_ONCE,
      atOnceOfAddress: Math.max(1, Math.floor((config.JOBS_AT_ONCE * config.CALLER_SHARE_PERCENT) / 100)),
      perCaller: config.JOBS_PER_CALLER,
      perAddress: config.JOBS_PER_ADDRESS,
      inAll: config.JOBS_LIVE_MAX,
    },
    report: (error, context) => logger.error({ ...context, err: error }, 'a job failed'),
  });
}

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
    claim: (wanted) => store.claim(database, wanted, { at: clock(), leaseMs }),
    report: (run, shown) => store.report(database, run, { ...shown, leaseMs }),
    keep: (run, result) => store.keepResult(database, run, result),
    async end(id, ending) {
      if (ending.outcome !== 'succeeded') return endJob(deps, id, ending);
      const at = clock();
      return store.succeed(database, { id, at, expiresAt: new Date(at.getTime() + RESULT_LIFETIME_MS) });
    },
    async requeue(run, terms) {
      await store.requeue(database, run, terms);
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
function requireRoom({ own, ofAddress }: store.LiveJobs, { perCaller, perAddress }: JobLimits): void {
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

/** Claims jobs, one slot each, until it is stopped. */
interface JobClaimer {
  /** Polls now instead of at the next interval. */
  wake(): void;
  /** Stops claiming. Running jobs continue. */
  stop(): Promise<void>;
}

interface ClaimerDeps {
  readonly takers: Pick<WorkerRegistry, 'left'>;
  /** Undefined: all tools. */
  readonly tools: readonly string[] | undefined;
  /** Runs one job to its end in this process. */
  run(row: ClaimedRow): Promise<'ended' | 'passed on'>;
}

/**
 * Claims the next job whenever a slot is free, and polls periodically. A failed poll is reported if its cause differs from the previous
 * one, and polling continues, so a lost connection does not end the loop. See docs/decisions/0004-jobs-and-queue.md.
 */
export function claimJobs(parts: QueueDeps, { tools, takers, run }: ClaimerDeps): JobClaimer {
  const running = new Map<string, string>();
  const passedOn = new Map<string, number>();
  const rests = createWakeableSleep();
  let isStopping = false;
  /** Why the last poll failed. */
  let trouble: string | undefined;
  // After a database outage all heartbeats look stale: processes get the time to renew before their jobs are claimed.
  let takesOverFrom = 0;

  const look = async (): Promise<ClaimedRow | undefined> => {
    const now = performance.now();
    for (const [id, until] of passedOn) if (until <= now) passedOn.delete(id);
    try {
      const { limits, engine } = parts;
      const fullAddresses = addressesWith(limits.atOnceOfAddress, running.values());
      const but = [...running.keys(), ...passedOn.keys()];
      const mayTakeOver = now >= takesOverFrom;
      const row = await engine.claim({
        tools,
        excludedTools: takers.left(),
        fullAddresses,
        but,
        mayTakeOver,
      });
      trouble = undefined;
      return row;
    } catch (error) {
      takesOverFrom = performance.now() + parts.leaseMs;
      const found = error instanceof AtelierError ? error.code : String(error);
      if (found !== trouble) parts.report(error, { about: 'claiming jobs' });
      trouble = found;
      return undefined;
    }
  };
  const begin = (row: ClaimedRow) => {
    running.set(row.id, row.address);
    void run(row).then((outcome) => {
      running.delete(row.id);
      if (outcome === 'passed on') passedOn.set(row.id, performance.now() + JOB_HANDOFF_MS);
      rests.wake();
    });
  };
  const taking = (async () => {
    while (!isStopping) {
      const row = running.size < parts.limits.atOnce ? await look() : undefined;
      if (row) begin(row);
      else await rests.rest(JOB_POLL_MS);
    }
  })();
  return {
    wake: rests.wake,
    async stop() {
      isStopping = true;
      rests.wake();
      await taking;
    },
  };
}

/** Addresses that occur at least this often. */
function addressesWith(times: number, addresses: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const address of addresses) counts.set(address, (counts.get(address) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= times).map(([address]) => address);
}

/** A wakeable sleep: a wake-up between two sleeps ends the next one at once. */
function createWakeableSleep(): { rest(ms: number): Promise<void>; wake(): void } {
  let isWoken = false;
  let end = () => {};
  return {
    async rest(ms) {
      if (!isWoken) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, ms);
        end = resolve;
        await promise;
        clearTimeout(timer);
      }
      isWoken = false;
    },
    wake() {
      isWoken = true;
      end();
    },
  };
}
