import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import {
  accepted,
  closeJobServices,
  ended,
  jobService,
  patient,
} from '../../../tests/support/job_service.ts';
import { WAIT_MS_MAX } from '../../../tests/support/wait_ms_max.ts';
import { RESULT_LIFETIME_MS } from '../../config/limits.ts';
import { blobsInUse } from '../../features/operator/backups/blobs_in_use.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { comparedWithFirst } from './jobs.ts';
import type { JobWork } from './types.ts';

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
