import { expect, test } from 'vitest';
import { createDurations } from './durations.ts';

const CALL = { tool: 'paint', credit: 2 };
const after = (runs: { megapixels?: number; ms: number; credit?: number }[]) => {
  const durations = createDurations();
  for (const run of runs) durations.record({ ...CALL, ...run });
  return durations;
};

test('without runs, the estimate is empty', () => {
  expect(after([]).estimate(CALL)).toMatchObject({ typical_ms: null, slow_ms: null, runs: 0 });
});

test('the estimate is the median and the 90th percentile', () => {
  const runs = Array.from({ length: 10 }, (_, index) => ({ ms: (index + 1) * 10 }));
  expect(after(runs).estimate(CALL)).toMatchObject({ typical_ms: 50, slow_ms: 90, runs: 10 });
});

test('the estimate uses runs of similar size', () => {
  const durations = after([
    { megapixels: 1, ms: 10 },
    { megapixels: 12, ms: 300 },
  ]);
  expect(durations.estimate({ ...CALL, megapixels: 10 })).toMatchObject({ typical_ms: 300, runs: 1 });
  expect(durations.estimate({ ...CALL, megapixels: 1.5 })).toMatchObject({ typical_ms: 10, runs: 1 });
});

test('the basis states if only runs of other sizes exist', () => {
  const estimate = after([{ megapixels: 1, ms: 10 }]).estimate({ ...CALL, megapixels: 50 });
  expect(estimate.basis).toContain('of other sizes, because none was between 25 and 100 megapixels');
});

test('a run stopped by its deadline counts and is reported as unfinished', () => {
  const durations = after([{ ms: 10 }]);
  durations.record({ ...CALL, ms: 60_000, isStopped: true });
  expect(durations.estimate(CALL)).toMatchObject({
    slow_ms: 60_000,
    basis: expect.stringContaining('1 of them were stopped at the deadline'),
  });
});

test('runs at a different price are not counted', () => {
  expect(after([{ ms: 10, credit: 1 }]).estimate(CALL).runs).toBe(0);
});

test('the oldest runs are discarded', () => {
  const runs = Array.from({ length: 300 }, (_, index) => ({ ms: index < 100 ? 1 : 1000 }));
  expect(after(runs).estimate(CALL)).toMatchObject({ typical_ms: 1000, runs: 200 });
});
