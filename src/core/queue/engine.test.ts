import { afterEach, expect, test, vi } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { ANY_JOB, closeJobServices, LIMITS, newJob } from '../../../tests/support/job_service.ts';
import type { Signals } from '../database/signals.ts';
import type { ScriptableDatabase } from '../database/types.ts';
import { createTableEngine } from './jobs.ts';
import type { ClaimedRow, JobLimits, Jobs, NewJob, QueueEngine, Run } from './types.ts';

/** Contract tests for queue engines, through their methods only. Only `lapse` and `row` know the table. */

afterEach(closeJobServices);

const LEASE_MS = 30_000;
const RESULT = { sha256: 'a'.repeat(64), taken: undefined };
const PLACE = { principal: 'ip:1', route: 'POST /api/tools/paint', key: 'k' };
const STORED = { inputSha256: 'b'.repeat(64), pictures: [], bytes: 2 };
let count = 0;

function given(
  database: ScriptableDatabase,
  { limits = LIMITS, isHeld = true }: { limits?: JobLimits; isHeld?: boolean } = {},
) {
  const released: string[] = [];
  const signals = { send: vi.fn<Signals['send']>(), on: vi.fn<Signals['on']>() };
  const engine: QueueEngine = createTableEngine({
    database,
    limits,
    signals: signals as unknown as Signals,
    isHeld: async () => isHeld,
    release: async (_tx, id) => void released.push(id),
    clock: () => new Date(),
    leaseMs: LEASE_MS,
  });
  const accept = async (more: Partial<NewJob> = {}) => {
    count += 1;
    const id = `job_${String(count).padStart(32, '0')}`;
    await engine.accept(newJob({ newId: () => id } as Jobs, more), STORED, undefined);
    return id;
  };
  const claim = (wanted = {}) => engine.claim({ ...ANY_JOB, ...wanted });
  const row = async (id: string) =>
    (
      await database.query<Record<string, unknown>>(
        `select state, attempt, crashes, progress, result_sha256 as result, free_at > now() as held from jobs where id = $1`,
        [id],
      )
    )[0]!;
  const lapse = () => database.query(`update jobs set free_at = now() - interval '1 second'`);
  return { engine, released, signals, accept, claim, row, lapse };
}

type Given = ReturnType<typeof given>;

/** A job whose first run lost its lease, and whose second run is in progress. */
async function takenOver(database: ScriptableDatabase) {
  const all = given(database);
  const id = await all.accept();
  const first = (await all.claim())!;
  await all.lapse();
  const second = (await all.claim())!;
  return { ...all, id, first, second };
}

const UNTOUCHED = { state: 'running', attempt: 2, crashes: 1, progress: 0, result: null, held: true };

/** Changes that a run may make to its job; each returns whether it was applied. */
const ACTS: [string, (engine: QueueEngine, run: Run) => Promise<boolean>][] = [
  ['reports', (engine, run) => engine.report(run, { progress: 0.9, message: 'old' })],
  ['stores a result', (engine, run) => engine.keep(run, RESULT)],
  ['is requeued', (engine, run) => engine.requeue(run, { afterMs: 0 }).then(() => false)],
  [
    'fails',
    (engine, { id, attempt }) => engine.end(id, { outcome: 'failed', problem: { code: 'x' }, attempt }),
  ],
];

/** Endings of a job. */
const ENDS: [string, (given: Given, run: ClaimedRow) => Promise<boolean>][] = [
  [
    'succeeded',
    async ({ engine }, run) =>
      (await engine.keep(run, RESULT)) && engine.end(run.id, { outcome: 'succeeded' }),
  ],
  ['failed', ({ engine }, { id }) => engine.end(id, { outcome: 'failed', problem: { code: 'x' } })],
  ['canceled', ({ engine }, { id }) => engine.end(id, { outcome: 'canceled' })],
];

forEachDatabase((_, open) => {
  test('a job is claimed once, with the data it was accepted with', async () => {
    const { accept, claim } = given(await open());
    const id = await accept();
    const [one, other] = await Promise.all([claim(), claim()]);
    expect([one, other].filter(Boolean)).toEqual([
      expect.objectContaining({ id, attempt: 1, tool: 'paint', held: 2000, ...STORED, resultSha256: null }),
    ]);
  });

  test('a claim excludes other tools, addresses at their limit and named jobs', async () => {
    const { accept, claim } = given(await open());
    const id = await accept();
    for (const wanted of [
      { tools: ['carve'] },
      { excludedTools: ['paint'] },
      { fullAddresses: ['1'] },
      { but: [id] },
    ])
      expect(await claim(wanted)).toBeUndefined();
    expect(await claim()).toMatchObject({ id });
  });

  test('callers and addresses have limits, and refused jobs are not queued', async () => {
    const { accept, claim } = given(await open(), { limits: { ...LIMITS, perCaller: 1 } });
    await accept();
    await expect(accept()).rejects.toMatchObject({ code: 'too_many_jobs' });
    expect([await claim(), await claim()]).toEqual([expect.anything(), undefined]);
  });

  test('a job and its response under an idempotency key are stored atomically', async () => {
    const database = await open();
    const { engine, claim } = given(database);
    const job = newJob({ newId: () => `job_${'c'.repeat(32)}` } as Jobs);
    const kept = { ...PLACE, calls: 'call_slept', answerSha256: RESULT.sha256 };
    await expect(engine.accept(job, STORED, kept)).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    expect(await claim()).toBeUndefined();
  });

  test('a call suspended until its key was taken over is not accepted', async () => {
    const database = await open();
    const { engine, claim } = given(database);
    await database.query(
      `insert into answers (principal, route, key, body_sha256, expires_at, calls) values ($1, $2, $3, $4, 'infinity', 'call_other')`,
      [PLACE.principal, PLACE.route, PLACE.key, RESULT.sha256],
    );
    const accept = (calls: string, nth: string) =>
      engine.accept(newJob({ newId: () => `job_${nth.repeat(32)}` } as Jobs), STORED, {
        ...PLACE,
        calls,
        answerSha256: RESULT.sha256,
      });
    await expect(accept('call_slept', 'd')).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    await accept('call_other', 'e');
    expect(await claim()).toMatchObject({ id: `job_${'e'.repeat(32)}` });
  });

  test('a job whose hold was released is refused, and a job without a hold is accepted', async () => {
    const { accept, claim } = given(await open(), { isHeld: false });
    await expect(accept()).rejects.toMatchObject({ code: 'busy' });
    expect(await claim()).toBeUndefined();
    const id = await accept({ held: undefined });
    expect(await claim()).toMatchObject({ id, held: null });
  });

  test('claimers are woken when a job is accepted or becomes claimable again', async () => {
    const { engine, signals, accept, claim } = given(await open());
    const wake = vi.fn();
    engine.onWake(wake);
    await accept();
    await engine.requeue((await claim())!, { afterMs: 0 });
    await engine.requeue((await claim())!, { afterMs: 60_000 });
    expect([wake.mock.calls.length, signals.send.mock.calls.length, signals.on.mock.calls.length]).toEqual([
      2, 2, 1,
    ]);
  });

  test('each run has its own attempt number, and a takeover counts as a crash', async () => {
    const { id, first, second, row } = await takenOver(await open());
    expect([first.attempt, second.attempt, second.crashes]).toEqual([1, 2, 1]);
    expect(await row(id)).toEqual(UNTOUCHED);
  });

  test.each(ACTS)('a run that was taken over changes nothing when it %s', async (_name, act) => {
    const { engine, id, first, second, row } = await takenOver(await open());
    expect(await act(engine, first)).toBe(false);
    expect(await row(id)).toEqual(UNTOUCHED);
    await act(engine, second);
    expect(await row(id)).not.toEqual(UNTOUCHED);
  });

  test.each(ENDS.flatMap(([end, endIt]) => ACTS.map(([act, actIt]) => [act, end, actIt, endIt] as const)))(
    'a run changes nothing when it %s after its job has reached state %s',
    async (_act, state, act, end) => {
      const all = given(await open());
      const id = await all.accept();
      const run = (await all.claim())!;
      expect(await end(all, run)).toBe(true);
      const before = await all.row(id);
      expect(await act(all.engine, run)).toBe(false);
      expect([await all.row(id), before.state]).toEqual([before, state]);
    },
  );

  test.each(ENDS)('a job in state %s neither ends again nor is claimed', async (_name, end) => {
    const all = given(await open());
    const id = await all.accept();
    await end(all, (await all.claim())!);
    await all.lapse();
    const again = await Promise.all([
      all.engine.end(id, { outcome: 'succeeded' }),
      all.engine.end(id, { outcome: 'canceled' }),
      all.engine.end(id, { outcome: 'failed', problem: { code: 'y' }, unsettled: true }),
    ]);
    expect([...again, await all.claim()]).toEqual([false, false, false, undefined]);
  });

  test.each([
    ['succeeded', 0],
    ['failed', 1],
    ['canceled', 1],
  ])('the hold of a job in state %s is released %i times', async (name, times) => {
    const all = given(await open());
    await all.accept();
    await ENDS.find(([end]) => end === name)![1](all, (await all.claim())!);
    expect(all.released.length).toBe(times);
  });

  test('a job without a response cannot succeed, and one with a response cannot fail or be canceled', async () => {
    const { engine, accept, claim, released } = given(await open());
    const id = await accept();
    const run = (await claim())!;
    expect(await engine.end(id, { outcome: 'succeeded' })).toBe(false);
    await engine.keep(run, RESULT);
    const problem = { code: 'x' };
    expect([
      await engine.end(id, { outcome: 'canceled' }),
      await engine.end(id, { outcome: 'failed', problem }),
      await engine.end(id, { outcome: 'failed', problem, unsettled: true }),
    ]).toEqual([false, false, true]);
    expect(released).toEqual([id]);
  });

  test('a run with a valid lease is not taken over', async () => {
    const { accept, claim } = given(await open());
    await accept();
    expect([(await claim())?.attempt, await claim()]).toEqual([1, undefined]);
  });

  test('an expired run is taken over only if takeover is allowed', async () => {
    const { claim, lapse } = await takenOver(await open());
    await lapse();
    expect(await claim({ mayTakeOver: false })).toBeUndefined();
    expect(await claim()).toMatchObject({ attempt: 3, crashes: 2 });
  });

  test('a result is stored only once', async () => {
    const { engine, second, id, row } = await takenOver(await open());
    expect(await engine.keep(second, RESULT)).toBe(true);
    expect(await engine.keep(second, { ...RESULT, sha256: 'b'.repeat(64) })).toBe(false);
    expect(await row(id)).toMatchObject({ result: RESULT.sha256 });
  });

  test('a requeued job counts no crash and waits for the requested delay', async () => {
    const { engine, accept, claim } = given(await open());
    await accept();
    await engine.requeue((await claim())!, { afterMs: 0, isPass: true });
    const again = (await claim())!;
    expect(again).toMatchObject({ attempt: 2, crashes: 0, passes: 1 });
    await engine.requeue(again, { afterMs: 60_000 });
    expect(await claim()).toBeUndefined();
  });

  test('a job with a response is requeued for settlement', async () => {
    const { engine, accept, claim } = given(await open());
    await accept();
    const run = (await claim())!;
    await engine.keep(run, RESULT);
    await engine.requeue(run, { afterMs: 0 });
    expect(await claim()).toMatchObject({ attempt: 2, resultSha256: RESULT.sha256 });
  });
});
