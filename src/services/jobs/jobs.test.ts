import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { forEachDatabase, type Open } from '../../../tests/support/for_each_database.ts';
import { AtelierError } from '../../errors.ts';
import { JOB_LIFETIME_MS, RESULT_LIFETIME_MS, UNUSED_HOLD_AGE_MS } from '../../limits.ts';
import { createWallets } from '../wallets/index.ts';
import { createJobs, type Jobs, type JobWork, type NewJob, type RunJob } from './index.ts';

// The first job of a database makes the tables of the queue.
vi.setConfig({ testTimeout: 60_000 });

const LIMITS = { atOnce: 2, perCaller: 3, inAll: 5 };
const opened: Jobs[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((jobs) => jobs.close()));
});

function memoryBlobs() {
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

/** A service whose jobs are run by `run`; several on one database are several servers. */
async function service(
  database: Awaited<ReturnType<Open>>,
  { run, blobs = memoryBlobs(), clock }: Setup = {},
) {
  const released: string[] = [];
  const jobs = createJobs({
    database,
    blobs,
    limits: LIMITS,
    release: async (id) => void released.push(id),
    problemOf: (error) => ({ code: error instanceof AtelierError ? error.code : 'internal_error' }),
    report: () => {},
    ...(clock && { clock }),
  });
  opened.push(jobs);
  if (run) await jobs.work(run);
  return { jobs, released, blobs };
}

interface Setup {
  run?: RunJob;
  blobs?: ReturnType<typeof memoryBlobs>;
  clock?: () => Date;
}

const newJob = (jobs: Jobs, more: Partial<NewJob> = {}): NewJob => ({
  id: jobs.newId(),
  tool: 'paint',
  caller: { countedAs: 'ip:1', address: '1', requestId: 'req_1' },
  input: { colour: 'blue', image: 'kept' },
  pictures: { image: { bytes: Buffer.from('a picture'), format: 'png', width: 3, height: 2 } },
  warnings: ['mind the paint'],
  held: 2000,
  ...more,
});

async function accepted(jobs: Jobs, more: Partial<NewJob> = {}): Promise<string> {
  const job = newJob(jobs, more);
  await jobs.accept(job, undefined);
  return job.id;
}

const ended = (jobs: Jobs, id: string) =>
  vi.waitFor(
    async () => {
      const job = await jobs.find(id);
      expect(job?.finishedAt).toBeInstanceOf(Date);
      return job!;
    },
    { timeout: 45_000, interval: 50 },
  );

/** A run that goes on until it is told, and remembers what it was given. */
function patient() {
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
    vi.waitFor(() => expect(works.length).toBe(count), { timeout: 45_000, interval: 20 });
  return { run, works, started, finish: () => told.resolve() };
}

forEachDatabase((_, open) => {
  test('a job runs with what was sent and its answer is kept', async () => {
    const seen: JobWork[] = [];
    const { jobs, released } = await service(await open(), {
      run: async (work) => {
        seen.push(work);
        await work.keep('{"painted":true}');
      },
    });
    const id = await accepted(jobs);
    const job = await ended(jobs, id);
    expect(job).toMatchObject({ state: 'succeeded', progress: 1, place: null, secondsLeft: null });
    expect(await jobs.resultOf(job)).toBe('{"painted":true}');
    expect(seen).toMatchObject([
      {
        id,
        tool: 'paint',
        held: 2000,
        input: { colour: 'blue', image: 'kept' },
        warnings: ['mind the paint'],
        pictures: { image: { format: 'png', width: 3, height: 2 } },
      },
    ]);
    expect(Buffer.from(seen[0]!.pictures.image!.bytes).toString()).toBe('a picture');
    expect(released).toEqual([]);
  });

  test('input and pictures are kept while the job lives, and its result for a day', async () => {
    const { run, started, finish } = patient();
    const { jobs, blobs } = await service(await open(), { run });
    const id = await accepted(jobs);
    await started();
    const whileRunning = await jobs.blobsInUse([...blobs.blobs.keys()]);
    finish();
    const { resultSha256, expiresAt } = await ended(jobs, id);
    expect(whileRunning.size).toBe(2);
    expect(await jobs.blobsInUse([...blobs.blobs.keys()])).toEqual(new Set([resultSha256]));
    expect(await jobs.sweep(new Date(expiresAt.getTime() - 1000))).toBe(0);
    expect(await jobs.sweep(new Date(Date.now() + RESULT_LIFETIME_MS + 1000))).toBe(1);
    expect(await jobs.find(id)).toBeUndefined();
  });

  test('progress is written once a second at most, and tells how long it will take', async () => {
    const { run, works, started, finish } = patient();
    const { jobs } = await service(await open(), { run });
    const id = await accepted(jobs);
    await started();
    for (let step = 1; step <= 50; step += 1) works[0]!.onProgress(step / 100, `stroke ${step}`);
    await vi.waitFor(
      async () => expect(await jobs.find(id)).toMatchObject({ progress: 0.5, message: 'stroke 50' }),
      { timeout: 45_000 },
    );
    expect((await jobs.find(id))?.secondsLeft).toBeGreaterThan(0);
    finish();
    await ended(jobs, id);
  });

  test('a failure is told as the caller would have been told, and gives back what is held', async () => {
    const { jobs, released } = await service(await open(), {
      run: () => Promise.reject(new AtelierError('unsuitable_image')),
    });
    const id = await accepted(jobs);
    const job = await ended(jobs, id);
    expect(job).toMatchObject({ state: 'failed', problem: { code: 'unsuitable_image' } });
    expect(released).toEqual([id]);
  });

  test('a running job is canceled at once, and only once', async () => {
    const { run, works, started } = patient();
    const { jobs, released } = await service(await open(), { run });
    const id = await accepted(jobs);
    await started();
    expect(await jobs.cancel(id)).toBe(true);
    expect(works[0]!.signal.aborted).toBe(true);
    expect(await jobs.cancel(id)).toBe(false);
    expect(await jobs.find(id)).toMatchObject({ state: 'canceled', progress: 0 });
    expect(released).toEqual([id]);
  });

  test('a job canceled through another server stops within seconds', async () => {
    const database = await open();
    const { run, works, started } = patient();
    const here = await service(database, { run });
    const there = await service(database);
    const id = await accepted(here.jobs);
    await started();
    await there.jobs.cancel(id);
    await vi.waitFor(() => expect(works[0]!.signal.aborted).toBe(true), { timeout: 45_000 });
  });

  test('what has been canceled in the queue never runs', async () => {
    const { run, works, started, finish } = patient();
    const { jobs } = await service(await open(), { run });
    const ids = [await accepted(jobs), await accepted(jobs), await accepted(jobs)];
    await started(2);
    expect(await jobs.find(ids[2]!)).toMatchObject({ state: 'queued', place: 1 });
    await jobs.cancel(ids[2]!);
    finish();
    await Promise.all(ids.map((id) => ended(jobs, id)));
    await sleep(2500);
    expect(works.length).toBe(2);
  });

  test('a server that stops gives its job back, and the next one finishes it', async () => {
    const database = await open();
    const blobs = memoryBlobs();
    const first = patient();
    const stopping = await service(database, { run: first.run, blobs });
    const id = await accepted(stopping.jobs);
    await first.started();
    await stopping.jobs.close();
    expect(await stopping.jobs.find(id)).toMatchObject({ state: 'queued', progress: 0, runAt: null });
    const next = await service(database, { run: (work) => work.keep('{}'), blobs });
    expect(await ended(next.jobs, id)).toMatchObject({ state: 'succeeded' });
    expect([...stopping.released, ...next.released]).toEqual([]);
  });

  test('delivered twice, a job is answered by the later run alone', async () => {
    const database = await open();
    const { run, works, started, finish } = patient();
    const { jobs, blobs } = await service(database, { run });
    const id = await accepted(jobs);
    await started();
    // As if this server had been silent for too long: the job goes to another, and this one still works on.
    await database.query('update jobs set attempt = attempt + 1 where id = $1', [id]);
    finish();
    await sleep(1500);
    expect(await jobs.find(id)).toMatchObject({ state: 'running', resultSha256: null });
    expect(works[0]!.signal.aborted).toBe(true);
    expect([...blobs.blobs.values()].length).toBeGreaterThan(0);
  });

  test('an answer that was kept before the server died is settled, not worked out again', async () => {
    const database = await open();
    const blobs = memoryBlobs();
    const settled: (string | undefined)[] = [];
    let isFirst = true;
    const { jobs, released } = await service(database, {
      blobs,
      run: async (work) => {
        settled.push(work.answer);
        if (work.answer === undefined) await work.keep('{"painted":1}');
        if (isFirst) {
          isFirst = false;
          throw new Error('the database went away while the money moved');
        }
      },
    });
    const id = await accepted(jobs);
    expect(await ended(jobs, id)).toMatchObject({ state: 'succeeded' });
    expect(settled).toEqual([undefined, '{"painted":1}']);
    expect(await jobs.cancel(id)).toBe(false);
    expect(released).toEqual([]);
  });

  test('a job that the server does not survive is given up after the third time', async () => {
    const database = await open();
    const { jobs, released } = await service(database);
    const id = await accepted(jobs);
    await database.query(`update jobs set state = 'running', attempt = 3, crashes = 2, run_at = now()`);
    await jobs.work((work) => work.keep('{}'));
    expect(await ended(jobs, id)).toMatchObject({ state: 'failed', problem: { code: 'internal_error' } });
    expect(released).toEqual([id]);
  });

  test('a caller may have so many jobs, and all callers so many together', async () => {
    const { jobs } = await service(await open());
    const other = { countedAs: 'ip:2', address: '2', requestId: 'req_2' };
    for (let count = 0; count < LIMITS.perCaller; count += 1) await accepted(jobs);
    await expect(accepted(jobs)).rejects.toMatchObject({ code: 'too_many_jobs', status: 429 });
    for (let count = LIMITS.perCaller; count < LIMITS.inAll; count += 1)
      await accepted(jobs, { caller: other });
    const third = { ...other, countedAs: 'ip:3' };
    await expect(accepted(jobs, { caller: third })).rejects.toMatchObject({ code: 'busy', status: 503 });
  });

  test('of many at once no more are taken than there is room for', async () => {
    const { jobs } = await service(await open());
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => accepted(jobs)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(LIMITS.perCaller);
  });

  test('a job that never got its turn is given up and gives back what it holds', async () => {
    const { jobs, released } = await service(await open());
    const id = await accepted(jobs);
    await jobs.sweep(new Date(Date.now() + JOB_LIFETIME_MS + 1000));
    expect(await jobs.find(id)).toMatchObject({ state: 'failed', problem: { code: 'timed_out' } });
    expect(released).toEqual([id]);
  });

  test('only what no job holds is given back: after a while, and at a start', async () => {
    const database = await open();
    const wallets = createWallets(database);
    const { jobs } = await service(database);
    const wallet = `0x${'3'.repeat(40)}`;
    await wallets.register(wallet);
    const job = newJob(jobs);
    const expiresAt = new Date(Date.now() + JOB_LIFETIME_MS);
    const hold = (id: string) => wallets.hold({ id, wallet, amount: 1000, tool: 'paint', expiresAt });
    const held = async () => (await wallets.find(wallet))?.held;
    await Promise.all([jobs.newId(), job.id].map(hold));
    await jobs.accept(job, undefined);
    await jobs.sweep(new Date());
    const young = await held();
    await jobs.sweep(new Date(Date.now() + UNUSED_HOLD_AGE_MS + 1000));
    const old = await held();
    await hold('call_1');
    await wallets.expireHolds(new Date(), true);
    expect([young, old, await held()]).toEqual([2000, 1000, 1000]);
  });

  test('an id that is none names nothing', async () => {
    const { jobs } = await service(await open());
    const ids = ['', 'job_', "job_' or true --", `job_${'a'.repeat(33)}`, `job_${'A'.repeat(32)}`, '../x'];
    expect(await Promise.all(ids.map((id) => jobs.find(id)))).toEqual(ids.map(() => undefined));
    expect(await Promise.all(ids.map((id) => jobs.cancel(id)))).toEqual(ids.map(() => false));
  });
});
