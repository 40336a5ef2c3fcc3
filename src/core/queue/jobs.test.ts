import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import {
  accepted,
  closeJobServices,
  ended,
  jobService,
  LIMITS,
  memoryBlobs,
  patient,
} from '../../../tests/support/job_service.ts';
import { WAIT_MS_MAX } from '../../../tests/support/wait_ms_max.ts';
import { RESULT_LIFETIME_MS } from '../../config/limits.ts';
import { blobsInUse } from '../../features/operator/backups/blobs_in_use.ts';
import type { Queryable, ScriptableDatabase } from '../database/types.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { claimJobs, comparedWithFirst } from './jobs.ts';
import type { JobWork, QueueDeps, RunJob } from './types.ts';

afterEach(closeJobServices);

forEachDatabase((_, open) => {
  test('a job runs with the sent input, and its response is stored', async () => {
    const seen: JobWork[] = [];
    const { jobs, released } = await jobService(await open(), {
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

  test('input and images are stored while the job exists, and its result for one day', async () => {
    const { run, started, finish } = patient();
    const database = await open();
    const { jobs, blobs } = await jobService(database, { run });
    const id = await accepted(jobs);
    await started();
    const whileRunning = await blobsInUse(database, [...blobs.blobs.keys()]);
    finish();
    const { resultSha256, expiresAt } = await ended(jobs, id);
    expect(whileRunning.size).toBe(2);
    expect(await blobsInUse(database, [...blobs.blobs.keys()])).toEqual(new Set([resultSha256]));
    expect(await jobs.sweep(new Date(expiresAt.getTime() - 1000))).toBe(0);
    expect(await jobs.sweep(new Date(Date.now() + RESULT_LIFETIME_MS + 1000))).toBe(1);
    expect(await jobs.find(id)).toBeUndefined();
  });

  test('progress is written at most once a second and includes the remaining time', async () => {
    const { run, works, started, finish } = patient();
    const { jobs } = await jobService(await open(), { run });
    const id = await accepted(jobs);
    await started();
    for (let step = 1; step <= 50; step += 1) works[0]!.onProgress(step / 100, `stroke ${step}`);
    await vi.waitFor(
      async () => expect(await jobs.find(id)).toMatchObject({ progress: 0.5, message: 'stroke 50' }),
      { timeout: WAIT_MS_MAX },
    );
    expect((await jobs.find(id))?.secondsLeft).toBeGreaterThan(0);
    finish();
    await ended(jobs, id);
  });

  test('runs of similar size predict the duration of a job, otherwise runs of any size', async () => {
    const { jobs } = await jobService(await open(), {
      run: async (work) => {
        await sleep(work.input.slow ? 1500 : 0);
        await work.keep('{}');
      },
    });
    await ended(jobs, await accepted(jobs, { megapixels: 1 }));
    await ended(jobs, await accepted(jobs, { megapixels: 24, input: { slow: true } }));
    const seconds = (megapixels?: number) => jobs.typicalSeconds({ tool: 'paint', megapixels });
    expect(await seconds(1.5)).toBeLessThan(1);
    expect(await seconds(20)).toBeGreaterThan(1.4);
    expect(await seconds()).toBeGreaterThan(0);
    expect(await jobs.typicalSeconds({ tool: 'carve' })).toBeNull();
  });

  test('short input is stored in the job row, and long input in a blob', async () => {
    const { run, finish } = patient();
    const { jobs } = await jobService(await open(), { run });
    const short = await accepted(jobs, { input: { colour: 'red' } });
    const long = await accepted(jobs, { input: { text: 'x'.repeat(40_000) } });
    expect(await jobs.paramsOf(short)).toEqual({ colour: 'red' });
    expect([await jobs.paramsOf(long), await jobs.paramsOf('job_x')]).toEqual([undefined, undefined]);
    finish();
    await Promise.all([short, long].map((id) => ended(jobs, id)));
  });

  test('a failure is stored as the error response of the call and releases the hold', async () => {
    const { jobs, released } = await jobService(await open(), {
      run: () => Promise.reject(new AtelierError('unsuitable_image')),
    });
    const id = await accepted(jobs);
    const job = await ended(jobs, id);
    expect(job).toMatchObject({ state: 'failed', problem: { code: 'unsuitable_image' } });
    expect(released).toEqual([id]);
  });

  test.each(['storage_unavailable', 'storage_full'] as const)(
    'a job that fails with %s is retried and fails only after many attempts',
    async (code) => {
      const database = await open();
      let isAway = true;
      const { jobs, released } = await jobService(database, {
        run: async ({ keep }) => {
          if (isAway) throw new AtelierError(code);
          await keep('{}');
        },
      });
      const id = await accepted(jobs);
      const givenBack = () =>
        vi.waitFor(async () => {
          const [row] = await database.query('select state, attempt from jobs where id = $1', [id]);
          expect(row).toEqual({ state: 'queued', attempt: 1 });
        }, WAIT_MS_MAX);
      await givenBack();
      expect(released).toEqual([]);
      const last = await accepted(jobs);
      await database.query('update jobs set attempt = 19, free_at = now() where id = $1', [last]);
      expect(await ended(jobs, last)).toMatchObject({ state: 'failed', problem: { code } });
      expect(released).toEqual([last]);
      isAway = false;
      await database.query('update jobs set free_at = now() where id = $1', [id]);
      expect(await ended(jobs, id)).toMatchObject({ state: 'succeeded' });
    },
  );

  test('a job does not end if its hold cannot be released', async () => {
    const { run, started } = patient();
    const release = () => Promise.reject(new Error('The ledger is not there.'));
    const { jobs } = await jobService(await open(), { run, release });
    const id = await accepted(jobs);
    await started();
    await expect(jobs.cancel(id)).rejects.toThrow('ledger');
    expect(await jobs.find(id)).toMatchObject({ state: 'running' });
  });

  test('a running job is canceled immediately and only once', async () => {
    const { run, works, started } = patient();
    const { jobs, released } = await jobService(await open(), { run });
    const id = await accepted(jobs);
    await started();
    expect(await jobs.cancel(id)).toBe(true);
    expect(works[0]!.signal.aborted).toBe(true);
    expect(await jobs.cancel(id)).toBe(false);
    expect(await jobs.find(id)).toMatchObject({ state: 'canceled', progress: 0 });
    expect(released).toEqual([id]);
  });

  test('a job canceled in the queue never runs', async () => {
    const { run, works, started, finish } = patient();
    const { jobs } = await jobService(await open(), { run });
    const ids = [await accepted(jobs), await accepted(jobs), await accepted(jobs)];
    await started(2);
    expect(await jobs.find(ids[2]!)).toMatchObject({ state: 'queued', place: 1 });
    await jobs.cancel(ids[2]!);
    finish();
    await Promise.all(ids.map((id) => ended(jobs, id)));
    await sleep(2500);
    expect(works.length).toBe(2);
  });
});

test.each([
  ['a lower estimate is reported', 4, 5, 4, false],
  ['a slightly higher estimate keeps the previous value', 6, 5, 5, false],
  ['a much higher estimate is reported as late', 30, 5, 30, true],
  ['a job past its first estimate is late, even with an unknown remaining time', null, -5, null, true],
  ['a job just past its first estimate is not late', null, -1, 1, false],
])('%s', (_what, left, promised, secondsLeft, isLate) => {
  const createdAt = new Date(0);
  const at = new Date((10 - promised) * 1000);
  expect(comparedWithFirst(left, { expectedSeconds: 10, createdAt, at })).toEqual({ secondsLeft, isLate });
});

afterEach(closeJobServices);

const LEASE_MS = 1500;
const quick: RunJob = (work) => work.keep('{"by":"another"}');

const isLacking = (error: unknown): boolean =>
  error instanceof AtelierError && error.code === 'model_unavailable';

/** The same database, with a connection that can be cut for one process. */
function cutOff(database: ScriptableDatabase) {
  const line = { isCut: false };
  const away = new AtelierError('database_unavailable', 'cut');
  const through =
    (queryable: Queryable): Queryable['query'] =>
    async (text, values) => {
      if (line.isCut) throw away;
      return queryable.query(text, values);
    };
  const cut: ScriptableDatabase = { ...database, kind: 'postgresql', query: through(database) };
  return { line, database: cut };
}

forEachDatabase((kind, open) => {
  test('a worker claims only jobs of its own tools', async () => {
    const database = await open();
    const { run, works, started, finish } = patient();
    const { jobs } = await jobService(database, { run, tools: ['carve'] });
    const painting = await accepted(jobs, { tool: 'paint' });
    await accepted(jobs, { tool: 'carve' });
    await started();
    finish();
    expect([works[0]!.tool, (await jobs.find(painting))?.state]).toEqual(['carve', 'queued']);
  });

  test('a job due in a year (clock set back) is claimed, a delayed job is not', async () => {
    const database = await open();
    const { run, works, started, finish } = patient();
    const { jobs } = await jobService(database, { run, tools: ['carve'] });
    const queueUntil = async (tool: string, until: string) => {
      const id = await accepted(jobs, { tool });
      await database.query(`update jobs set free_at = now() + $2::interval, tool = 'carve' where id = $1`, [
        id,
        until,
      ]);
      return id;
    };
    const resting = await queueUntil('paint', '90 seconds');
    const ofNextYear = await queueUntil('paint', '1 year');
    await started();
    finish();
    expect(works.map(({ id }) => id)).toEqual([ofNextYear]);
    expect((await jobs.find(resting))?.state).toBe('queued');
  });

  test('the number and age of queued jobs are reported per tool', async () => {
    const { jobs } = await jobService(await open());
    for (const tool of ['paint', 'carve', 'paint']) await accepted(jobs, { tool });
    await sleep(50);
    const oldestSeconds = expect.toSatisfy((seconds: number) => seconds > 0.04 && seconds < 30);
    expect(await jobs.waiting()).toEqual([
      { tool: 'carve', count: 1, oldestSeconds },
      { tool: 'paint', count: 2, oldestSeconds },
    ]);
  });

  test('a job a worker lacks resources for is requeued for a capable worker', async () => {
    const database = await open();
    const blobs = memoryBlobs();
    const tried = vi.fn<RunJob>(() => Promise.reject(new AtelierError('model_unavailable', 'not here')));
    const poor = await jobService(database, {
      run: tried,
      shouldRequeue: isLacking,
      blobs,
      leaseMs: LEASE_MS,
    });
    const busy = patient();
    const rich = await jobService(database, { ...busy, blobs, leaseMs: LEASE_MS, limits: { atOnce: 1 } });
    await accepted(rich.jobs);
    await busy.started();
    await sleep(LEASE_MS);
    const id = await accepted(poor.jobs);
    const tries = () => tried.mock.calls.filter(([work]) => work.id === id).length;
    await vi.waitFor(() => expect(tries()).toBe(1), { timeout: WAIT_MS_MAX });
    await sleep(2500);
    expect([(await poor.jobs.find(id))?.state, tries()]).toEqual(['queued', 1]);
    busy.finish();
    expect(await ended(rich.jobs, id)).toMatchObject({ state: 'succeeded' });
    expect([...poor.released, ...rich.released]).toEqual([]);
  });

  test('a worker with lower quality leaves jobs to a fully capable worker while there is one', async () => {
    const database = await open();
    const blobs = memoryBlobs();
    const [worse, well] = [vi.fn<RunJob>(quick), vi.fn<RunJob>(quick)];
    const setup = { blobs, leaseMs: LEASE_MS };
    const poor = await jobService(database, { ...setup, run: worse, lacks: async () => ['paint'] });
    const alone = await accepted(poor.jobs);
    await ended(poor.jobs, alone);
    const rich = await jobService(database, { ...setup, run: well });
    await sleep(LEASE_MS);
    for (const _ of [1, 2, 3]) await ended(poor.jobs, await accepted(poor.jobs));
    await rich.jobs.close();
    await sleep(LEASE_MS);
    await ended(poor.jobs, await accepted(poor.jobs));
    expect([worse.mock.calls.length, well.mock.calls.length]).toEqual([2, 3]);
  });

  test('a job no other worker can run is run or refused locally', async () => {
    const lacking: RunJob = () => Promise.reject(new AtelierError('model_unavailable', 'not here'));
    const { jobs, released } = await jobService(await open(), { run: lacking, shouldRequeue: isLacking });
    const id = await accepted(jobs);
    expect(await ended(jobs, id)).toMatchObject({ state: 'failed', problem: { code: 'model_unavailable' } });
    expect(released).toEqual([id]);
  });

  test('a worker that was silent too long loses its job, and its late result is discarded', async () => {
    const database = await open();
    const blobs = memoryBlobs();
    const asleep = cutOff(database);
    const { run, works, started, finish } = patient();
    const outcome = Promise.withResolvers<unknown>();
    const sleeper = await jobService(asleep.database, {
      blobs,
      leaseMs: LEASE_MS,
      run: (work) => run(work).catch((error) => Promise.reject(outcome.resolve(error) ?? error)),
    });
    const id = await accepted(sleeper.jobs);
    await started();
    asleep.line.isCut = true;
    const awake = await jobService(cutOff(database).database, { run: quick, blobs, leaseMs: LEASE_MS });
    const job = await ended(awake.jobs, id);
    asleep.line.isCut = false;
    finish();
    await outcome.promise;
    await sleep(200);
    expect(works[0]!.signal.aborted).toBe(true);
    const now = await awake.jobs.find(id);
    expect(now).toEqual(job);
    expect(await awake.jobs.resultOf(now!)).toBe('{"by":"another"}');
    expect([...sleeper.released, ...awake.released]).toEqual([]);
  });

  test('a run longer than its lease keeps its job', async () => {
    const database = await open();
    const blobs = memoryBlobs();
    const { run, works, started, finish } = patient();
    const { jobs } = await jobService(cutOff(database).database, { run, blobs, leaseMs: 2 * LEASE_MS });
    const id = await accepted(jobs);
    await started();
    const other = vi.fn<RunJob>(quick);
    await jobService(cutOff(database).database, { run: other, blobs, leaseMs: 2 * LEASE_MS });
    await sleep(4 * LEASE_MS);
    finish();
    await ended(jobs, id);
    expect([works.length, other.mock.calls.length]).toEqual([1, 0]);
  });

  test('an interruption of the database loses no job', async () => {
    const database = await open();
    const blobs = memoryBlobs();
    const line = cutOff(database);
    const { run, works, started, finish } = patient();
    const { jobs, released } = await jobService(line.database, { run, blobs, leaseMs: LEASE_MS });
    const other = await jobService(line.database, { run: quick, blobs, leaseMs: LEASE_MS });
    const first = await accepted(jobs);
    await vi.waitFor(async () => expect((await jobs.find(first))?.state).not.toBe('queued'), WAIT_MS_MAX);
    line.line.isCut = true;
    await sleep(2 * LEASE_MS);
    line.line.isCut = false;
    finish();
    const after = await accepted(jobs);
    for (const id of [first, after]) expect((await ended(jobs, id)).state).toBe('succeeded');
    const rows = await database.query('select crashes from jobs where id = $1', [first]);
    expect(rows).toEqual([{ crashes: 0 }]);
    expect([...released, ...other.released]).toEqual([]);
    if (works.length > 0) await started(works.length);
  });

  test('the reason why jobs cannot be claimed is reported once per cause', async () => {
    const database = await open();
    const away = new AtelierError('busy', 'cut');
    let failure: Error | undefined = away;
    const claim = vi.fn(async () => {
      if (failure) throw failure;
      return undefined;
    });
    const report = vi.fn();
    const engine = { claim } as unknown as QueueDeps['engine'];
    const parts = { database, engine, report, limits: LIMITS, leaseMs: LEASE_MS } as unknown as QueueDeps;
    const taking = claimJobs(parts, {
      takers: { left: () => [] },
      tools: undefined,
      run: async () => 'ended',
    });
    const polls = async (count: number) => {
      const from = claim.mock.calls.length;
      await vi.waitFor(() => {
        taking.wake();
        expect(claim.mock.calls.length).toBeGreaterThanOrEqual(from + count);
      }, WAIT_MS_MAX);
    };
    await polls(4);
    failure = new Error('no such table');
    await polls(4);
    failure = undefined;
    await polls(2);
    failure = away;
    await polls(4);
    await taking.stop();
    expect(report.mock.calls.map(([error]) => error.message)).toEqual(['cut', 'no such table', 'cut']);
  });

  test(`a run restarts after a lost database connection, on ${kind}`, async () => {
    const lost = new AtelierError('database_unavailable', 'lost');
    const run = vi.fn<RunJob>(quick).mockRejectedValueOnce(lost);
    const { jobs, released } = await jobService(await open(), { run });
    const id = await accepted(jobs);
    expect(await ended(jobs, id)).toMatchObject({ state: 'succeeded' });
    expect([run.mock.calls.length, released]).toEqual([2, []]);
  });
});
