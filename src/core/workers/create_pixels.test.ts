import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../../features/definitions/example_image.ts';
import type { RunSeconds } from './types.ts';
import { createPixels } from './workers.ts';

const PICTURE = Buffer.from(EXAMPLE_PNG_B64, 'base64');
const quick = { bytes: PICTURE, width: 8, height: 6, mode: 'contain', format: 'png', quality: 90 } as const;
/** At least one second of work. */
const slow = { ...quick, width: 8192, height: 8192, mode: 'stretch', format: 'webp' } as const;
const control = { pixels: 1000, signal: new AbortController().signal };
const roomy = { workers: 1, pixelsInFlightMax: 1e6, queueLengthMax: 9, deadlineMs: 60_000 };

let pool = createPixels(roomy);
const poolOf = (settings: Partial<typeof roomy>) => {
  pool = createPixels({ ...roomy, ...settings });
  return pool;
};
afterEach(() => pool.close());

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => error.code,
  );

test('a job returns its result', async () => {
  const { width, height, contentType } = await poolOf({}).run('resize', quick, control);
  expect({ width, height, contentType }).toEqual({ width: 8, height: 6, contentType: 'image/png' });
});

test('a job reports its time per phase', async () => {
  const spent: RunSeconds[] = [];
  const measured = { ...quick, format: 'jpeg', isMeasured: true } as const;
  const onSpent = (parts: RunSeconds) => spent.push(parts);
  await poolOf({}).run('resize', measured, { ...control, onSpent });
  await expect(
    pool.run('resize', { ...quick, bytes: PICTURE.subarray(0, 100) }, { ...control, onSpent }),
  ).rejects.toThrow();
  const positive = expect.toSatisfy((seconds: number) => seconds > 0 && seconds < 60);
  expect(spent[0]).toEqual({ decoding: positive, engine: positive, encoding: positive, cpu: positive });
  expect(spent).toHaveLength(2);
});

test('no process starts before the first job', () => {
  expect(poolOf({ workers: 4 }).pids).toEqual([]);
});

test('an idle process ends after a timeout, and the next job starts a new one', async () => {
  const short = createPixels({ ...roomy, workerIdleMs: 50 });
  await short.run('resize', quick, control);
  await expect.poll(() => short.pids, { timeout: 10_000 }).toEqual([]);
  await expect(short.run('resize', quick, control)).resolves.toMatchObject({ width: 8 });
  await short.close();
});

test('an error of an engine arrives as the same error', async () => {
  const damaged = poolOf({}).run('resize', { ...quick, bytes: PICTURE.subarray(0, 100) }, control);
  await expect(damaged).rejects.toMatchObject({ name: 'AtelierError', code: 'undecodable_image' });
});

test('long jobs run in parallel and leave one process for short jobs', async () => {
  const { run, load } = { run: poolOf({ workers: 3 }), load: () => pool.load };
  const stop = new AbortController();
  const jobs = ['a', 'b', 'c'].map((address) =>
    codeOf(run.run('resize', slow, { pixels: 10, signal: stop.signal, address })),
  );
  expect(await codeOf(pool.run('resize', quick, { ...control, pixels: 10, address: 'd' }))).toBe('done');
  expect(load()).toEqual({ running: 2, waiting: 1, pixelsInFlight: 20 });
  expect(pool.queue).toEqual({
    short: { runs: 0, cpuSeconds: 0 },
    long: { runs: 1, cpuSeconds: expect.any(Number) },
  });
  stop.abort();
  expect(await Promise.all(jobs)).toEqual(['timed_out', 'timed_out', 'timed_out']);
  expect(load()).toEqual({ running: 0, waiting: 0, pixelsInFlight: 0 });
});

test('a full queue refuses immediately and states a retry time', async () => {
  const full = poolOf({ queueLengthMax: 0 });
  const first = full.run('resize', quick, control);
  await expect(full.run('resize', quick, control)).rejects.toMatchObject({
    code: 'busy',
    details: { retryAfterSeconds: expect.any(Number) },
  });
  expect(await codeOf(first)).toBe('done');
});

test('a job waits while the pixel budget is insufficient', async () => {
  const tight = poolOf({ workers: 2, pixelsInFlightMax: 1500 });
  const jobs = ['a', 'b'].map((address) => codeOf(tight.run('resize', quick, { ...control, address })));
  expect(tight.load).toEqual({ running: 1, waiting: 1, pixelsInFlight: 1000 });
  expect(await Promise.all(jobs)).toEqual(['done', 'done']);
});

test('a job that cannot start within half the deadline is refused', async () => {
  const stop = new AbortController();
  const first = codeOf(poolOf({}).run('resize', slow, { ...control, signal: stop.signal }));
  expect(await codeOf(pool.run('resize', slow, { ...control, deadlineMs: 100 }))).toBe('busy');
  stop.abort();
  expect(await first).toBe('timed_out');
});

test('a task in parts reserves its pixels once, and its parts run one after another', async () => {
  const whole = poolOf({ workers: 2, pixelsInFlightMax: 2000 });
  const part = { pixels: 2000, signal: control.signal };
  const parts = await whole.reserve(quick, part, async (within) => {
    const jobs = [1, 2].map(() => codeOf(whole.run('resize', quick, { ...part, within })));
    expect(whole.load).toEqual({ running: 1, waiting: 1, pixelsInFlight: 2000 });
    return Promise.all(jobs);
  });
  expect([parts, whole.load.pixelsInFlight]).toEqual([['done', 'done'], 0]);
});

test('a client that disconnects while waiting for a reservation frees its position', async () => {
  const stop = new AbortController();
  const first = codeOf(poolOf({}).reserve(quick, { pixels: 1e6, signal: control.signal }, () => wait(300)));
  const abandoned = codeOf(pool.reserve(quick, { pixels: 1e6, signal: stop.signal }, () => wait(1)));
  stop.abort();
  expect(await abandoned).toBe('timed_out');
  expect(pool.load.pixelsInFlight).toBe(1e6);
  expect([await first, pool.load.pixelsInFlight]).toEqual(['done', 0]);
});

test('a job above the whole budget is refused as too large, not as busy', async () => {
  expect(await codeOf(poolOf({}).run('resize', quick, { ...control, pixels: 2e6 }))).toBe('image_too_large');
});

test('the deadline stops the running job', async () => {
  const [late] = [poolOf({}).run('resize', slow, { ...control, deadlineMs: 300 })];
  expect(await codeOf(late)).toBe('timed_out');
  expect(await codeOf(pool.run('resize', quick, control))).toBe('done');
});

test('cancellation stops the running job and frees the process', async () => {
  const stop = new AbortController();
  const abandoned = codeOf(poolOf({}).run('resize', slow, { ...control, signal: stop.signal }));
  const [pid] = pool.pids;
  await wait(300);
  stop.abort();
  expect(await abandoned).toBe('timed_out');
  expect(await codeOf(pool.run('resize', quick, control))).toBe('done');
  expect(pool.pids).not.toContain(pid);
});

test('a canceled quick job finishes, and its process is reused', async () => {
  const stop = new AbortController();
  await poolOf({}).run('resize', quick, control);
  const [pid] = pool.pids;
  const abandoned = codeOf(pool.run('resize', quick, { ...control, signal: stop.signal }));
  stop.abort();
  expect([await abandoned, await codeOf(pool.run('resize', quick, control))]).toEqual(['timed_out', 'done']);
  expect(pool.pids).toEqual([pid]);
});

test.each([
  ['SIGKILL', 'internal_error'],
  ['SIGSEGV', 'undecodable_image'],
] as const)('a process killed by %s fails its own job with %s and no other job', async (signal, code) => {
  const hit = codeOf(poolOf({ workers: 2 }).run('resize', slow, control));
  const other = codeOf(pool.run('resize', quick, control));
  const after = codeOf(pool.run('resize', quick, control));
  process.kill(pool.pids[0]!, signal);
  expect(await Promise.all([hit, other, after])).toEqual([code, 'done', 'done']);
});

test('closing lets accepted jobs finish and refuses new ones', async () => {
  const accepted = codeOf(poolOf({}).run('resize', quick, control));
  const closed = pool.close();
  expect(await codeOf(pool.run('resize', quick, control))).toBe('busy');
  await closed;
  expect([await accepted, pool.pids]).toEqual(['done', []]);
});
