import { afterEach, expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import {
  accepted,
  closeJobServices,
  ended,
  jobService,
  newJob,
  patient,
} from '../../../tests/support/job_service.ts';
import type { Queryable } from '../database/types.ts';
import type { RunJob } from './types.ts';

afterEach(closeJobServices);

const ROOMY = { atOnce: 1, atOnceOfAddress: 1, perCaller: 20, perAddress: 20, inAll: 40 };
const from = (address: string, wallet?: string) => ({
  caller: { countedAs: wallet ?? `ip:${address}`, address, requestId: 'req_1', ...(wallet && { wallet }) },
});

forEachDatabase((_, open) => {
  test('a wallet of weight 2 runs two jobs per round, and no wallet misses a round', async () => {
    const { run, works, started, finish } = patient();
    const database = await open();
    const [paying, other] = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`);
    await database.query(`insert into wallet_tiers (wallet, tier, changed_at) values ($1, 'gold', now())`, [
      paying,
    ]);
    await database.query(`insert into queue_weights (who, weight) values ('gold', 2)`);
    const { jobs } = await jobService(database, { run, limits: ROOMY });
    await accepted(jobs, from('first'));
    await started();
    for (const _ of [1, 2, 3, 4, 5, 6]) await accepted(jobs, from('paying', paying));
    for (const _ of [1, 2, 3]) await accepted(jobs, from('other', other));
    finish();
    await started(10);
    const order = works.map(({ caller }) => caller.address);
    const round = ['paying', 'paying', 'other'];
    expect(order).toEqual(['first', ...round, ...round, ...round]);
  });

  test('an API key of weight 2 runs two jobs per round, another key of its wallet one', async () => {
    const { run, works, started, finish } = patient();
    const database = await open();
    const [paying, other] = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`);
    await database.query(`insert into queue_weights (who, weight) values ('key_fast', 2)`);
    const { jobs } = await jobService(database, { run, limits: ROOMY });
    const withKey = (id: string) => {
      const { caller } = from(id, paying);
      const key = { id, name: 'agent', scopes: ['spend'] as const };
      return { caller: { ...caller, proof: { wallet: paying!, by: 'key' as const, key } } };
    };
    await accepted(jobs, from('first'));
    await started();
    for (const _ of [1, 2, 3, 4]) await accepted(jobs, withKey('key_fast'));
    for (const _ of [1, 2]) await accepted(jobs, withKey('key_slow'));
    for (const _ of [1, 2]) await accepted(jobs, from('other', other));
    finish();
    await started(9);
    const order = works.map(({ caller }) => caller.address);
    const round = ['key_fast', 'key_fast', 'key_slow', 'other'];
    expect(order).toEqual(['first', ...round, ...round]);
  });

  test('behind one address, a wallet of weight 2 gets two slots for each slot of another wallet', async () => {
    const { run, works, started, finish } = patient();
    const database = await open();
    const [paying, other] = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`);
    await database.query(`insert into queue_weights (who, weight) values ($1, 2)`, [paying]);
    const { jobs } = await jobService(database, { run, limits: ROOMY });
    await accepted(jobs, from('first'));
    await started();
    for (const _ of [1, 2, 3]) await accepted(jobs, from('office', other));
    for (const _ of [1, 2, 3, 4]) await accepted(jobs, from('office', paying));
    finish();
    await started(8);
    const order = works.map(({ caller }) => caller.wallet);
    expect(order.slice(1, 7).filter((wallet) => wallet === paying)).toHaveLength(4);
    expect(order.slice(1, 4)).toContain(other);
  });

  test('one client with many jobs or wallets does not delay other clients', async () => {
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

  test('a new client is next in a long queue, and is shown that position', async () => {
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

  test('one address never occupies all job slots', async () => {
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

  test('one wallet with many jobs does not delay another wallet at the same address', async () => {
    const { run, works, started, finish } = patient();
    const { jobs } = await jobService(await open(), { run, limits: ROOMY });
    const [many, one] = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`);
    for (const _ of [1, 2, 3, 4]) await accepted(jobs, from('office', many));
    await started();
    const first = await accepted(jobs, from('office', one));
    await accepted(jobs, from('office', one));
    expect((await jobs.find(first))?.place).toBe(2);
    finish();
    await started(6);
    const order = works.map(({ caller }) => caller.wallet?.[2]).join('');
    expect(order).toBe('112121');
  });

  test('with two servers, a thousand queued jobs delay another caller by one slot', async () => {
    const database = await open();
    const limits = { ...ROOMY, perCaller: 2000, perAddress: 2000, inAll: 2000 };
    const { jobs, blobs } = await jobService(database, { limits });
    const crowd = await accepted(jobs, from('crowd', `0x${'1'.repeat(40)}`));
    await multiplyJob(database, crowd, 999);
    const late = await accepted(jobs, from('alone', `0x${'2'.repeat(40)}`));
    const began: string[] = [];
    const run: RunJob = async (work) => {
      began.push(work.caller.address);
      await work.keep('{}');
    };
    const servers = await Promise.all([1, 2].map(() => jobService(database, { run, blobs, limits })));
    await ended(jobs, late);
    await Promise.all(servers.map((server) => server.jobs.close()));
    expect(began.indexOf('alone')).toBeLessThan(4);
  });

  test('a slow tool does not delay a new caller, whatever ran for other tools', async () => {
    const { run, works, started, finish } = patient();
    const database = await open();
    const setup = { run, limits: { ...ROOMY, atOnceOfAddress: 9 } };
    const { jobs, blobs } = await jobService(database, { limits: ROOMY });
    for (const _ of [1, 2, 3]) await accepted(jobs, { ...from('crowd'), tool: 'carve' });
    const quick: RunJob = (work) => work.keep('{}');
    const painters = await jobService(database, { run: quick, tools: ['paint'], blobs, limits: ROOMY });
    let painted = '';
    for (const _ of [1, 2, 3, 4, 5]) painted = await accepted(jobs, { ...from('keen'), tool: 'paint' });
    await ended(painters.jobs, painted);
    await accepted(jobs, { ...from('late'), tool: 'carve' });
    await jobService(database, { ...setup, tools: ['carve'], blobs });
    finish();
    await started(4);
    expect(works.map(({ caller }) => caller.address)).toEqual(['crowd', 'late', 'crowd', 'crowd']);
  });
});

/** Simulates more jobs of the same caller. */
const multiplyJob = (database: Queryable, id: string, count: number): Promise<unknown> =>
  database.query(
    `insert into jobs (id, tool, caller, wallet, address, request_id, warnings, input_sha256, pictures, created_at,
       expires_at, turn, caller_turn)
     select 'job_' || lpad(to_hex(n), 32, '0'), tool, caller, wallet, address, request_id, warnings, input_sha256, pictures,
       created_at, expires_at, turn + n, caller_turn + n from jobs, generate_series(1, $2::int) n where id = $1`,
    [id, count],
  );
