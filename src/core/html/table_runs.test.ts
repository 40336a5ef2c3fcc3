import { expect, test } from 'vitest';
import { Runs } from './browser/table_runs.ts';
import type { Act } from './browser/table_state.ts';

const act = (number: number, more: Partial<Act> = {}): Act => ({
  act: number,
  tool: 'resize_image',
  state: 'done',
  parent: null,
  inputs: [number],
  outputs: [100 + number],
  author: { name: 'Ada', is_agent: false, is_you: true },
  credits: 0,
  error: null,
  started_at: '2026-11-26T10:00:00Z',
  ended_at: null,
  ...more,
});

function started(acts: readonly number[], left = 0): Runs {
  const runs = new Runs();
  runs.started(acts, { title: 'Resize', left });
  return runs;
}

test('a batch has a result once all of its runs have ended', () => {
  const runs = started([1, 2]);
  expect([runs.ended(act(1)), runs.result()]).toEqual([true, undefined]);
  runs.ended(act(2, { state: 'failed', outputs: [] }));
  expect(runs.result()).toMatchObject({ made: [101], failed: [{ act: 2 }], total: 2, title: 'Resize' });
});

test('the result waits for images that were postponed', () => {
  const runs = started([1], 1);
  runs.ended(act(1));
  expect([runs.total, runs.result()]).toEqual([2, undefined]);
  runs.started([2], { title: 'Resize', left: 0 });
  runs.ended(act(2));
  expect(runs.result()).toMatchObject({ made: [101, 102], total: 2 });
});

test('the result of a recipe is the output of its last step', () => {
  const runs = started([1]);
  runs.ended(act(1, { tool: 'run_recipe', outputs: [7, 8, 9] }));
  expect(runs.result()).toMatchObject({ made: [9], between: [7, 8] });
});

test('a failed step is a failure of its recipe', () => {
  const runs = started([1]);
  expect(runs.ended(act(2, { state: 'failed' }))).toBe(false);
  runs.ended(act(1, { tool: 'run_recipe', outputs: [] }));
  expect(runs.result()).toMatchObject({ made: [], failed: [{ act: 2 }] });
});

test('runs of other batches and other users are ignored', () => {
  expect([started([1]).ended(act(5)), started([]).result()]).toEqual([false, undefined]);
});
