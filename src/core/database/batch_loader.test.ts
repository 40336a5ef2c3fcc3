import { expect, test } from 'vitest';
import { createBatchLoader, createBatchProcessor } from './batch_loader.ts';

/** Doubles the requests, once released. A refused request fails its whole statement. */
function given({ atOnce = 1, requestsMax = 10, refused = -1 } = {}) {
  const statements: (readonly number[])[] = [];
  const open: (() => void)[] = [];
  const ask = createBatchLoader<number, number>({
    keyOf: (request) => String(request % 10),
    atOnce,
    requestsMax,
    async ask(requests) {
      statements.push(requests);
      await new Promise<void>((resolve) => open.push(resolve));
      if (requests.includes(refused)) throw Object.assign(new Error(`refused ${refused}`), { code: '23505' });
      return requests.map((request) => 2 * request);
    },
  });
  const flush = async () => {
    for (const resolve of open.splice(0)) resolve();
    await new Promise(setImmediate);
  };
  return { ask, statements, flush };
}

test('the first request runs immediately, later ones are batched into the next statement', async () => {
  const { ask, statements, flush } = given();
  const answers = Promise.all([1, 5, 3, 4].map(ask));
  await flush();
  await flush();
  expect(await answers).toEqual([2, 10, 6, 8]);
  expect(statements).toEqual([[1], [3, 4, 5]]);
});

test('a batch holds each key once and no more than the maximum', async () => {
  const { ask, statements, flush } = given({ requestsMax: 2 });
  const answers = Promise.all([1, 12, 22, 3, 4].map(ask));
  for (let round = 0; round < 4; round += 1) await flush();
  expect(await answers).toEqual([2, 24, 44, 6, 8]);
  expect(statements).toEqual([[1], [12, 3], [22, 4]]);
});

test('several statements run concurrently', async () => {
  const { ask, statements, flush } = given({ atOnce: 2 });
  const answers = Promise.all([1, 2, 3, 4].map(ask));
  expect(statements).toEqual([[1], [2]]);
  await flush();
  await flush();
  expect(await answers).toEqual([2, 4, 6, 8]);
});

test('an error for one request does not fail the others of its batch', async () => {
  const { ask, flush } = given({ refused: 3 });
  const answers = Promise.allSettled([1, 2, 3, 4].map(ask));
  for (let round = 0; round < 3; round += 1) await flush();
  expect((await answers).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});

test('a lost connection fails the batch without repeating statements', async () => {
  let statements = 0;
  const ask = createBatchLoader<number, number>({
    keyOf: String,
    atOnce: 1,
    requestsMax: 10,
    async ask() {
      statements += 1;
      throw new Error('Connection terminated');
    },
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map(ask));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(statements).toBe(2);
});

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
