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
  test('a caller may have so many jobs, and all callers so many together', async () => {
    const { jobs } = await jobService(await open());
    const other = { countedAs: 'ip:2', address: '2', requestId: 'req_2' };
    for (let count = 0; count < LIMITS.perCaller; count += 1) await accepted(jobs);
    await expect(accepted(jobs)).rejects.toMatchObject({ code: 'too_many_jobs', status: 429 });
    for (let count = LIMITS.perCaller; count < LIMITS.inAll; count += 1)
      await accepted(jobs, { caller: other });
    const third = { ...other, countedAs: 'ip:3' };
    await expect(accepted(jobs, { caller: third })).rejects.toMatchObject({ code: 'busy', status: 503 });
  });

  test('an address may have so many jobs, whatever its wallets', async () => {
    const { jobs } = await jobService(await open(), { limits: { perAddress: 2 } });
    const from = (wallet: string) => ({ countedAs: wallet, wallet, address: '1', requestId: 'req_1' });
    for (const digit of ['1', '2']) await accepted(jobs, { caller: from(`0x${digit.repeat(40)}`) });
    await expect(accepted(jobs, { caller: from(`0x${'3'.repeat(40)}`) })).rejects.toMatchObject({
      code: 'too_many_jobs',
      message: expect.stringContaining('Your IP address has'),
    });
  });

  test('of many at once no more are taken than there is room for', async () => {
    const { jobs } = await jobService(await open());
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => accepted(jobs)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(LIMITS.perCaller);
  });

  test('a job that never got its turn is given up and gives back what it holds', async () => {
    const { jobs, released } = await jobService(await open());
    const id = await accepted(jobs);
    await jobs.sweep(new Date(Date.now() + JOB_LIFETIME_MS + 1000));
    expect(await jobs.find(id)).toMatchObject({ state: 'failed', problem: { code: 'timed_out' } });
    expect(released).toEqual([id]);
  });

  test('only what no job holds is given back: after a while, and at a start', async () => {
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

  test('an id that is none names nothing', async () => {
    const { jobs } = await jobService(await open());
    const ids = ['', 'job_', "job_' or true --", `job_${'a'.repeat(33)}`, `job_${'A'.repeat(32)}`, '../x'];
    expect(await Promise.all(ids.map((id) => jobs.find(id)))).toEqual(ids.map(() => undefined));
    expect(await Promise.all(ids.map((id) => jobs.cancel(id)))).toEqual(ids.map(() => false));
  });
});
