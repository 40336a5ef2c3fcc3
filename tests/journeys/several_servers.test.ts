import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { forEachDatabase } from '../support/for_each_database.ts';
import {
  accepted,
  closeJobServices,
  ended,
  jobService,
  memoryBlobs,
  patient,
} from '../support/job_service.ts';
import { WAIT_MS_MAX } from '../support/wait_ms_max.ts';

vi.setConfig({ testTimeout: 240_000 });
afterEach(closeJobServices);

forEachDatabase((_, open) => {
  test('a job canceled through another server stops within seconds', async () => {
    const database = await open();
    const { run, works, started } = patient();
    const here = await jobService(database, { run });
    const there = await jobService(database);
    const id = await accepted(here.jobs);
    await started();
    await there.jobs.cancel(id);
    await vi.waitFor(() => expect(works[0]!.signal.aborted).toBe(true), { timeout: WAIT_MS_MAX });
  });

  test('a stopping server requeues its job, and the next one finishes it', async () => {
    const database = await open();
    const blobs = memoryBlobs();
    const first = patient();
    const stopping = await jobService(database, { run: first.run, blobs });
    const id = await accepted(stopping.jobs);
    await first.started();
    await stopping.jobs.close();
    expect(await stopping.jobs.find(id)).toMatchObject({ state: 'queued', progress: 0, runAt: null });
    const next = await jobService(database, { run: (work) => work.keep('{}'), blobs });
    expect(await ended(next.jobs, id)).toMatchObject({ state: 'succeeded' });
    expect([...stopping.released, ...next.released]).toEqual([]);
  });

  test('only the later run of a job delivered twice provides its result', async () => {
    const database = await open();
    const { run, works, started, finish } = patient();
    const { jobs, blobs } = await jobService(database, { run });
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

  test('a result stored before a crash is settled without a rerun', async () => {
    const database = await open();
    const blobs = memoryBlobs();
    const settled: (string | undefined)[] = [];
    let isFirst = true;
    const { jobs, released } = await jobService(database, {
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

  test('a job that crashes its server is abandoned after the third attempt', async () => {
    const database = await open();
    const { jobs, released } = await jobService(database);
    const id = await accepted(jobs);
    await database.query(`update jobs set state = 'running', attempt = 3, crashes = 2, run_at = now()`);
    await jobs.work({ run: (work) => work.keep('{}') });
    expect(await ended(jobs, id)).toMatchObject({ state: 'failed', problem: { code: 'internal_error' } });
    expect(released).toEqual([id]);
  });
});
