import { expect, test } from 'vitest';
import { createBatchProcessor } from './batch_processor.ts';

/** Processed batches; each takes a turn of the event loop. */
function collect(most: number) {
  const lots: number[][] = [];
  const work = async (lot: readonly number[]) => {
    lots.push([...lot]);
    await new Promise(setImmediate);
  };
  return { lots, ...createBatchProcessor<number>(most, work) };
}

test('items added together form one batch, and later items form the next', async () => {
  const { lots, add, idle } = collect(10);
  for (const item of [1, 2, 2]) add(item);
  await Promise.resolve();
  for (const item of [3, 1]) add(item);
  await idle();
  expect(lots).toEqual([
    [1, 2],
    [3, 1],
  ]);
});

test('a batch has at most the configured size', async () => {
  const { lots, add, idle } = collect(2);
  for (const item of [1, 2, 3]) add(item);
  await idle();
  expect(lots).toEqual([[1, 2], [3]]);
});

test('without items the processor is idle immediately', async () => {
  const { lots, idle } = collect(2);
  await idle();
  expect(lots).toEqual([]);
});
