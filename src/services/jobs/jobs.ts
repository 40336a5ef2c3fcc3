import { randomUUID } from 'node:crypto';
import { AtelierError } from '../../errors/atelier_error.ts';
import { IDEMPOTENCY_LIFETIME_MS, JOB_RUN_MS_MAX } from '../../limits.ts';
import type { KeptAnswer } from '../wallets/contract.ts';
import type { Jobs, NewJob, RunJob } from './contract.ts';
import { createRunner } from './create_runner.ts';
import { endJob } from './end_job.ts';
import { estimateJob } from './estimate.ts';
import { keepInput } from './input.ts';
import { JOB_LIFETIME_MS, UNUSED_HOLD_AGE_MS } from './limits.ts';
import type { JobLimits, JobsOptions, Parts } from './parts.ts';
import { createQueue, type Queue } from './queue.ts';
import * as store from './store.ts';

/** Jobs as rows of ours, handed out by a queue that knows them by name. See docs/decisions/0023-jobs.md. */
export function createJobs(options: JobsOptions): Jobs {
  const parts: Parts = { clock: () => new Date(), ...options };
  const { database, texts, limits, clock } = parts;
  const runner = createRunner(parts);
  const queue = createQueue({
    database,
    atOnce: limits.atOnce,
    atOnceOfAddress: limits.atOnceOfAddress,
    run: runner.run,
    report: (error) => parts.report(error, { about: QUEUE }),
  });

  let starting = Promise.resolve();
  return {
    newId: () => `job_${randomUUID().replaceAll('-', '')}`,
    requireRoom: async (caller) => requireRoom(await store.countLive(database, caller), limits),
    preview: async (job) => previewJob(parts, job),
    accept: async (job, kept) => {
      await queue.start({ create: true });
      await accept(parts, job, { kept, send: queue.send });
      queue.wake();
    },
    async find(id) {
      const row = JOB_ID.test(id) ? await store.select(database, id) : undefined;
      return row && estimateJob(database, row, { at: clock(), atOnce: limits.atOnce });
    },
    resultOf: ({ resultSha256 }) => texts.get(resultSha256!),
    async cancel(id) {
      const isEnded = JOB_ID.test(id) && (await endJob(parts, id));
      if (isEnded) runner.stop(id);
      return isEnded;
    },
    work: (run: RunJob) => {
      starting = work(parts, { run, runner, queue }).catch((error) => parts.report(error, { about: QUEUE }));
      return starting;
    },
    sweep: (now) => sweep(parts, now, queue),
    blobsInUse: (sha256s) => store.blobsInUse(database, sha256s),
    close: async () => {
      await starting;
      await queue.close(runner.leave);
    },
  };
}

const QUEUE = 'the queue of jobs';
const JOB_ID = /^job_[0-9a-f]{32}$/;

function requireRoom({ all, own, ofAddress }: store.LiveJobs, limits: JobLimits): void {
  const { inAll, perCaller, perAddress } = limits;
  if (ofAddress >= perAddress)
    throw new AtelierError(
      'too_many_jobs',
      `From your network address ${ofAddress} jobs have not ended, and this server takes ${perAddress} of one address at once, whatever their wallets. Wait for some, or cancel some (DELETE /api/jobs/{id}).`,
      { retryAfterSeconds: 10 },
    );
  if (all >= inAll)
    throw new AtelierError(
      'busy',
      'No more jobs are taken until some have ended. Send the call again then, or without Prefer: respond-async.',
      { retryAfterSeconds: 30 },
    );
  if (own >= perCaller)
    throw new AtelierError(
      'too_many_jobs',
      `You have ${own} jobs that have not ended, and this server takes ${perCaller} of one caller at once. Wait for one, or cancel one (DELETE /api/jobs/{id}).`,
      { retryAfterSeconds: 10 },
    );
}

async function previewJob({ database, limits, clock }: Parts, job: NewJob): ReturnType<Jobs['preview']> {
  const at = clock();
  const before = await store.countBefore(database, job.caller.address);
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
  { database, blobs, limits, clock }: Parts,
  job: NewJob,
  {
    kept,
    send,
  }: {
    kept: KeptAnswer | undefined;
    send: Queue['send'];
  },
): Promise<void> {
  const input = await keepInput(blobs, job);
  const at = clock();
  const after = (ms: number) => new Date(at.getTime() + ms);
  await database.transaction(async (tx) => {
    await store.lockAcceptance(tx);
    requireRoom(await store.countLive(tx, job.caller), limits);
    const times = { at, expiresAt: after(JOB_LIFETIME_MS) };
    const turn = await store.insert(tx, job, { ...input, answer: kept }, times);
    await send(tx, { id: job.id, address: job.caller.address, turn });
    if (kept && !(await store.keepAcceptance(tx, kept, after(IDEMPOTENCY_LIFETIME_MS))))
      throw new Error(`The idempotency key of ${job.id} is not claimed.`);
  });
}

interface Working {
  readonly run: RunJob;
  readonly runner: ReturnType<typeof createRunner>;
  readonly queue: ReturnType<typeof createQueue>;
}

/** One process owns an embedded database, so whatever the queue has handed out there went to a process that died. */
async function work({ database }: Parts, { run, runner, queue }: Working): Promise<void> {
  runner.use(run);
  const live = await store.live(database);
  if (!(await queue.start({ create: live.length > 0 }))) return;
  // A database that was moved or restored comes without its queue; what the queue knows stays as it is.
  for (const job of live) await queue.send(database, job);
  if (database.kind === 'embedded') await queue.putBack(live.map(({ id }) => id));
  queue.wake();
}

async function sweep(parts: Parts, now: Date, queue: Pick<Working['queue'], 'start'>): Promise<number> {
  const { database, problemOf } = parts;
  const before = (ms: number) => new Date(now.getTime() - ms);
  // Another server may have taken the first job this database ever saw.
  if ((await store.live(database)).length > 0) await queue.start({ create: false });
  for (const id of await store.overdue(database, now, before(2 * JOB_RUN_MS_MAX))) {
    const error = new AtelierError('timed_out', 'The job did not get its turn in time. Nothing was charged.');
    await endJob(parts, id, { problem: problemOf(error, { id, requestId: id }) });
  }
  await store.voidHoldsOfNoJob(database, now, before(UNUSED_HOLD_AGE_MS));
  return store.forget(database, now);
}
