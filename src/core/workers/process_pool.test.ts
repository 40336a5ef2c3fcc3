import { getPriority } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../../features/definitions/example_image.ts';
import { Admission } from './admission.ts';
import type { Engines } from './engines.ts';
import { LONG_WORK_NICENESS } from './limits.ts';
import { createPredictor, type Predictor } from './predict_seconds.ts';
import { type ProcessMemoryLimits, ProcessPool } from './process_pool.ts';
import type { RunSeconds } from './types.ts';

const bytes = Buffer.from(EXAMPLE_PNG_B64, 'base64');
const quick = { bytes, width: 8, height: 6, mode: 'contain', format: 'png', quality: 90 } as const;
/** Several seconds of CPU time. */
const slow = { ...quick, width: 8192, height: 8192, mode: 'stretch', format: 'webp' } as const;
const settings = { deadlineMs: 120_000, pixelsInFlightMax: 1e6, queueLengthMax: 9, callerShare: 0.75 };
const keeping: ProcessMemoryLimits = { memoryBytesMax: 2e9, idleMemoryBytesMax: 1e9, idleMsMax: 60_000 };

/** Five processes start sequentially, which takes half a minute on a busy machine. */
const SEVERAL_STARTS_MS = 120_000;

let pool: ProcessPool;
afterEach(() => pool.close());

function poolOf({
  workers = 2,
  predictor = createPredictor(),
  overrunSeconds = 0.2,
  ...kept
}: { workers?: number; predictor?: Predictor; overrunSeconds?: number } & Partial<ProcessMemoryLimits> = {}) {
  const all = { ...settings, workers, overrunSeconds };
  pool = new ProcessPool(all, { admission: new Admission(all), predictor }, { ...keeping, ...kept });
}

/** A predictor that considers every run short. */
const optimist = (seconds = 0.3): Predictor => ({
  ...createPredictor(),
  predict: (engine) => ({ seconds, seedSeconds: seconds, key: engine }),
});

function start(
  address: string,
  input: Parameters<Engines['resize']>[0],
  signal = new AbortController().signal,
) {
  const spent: RunSeconds[] = [];
  const ended = pool
    .run('resize', input, { pixels: 10, signal, address, onSpent: (one) => spent.push(one) })
    .then(
      () => 'done',
      (error) => error.code as string,
    );
  return { ended, spent };
}

test('with one process, short work gets a second process beside long work', async () => {
  poolOf({ workers: 1 });
  const stop = new AbortController();
  const long = [start('a', slow, stop.signal), start('b', slow, stop.signal)];
  expect(await start('a', quick).ended).toBe('done');
  expect(pool.load).toEqual({ running: 1, waiting: 1 });
  stop.abort();
  expect(await Promise.all(long.map(({ ended }) => ended))).toEqual(['timed_out', 'timed_out']);
});

test('a process with long work gets a lower priority, and short work uses another process', async () => {
  poolOf({ workers: 3, overrunSeconds: 60 });
  const stop = new AbortController();
  const long = start('a', slow, stop.signal);
  expect(await start('b', quick).ended).toBe('done');
  const [first, ...others] = pool.pids.map((pid) => getPriority(pid));
  expect(first).toBe(LONG_WORK_NICENESS);
  expect(new Set(others)).toEqual(new Set([getPriority()]));
  stop.abort();
  expect(await long.ended).toBe('timed_out');
});

test('work of 0.3 s also lowers the priority and leaves the last process to lighter work', async () => {
  const predict: Predictor['predict'] = (_, input) => {
    const seconds = (input as typeof slow).width === slow.width ? 0.3 : 0.02;
    return { seconds, seedSeconds: seconds, key: '' };
  };
  poolOf({ workers: 3, overrunSeconds: 60, predictor: { ...createPredictor(), predict } });
  const stop = new AbortController();
  const heavy = ['a', 'b'].map((address) => start(address, slow, stop.signal));
  expect(await start('c', quick).ended).toBe('done');
  expect(pool.pids.map((pid) => getPriority(pid))).toEqual([
    LONG_WORK_NICENESS,
    LONG_WORK_NICENESS,
    getPriority(),
  ]);
  stop.abort();
  expect(await Promise.all(heavy.map(({ ended }) => ended))).toEqual(['timed_out', 'timed_out']);
});

test('without memory for a second process, short work waits for the first', async () => {
  poolOf({ workers: 1, beside: { ...keeping, spareBytesMin: Number.POSITIVE_INFINITY } });
  const stop = new AbortController();
  const long = start('a', slow, stop.signal);
  const short = start('b', quick);
  expect(pool.load).toEqual({ running: 1, waiting: 1 });
  stop.abort();
  expect(await Promise.all([long.ended, short.ended])).toEqual(['timed_out', 'done']);
});

test('long work waits for the first process instead of using one with less memory', async () => {
  const predict: Predictor['predict'] = (_, input) => {
    const seconds = (input as typeof slow).width === slow.width ? 0.1 : 5;
    return { seconds, seedSeconds: seconds, key: '' };
  };
  poolOf({ predictor: { ...createPredictor(), predict }, beside: { ...keeping, spareBytesMin: 0 } });
  const stop = new AbortController();
  const short = start('a', slow, stop.signal);
  const long = start('b', quick);
  expect(pool.load).toEqual({ running: 1, waiting: 1 });
  stop.abort();
  expect(await Promise.all([short.ended, long.ended])).toEqual(['timed_out', 'done']);
});

test(
  'work mispredicted as short yields, is requeued as long and charged for both attempts',
  async () => {
    poolOf({ predictor: optimist() });
    const stop = new AbortController();
    const wrong = ['a', 'b'].map((address) => start(address, slow, stop.signal));
    expect(pool.queue.long.runs).toBe(0);
    expect(await start('c', quick).ended).toBe('done');
    expect(pool.queue).toEqual({
      short: { runs: 0, cpuSeconds: 0 },
      long: { runs: 1, cpuSeconds: expect.toSatisfy((seconds: number) => seconds > 0.3) },
    });
    stop.abort();
    expect(await Promise.all(wrong.map(({ ended }) => ended))).toEqual(['timed_out', 'timed_out']);
    for (const { spent } of wrong) {
      expect(spent).toHaveLength(1);
      expect(spent[0]!.cpu).toBeGreaterThan(0.15);
    }
  },
  SEVERAL_STARTS_MS,
);

/** Two slow runs occupy all slots, and a quick one finishes beside them. */
async function expectQuickBesideSlow(): Promise<void> {
  const stop = new AbortController();
  const slowRuns = ['a', 'b'].map((address) => start(address, slow, stop.signal));
  expect(await start('c', quick).ended).toBe('done');
  expect(pool.load).toEqual({ running: 2, waiting: 0 });
  stop.abort();
  await Promise.all(slowRuns.map(({ ended }) => ended));
}

test('light work runs beside heavy work that occupies all processes', async () => {
  const predict: Predictor['predict'] = (_, input) => {
    const seconds = (input as typeof slow).width === slow.width ? 0.9 : 0.02;
    return { seconds, seedSeconds: seconds, key: '' };
  };
  poolOf({ overrunSeconds: 60, predictor: { ...createPredictor(), predict } });
  await expectQuickBesideSlow();
});

test('work mispredicted as light does not delay light work', async () => {
  poolOf({ overrunSeconds: 60, predictor: optimist(0.05) });
  await expectQuickBesideSlow();
});

test(
  'interrupted work still returns its result',
  async () => {
    const stops: boolean[] = [];
    poolOf({ predictor: { ...optimist(), learn: (_, { isStopped }) => stops.push(isStopped) } });
    const wrong = ['a', 'b'].map((address) => start(address, { ...slow, width: 6000, height: 6000 }));
    expect(await start('c', quick).ended).toBe('done');
    expect(await Promise.all(wrong.map(({ ended }) => ended))).toEqual(['done', 'done']);
    expect(wrong.map(({ spent }) => spent.length)).toEqual([1, 1]);
    expect(stops.toSorted()).toEqual([false, false, false, true]);
  },
  SEVERAL_STARTS_MS,
);

test('a stopped, refused or never started run reports its usage once', async () => {
  poolOf({ workers: 1 });
  const stop = new AbortController();
  const [stopped, waiting] = [start('a', slow, stop.signal), start('b', slow, stop.signal)];
  await expect.poll(() => stopped.spent.length === 0 && pool.load.running).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 600));
  const refused = start('c', { ...quick, bytes: bytes.subarray(0, 100) });
  await refused.ended;
  stop.abort();
  await Promise.all([stopped.ended, waiting.ended]);
  const cpu = [stopped, refused, waiting].map(({ spent }) => spent.map((one) => one.cpu));
  const some = expect.toSatisfy((seconds: number) => seconds > 0);
  expect(cpu).toEqual([[some], [some], [0]]);
});

test('a process that dies is charged up to its last measurement', async () => {
  poolOf();
  const hit = start('a', slow);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  process.kill(pool.pids[0]!, 'SIGKILL');
  expect(await hit.ended).toBe('internal_error');
  expect(hit.spent).toEqual([expect.objectContaining({ cpu: expect.toSatisfy((cpu: number) => cpu > 0) })]);
});

test('after heavy work, light work gets a separate process', async () => {
  const predict: Predictor['predict'] = (_, input) => {
    const seconds = (input as { height: number }).height > 6 ? 0.9 : 0.02;
    return { seconds, seedSeconds: seconds, key: '' };
  };
  poolOf({ predictor: { ...createPredictor(), predict } });
  expect(await start('a', { ...quick, height: 7 }).ended).toBe('done');
  for (let call = 0; call < 2; call += 1) expect(await start('b', quick).ended).toBe('done');
  await expect
    .poll(() => pool.pids.map((pid) => getPriority(pid)))
    .toEqual([LONG_WORK_NICENESS, getPriority()]);
});
