import { afterEach, expect, test, vi } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import {
  accepted,
  closeJobServices,
  ended,
  jobService,
  newJob,
  patient,
} from '../../../tests/support/job_service.ts';

// The first job of a database makes the tables of the queue.
vi.setConfig({ testTimeout: 60_000 });
afterEach(closeJobServices);

const ROOMY = { atOnce: 1, atOnceOfAddress: 1, perCaller: 20, perAddress: 20, inAll: 40 };
const from = (address: string, wallet?: string) => ({
  caller: { countedAs: wallet ?? `ip:${address}`, address, requestId: 'req_1', ...(wallet && { wallet }) },
});

forEachDatabase((_, open) => {
  test('who has many jobs does not hold up who has one, nor do many wallets help', async () => {
    const { run, works, started, finish } = patient();
    const { jobs } = await jobService(await open(), { run, limits: ROOMY });
    await accepted(jobs, from('first'));
    await started();
    const wallets = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`);
    for (const wallet of wallets) await accepted(jobs, from('crowd', wallet));
    await accepted(jobs, from('crowd'));
    await accepted(jobs, from('alone'));
    const fourth = await accepted(jobs, from('pair'));
    await accepted(jobs, from('pair'));
    expect((await jobs.find(fourth))?.place).toBe(3);
    finish();
    await started(8);
    const order = works.map(({ caller }) => caller.address);
    expect(order).toEqual(['first', 'crowd', 'alone', 'pair', 'crowd', 'pair', 'crowd', 'crowd']);
  });

  test('who comes while a long queue is worked on is next, and is told so', async () => {
    const { run, started, finish } = patient();
    const { jobs } = await jobService(await open(), { run, limits: ROOMY });
    await accepted(jobs, from('crowd'));
    await started();
    for (const _ of [1, 2, 3]) await accepted(jobs, from('crowd'));
    expect((await jobs.preview(newJob(jobs, from('late')))).place).toBe(1);
    const late = await accepted(jobs, from('late'));
    expect((await jobs.find(late))?.place).toBe(1);
    finish();
  });

  test('one address never has every place where jobs are worked on', async () => {
    const { run, works, started, finish } = patient();
    const limits = { ...ROOMY, atOnce: 2 };
    const { jobs } = await jobService(await open(), { run, limits });
    for (const _ of [1, 2, 3]) await accepted(jobs, from('crowd'));
    await started(1);
    const late = await accepted(jobs, from('late'));
    await started(2);
    expect(works.map(({ caller }) => caller.address)).toEqual(['crowd', 'late']);
    finish();
    await ended(jobs, late);
  });
});
