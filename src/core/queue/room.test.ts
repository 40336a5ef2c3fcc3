import { afterEach, expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import {
  accepted,
  closeJobServices,
  jobService,
  LIMITS,
  newJob,
} from '../../../tests/support/job_service.ts';
import { createWallets } from '../../features/wallets/wallets.ts';
import { JOB_LIFETIME_MS, UNUSED_HOLD_AGE_MS } from './limits.ts';

afterEach(closeJobServices);

forEachDatabase((_, open) => {
  test('jobs are limited per caller and in total', async () => {
    const { jobs } = await jobService(await open());
    const other = { countedAs: 'ip:2', address: '2', requestId: 'req_2' };
    for (let count = 0; count < LIMITS.perCaller; count += 1) await accepted(jobs);
    await expect(accepted(jobs)).rejects.toMatchObject({ code: 'too_many_jobs', status: 429 });
    for (let count = LIMITS.perCaller; count < LIMITS.inAll; count += 1)
      await accepted(jobs, { caller: other });
    const third = { ...other, countedAs: 'ip:3' };
    await expect(accepted(jobs, { caller: third })).rejects.toMatchObject({ code: 'busy', status: 503 });
  });

  test('jobs are limited per address, whatever the wallets', async () => {
    const { jobs } = await jobService(await open(), { limits: { perAddress: 2 } });
    const from = (wallet: string) => ({ countedAs: wallet, wallet, address: '1', requestId: 'req_1' });
    for (const digit of ['1', '2']) await accepted(jobs, { caller: from(`0x${digit.repeat(40)}`) });
    await expect(accepted(jobs, { caller: from(`0x${'3'.repeat(40)}`) })).rejects.toMatchObject({
      code: 'too_many_jobs',
      message: expect.stringContaining('Your IP address has'),
    });
  });

  test('concurrent submissions are accepted only up to the limit', async () => {
    const { jobs } = await jobService(await open());
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => accepted(jobs)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(LIMITS.perCaller);
  });

  test('a job that never started expires and releases its hold', async () => {
    const { jobs, released } = await jobService(await open());
    const id = await accepted(jobs);
    await jobs.sweep(new Date(Date.now() + JOB_LIFETIME_MS + 1000));
    expect(await jobs.find(id)).toMatchObject({ state: 'failed', problem: { code: 'timed_out' } });
    expect(released).toEqual([id]);
  });

  test('only holds without a job are released, after a delay and at startup', async () => {
    const database = await open();
    const wallets = createWallets(database);
    const { jobs } = await jobService(database);
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

  test('an invalid id finds no job', async () => {
    const { jobs } = await jobService(await open());
    const ids = ['', 'job_', "job_' or true --", `job_${'a'.repeat(33)}`, `job_${'A'.repeat(32)}`, '../x'];
    expect(await Promise.all(ids.map((id) => jobs.find(id)))).toEqual(ids.map(() => undefined));
    expect(await Promise.all(ids.map((id) => jobs.cancel(id)))).toEqual(ids.map(() => false));
  });
});
