import { createHash } from 'node:crypto';
import { expect, vi } from 'vitest';
import { AtelierError } from '../../src/core/errors/atelier_error.ts';
import { createResponseTexts } from '../../src/core/idempotency/response_texts.ts';
import { createJobs } from '../../src/core/queue/jobs.ts';
import type {
  ClaimOptions,
  JobLimits,
  Jobs,
  JobsOptions,
  JobWork,
  NewJob,
  RunJob,
  Working,
} from '../../src/core/queue/types.ts';
import type { Results } from '../../src/features/assets/results/results.ts';
import type { Open } from './for_each_database.ts';
import { WAIT_MS_MAX } from './wait_ms_max.ts';

/** Claims any job, including one with an expired lease. */
export const ANY_JOB: ClaimOptions = {
  tools: undefined,
  excludedTools: [],
  fullAddresses: [],
  but: [],
  mayTakeOver: true,
};
export const LIMITS: JobLimits = { atOnce: 2, atOnceOfAddress: 2, perCaller: 3, perAddress: 5, inAll: 5 };
const opened: Jobs[] = [];

/** Call it after every test. */
export const closeJobServices = async (): Promise<void> => {
  await Promise.all(opened.splice(0).map((jobs) => jobs.close()));
};

export function memoryBlobs() {
  const blobs = new Map<string, Uint8Array>();
  return {
    blobs,
    put: async (bytes: Uint8Array) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      blobs.set(sha256, bytes);
      return sha256;
    },
    get: async (sha256: string) => blobs.get(sha256)!,
  };
}

/** Responses here are too short to hold files. */
const NO_RESULTS = {} as Results;

/** A service whose jobs are run by `run`; several on one database act as several servers. */
export async function jobService(
  database: Awaited<ReturnType<Open>>,
  {
    run,
    tools,
    lacks,
    shouldRequeue,
    isHeld = async () => true,
    release,
    blobs = memoryBlobs(),
    clock,
    leaseMs,
    limits = {},
  }: Setup = {},
) {
  const released: string[] = [];
  const jobs = createJobs({
    database,
    isHeld,
    blobs,
    texts: createResponseTexts({ blobs, results: NO_RESULTS }),
    limits: { ...LIMITS, ...limits },
    release: release ?? (async (_tx, id) => void released.push(id)),
    problemOf: (error) =>
      error instanceof AtelierError
        ? { code: error.code, status: error.status }
        : { code: 'internal_error', status: 500 },
    report: () => {},
    ...(clock && { clock }),
    ...(leaseMs && { leaseMs }),
  });
  opened.push(jobs);
  if (run) await jobs.work({ run, tools, ...(lacks && { lacks }), ...(shouldRequeue && { shouldRequeue }) });
  return { jobs, released, blobs };
}

interface Setup extends Partial<Omit<Working, 'run'>> {
  run?: RunJob;
  leaseMs?: number;
  isHeld?: JobsOptions['isHeld'];
  release?: JobsOptions['release'];
  blobs?: ReturnType<typeof memoryBlobs>;
  clock?: () => Date;
  limits?: Partial<JobLimits>;
}

export const newJob = (jobs: Jobs, more: Partial<NewJob> = {}): NewJob => ({
  id: jobs.newId(),
  tool: 'paint',
  caller: { countedAs: 'ip:1', address: '1', requestId: 'req_1' },
  input: { colour: 'blue', image: 'kept' },
  pictures: { image: { bytes: Buffer.from('a picture'), format: 'png', width: 3, height: 2 } },
  warnings: ['mind the paint'],
  held: 2000,
  ...more,
});

export async function accepted(jobs: Jobs, more: Partial<NewJob> = {}): Promise<string> {
  const job = newJob(jobs, more);
  await jobs.accept(job, undefined);
  return job.id;
}

export const ended = (jobs: Jobs, id: string) =>
  vi.waitFor(
    async () => {
      const job = await jobs.find(id);
      expect(job?.finishedAt).toBeInstanceOf(Date);
      return job!;
    },
    { timeout: WAIT_MS_MAX, interval: 50 },
  );

/** A run that continues until it is asked to end, and records its arguments. */
export function patient() {
  const works: JobWork[] = [];
  const told = Promise.withResolvers<void>();
  const run: RunJob = async (work) => {
    works.push(work);
    const stopped = new Promise((_, reject) => {
      work.signal.addEventListener('abort', () => reject(new Error('stopped')));
    });
    await Promise.race([told.promise, stopped]);
    await work.keep('{"painted":true}');
  };
  const started = (count = 1) =>
    vi.waitFor(() => expect(works.length).toBe(count), { timeout: WAIT_MS_MAX, interval: 20 });
  return { run, works, started, finish: () => told.resolve() };
}
