import { afterEach, expect, test, vi } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import {
  ANY_JOB,
  accepted,
  closeJobServices,
  jobService,
  newJob,
  patient,
} from '../../../tests/support/job_service.ts';
import { WAIT_MS_MAX } from '../../../tests/support/wait_ms_max.ts';
import type { Queryable, ScriptableDatabase } from '../database/types.ts';
import { HEADS_OF_TOOL, POSITIONS_COUNTED_MAX } from './limits.ts';
import { claim } from './store.ts';

afterEach(closeJobServices);

const ROOMY = { perCaller: 1e6, perAddress: 1e6, inAll: 1e6 };
const from = (address: string) => ({ caller: { countedAs: `ip:${address}`, address, requestId: 'req_1' } });
const nextOf = (database: Queryable, wanted = {}) =>
  claim(database, { ...ANY_JOB, ...wanted }, { at: new Date(), leaseMs: 30_000 });

/** Queued jobs, one of each address, all in the same round. */
const fill = (database: Queryable, count: number) =>
  database.query(
    `insert into jobs (id, tool, caller, address, request_id, warnings, input_sha256, pictures, created_at, expires_at)
     select 'job_' || md5(n::text), 'tool ' || n % 3, 'ip:' || n, n::text, 'req', '[]', repeat('a', 64), '[]',
       now() - interval '1 minute', now() + interval '1 hour' from generate_series(1, $1::integer) n`,
    [count],
  );

forEachDatabase((_, open) => {
  test('positions in a long queue are estimated, and totals and ages are reported', async () => {
    const database = await open();
    const count = 3 * POSITIONS_COUNTED_MAX;
    await fill(database, count);
    const { jobs } = await jobService(database, { limits: ROOMY });
    const placeOf = async (nth: number) => {
      const [row] = await database.query<{ id: string }>(`select id from jobs where address = $1::text`, [
        String(nth),
      ]);
      return (await jobs.find(row!.id))!.place!;
    };
    for (const nth of [1, count / 2, count])
      expect(Math.abs((await placeOf(nth)) - nth)).toBeLessThan(count / 50);
    const waiting = await jobs.waiting();
    expect(waiting.map((one) => one.count)).toEqual([count / 3, count / 3, count / 3]);
    expect(Math.min(...waiting.map(({ oldestSeconds }) => oldestSeconds))).toBeGreaterThanOrEqual(60);
    const behind = (await jobs.preview(newJob(jobs, from('new')))).place!;
    expect(Math.abs(behind - count)).toBeLessThan(count / 50);
  });

  test('jobs at a limit, excluded or already local do not hide the jobs behind them', async () => {
    const database = await open();
    await fill(database, 10 * HEADS_OF_TOOL);
    const rows = await database.query<{ id: string; address: string }>(
      `select id, address from jobs where tool = 'tool 1' order by position limit $1`,
      [2 * HEADS_OF_TOOL],
    );
    const tools = ['tool 1'];
    const behind = (wanted: object) => nextOf(database, { tools, ...wanted }).then((row) => row?.id);
    const [full, here] = [rows.slice(0, HEADS_OF_TOOL), rows.slice(HEADS_OF_TOOL)];
    const claimed = await behind({
      fullAddresses: full.map(({ address }) => address),
      but: here.map(({ id }) => id),
    });
    expect(rows.map(({ id }) => id)).not.toContain(claimed);
    expect(claimed).toBeDefined();
    expect((await nextOf(database, { excludedTools: ['tool 0', 'tool 1'] }))?.tool).toBe('tool 2');
  });

  test('concurrent claimers get one job each, the oldest first', async () => {
    const database = await open();
    await fill(database, 200);
    const claimed = await Promise.all(Array.from({ length: 24 }, () => nextOf(database)));
    const ids = claimed.map((row) => row?.id);
    expect([new Set(ids).size, ids.includes(undefined)]).toEqual([24, false]);
    const [row] = await database.query<{ last: number }>(
      `select max(place) as last from (
         select state, row_number() over (order by position) as place from jobs) j where state = 'running'`,
    );
    expect(row!.last).toBeLessThan(60);
  });

  test('accepting a job for one address does not block other addresses', async () => {
    const database = await open();
    if (database.kind === 'embedded') return; // One session: every transaction waits for the one before.
    const { jobs } = await jobService(database, { limits: ROOMY });
    const held = Promise.withResolvers<void>();
    const holding = Promise.withResolvers<void>();
    const slow: ScriptableDatabase = {
      ...database,
      transaction: (work) =>
        database.transaction(async (tx) => {
          const result = await work(tx);
          holding.resolve();
          await held.promise;
          return result;
        }),
    };
    const { jobs: elsewhere } = await jobService(slow, { limits: ROOMY });
    const first = accepted(elsewhere, from('a'));
    await holding.promise;
    await accepted(jobs, from('b'));
    let isAccepted = false;
    const same = accepted(jobs, from('a')).then(() => {
      isAccepted = true;
    });
    await accepted(jobs, from('c'));
    expect(isAccepted).toBe(false);
    held.resolve();
    await Promise.all([first, same]);
  });

  test('a progress report changes no indexed column, which allows a heap-only update', async () => {
    const database = await open();
    const { run, works, started, finish } = patient();
    const { jobs } = await jobService(database, { run });
    const id = await accepted(jobs);
    await started();
    const columns = await database.query<{ name: string }>(
      `select distinct a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid
       where i.indrelid = 'jobs'::regclass and (a.attnum = any(i.indkey) or pg_get_expr(i.indpred, i.indrelid) ~ a.attname::text)`,
    );
    const written = ['progress', 'message', 'free_at'];
    expect(columns.map(({ name }) => name).filter((name) => written.includes(name))).toEqual([]);
    works[0]!.onProgress(0.4, 'halfway');
    await vi.waitFor(
      async () => expect(await jobs.find(id)).toMatchObject({ progress: expect.closeTo(0.4) }),
      {
        timeout: WAIT_MS_MAX,
      },
    );
    finish();
  });
});
