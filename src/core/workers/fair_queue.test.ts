import { expect, test } from 'vitest';
import { FairQueue, type FairQueueEntry } from './admission.ts';

const turn = (name: string, cost = 1): FairQueueEntry & { name: string } => {
  const [address = '', callerKey = ''] = name.split('/');
  return { name, address, callerKey, cost };
};

/** Serves requests one at a time, each after the previous one has left. */
function servedIn(queue: FairQueue<FairQueueEntry & { name: string }>): string[] {
  const order: string[] = [];
  for (let [next] = queue.inOrder; next; [next] = queue.inOrder) {
    order.push(next.name);
    queue.serve(next);
  }
  return order;
}

function given(...turns: (FairQueueEntry & { name: string })[]) {
  const queue = new FairQueue<FairQueueEntry & { name: string }>();
  for (const one of turns) queue.enter(one);
  return queue;
}

test('addresses take turns, however many jobs one of them has queued', () => {
  expect(servedIn(given(turn('a'), turn('a'), turn('a'), turn('b'), turn('c')))).toEqual([
    'a',
    'b',
    'c',
    'a',
    'a',
  ]);
});

test('large jobs count for more', () => {
  const large = [turn('a', 10), turn('a', 10)];
  const small = [turn('b', 3), turn('b', 3), turn('b', 3), turn('b', 3), turn('b', 3)];
  expect(servedIn(given(...large, ...small)).join('')).toBe('abbbbab');
});

test('all wallets at one address share its slots', () => {
  const many = [turn('a/1'), turn('a/2'), turn('a/3')];
  expect(servedIn(given(...many, turn('b/4'), turn('b/4')))).toEqual(['a/1', 'b/4', 'a/2', 'b/4', 'a/3']);
});

test('wallets at the same address take turns', () => {
  expect(servedIn(given(turn('a/1'), turn('a/1'), turn('a/2')))).toEqual(['a/1', 'a/2', 'a/1']);
});

test('a late caller starts level with the least-served caller, not ahead of all', () => {
  const queue = given(turn('a', 5), turn('a', 5), turn('a', 5));
  queue.serve(queue.inOrder[0]!);
  for (const late of [turn('b', 5), turn('b', 5)]) queue.enter(late);
  expect(servedIn(queue)).toEqual(['b', 'a', 'b', 'a']);
});

test('the measured cost replaces the charged prediction', () => {
  const [cheap, dear] = [turn('a', 5), turn('b', 5)];
  const queue = given(cheap, dear, turn('a'), turn('b'), turn('b'));
  for (const [one, seconds] of [
    [cheap, 1],
    [dear, 9],
  ] as const) {
    queue.serve(one);
    queue.correct(one, seconds);
    queue.leave(one);
  }
  expect(servedIn(queue)).toEqual(['a', 'b', 'b']);
});

test('a caller without queued work is forgotten', () => {
  const [first, second] = [turn('a', 100), turn('b')];
  const queue = given(first, second);
  queue.serve(first);
  queue.leave(first);
  queue.leave(second);
  for (const next of [turn('a'), turn('b')]) queue.enter(next);
  expect(servedIn(queue)).toEqual(['a', 'b']);
});

test('a caller of weight 2 gets two slots per round, and all callers are served', () => {
  const paying = Array.from({ length: 6 }, () => ({ ...turn('a'), weight: 2 }));
  const order = servedIn(given(...paying, turn('b'), turn('b'), turn('b'), turn('c'), turn('c'), turn('c')));
  expect(order.slice(0, 8).filter((name) => name === 'a')).toHaveLength(4);
  expect(order.slice(0, 4)).toEqual(expect.arrayContaining(['b', 'c']));
  expect(order).toHaveLength(12);
});
