import { expect, test } from 'vitest';
import { limitPerAddress } from './limit_per_address.ts';

const asker = (address: string, signal = new AbortController().signal) => ({
  address,
  callerKey: address,
  signal,
});
const given = () => limitPerAddress({ atOnce: 2, waitingMax: 2, waitingMaxOfAll: 3 });

test('an address has limited concurrency, a FIFO queue and a queue limit', async () => {
  const turns = given();
  const begun: number[] = [];
  const doors = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const works = doors.map((door, at) =>
    turns(asker('a'), async () => {
      begun.push(at);
      await door.promise;
    }),
  );
  await expect(turns(asker('a'), async () => {})).rejects.toMatchObject({ code: 'busy' });
  expect(await turns(asker('b'), async () => 'at once')).toBe('at once');
  expect(begun).toEqual([0, 1]);
  doors[1]!.resolve();
  await works[1];
  await new Promise(setImmediate);
  expect(begun).toEqual([0, 1, 2]);
  for (const door of doors) door.resolve();
  await Promise.all(works);
  expect(begun).toEqual([0, 1, 2, 3]);
});

test('an aborted client frees its place in the queue and a failure its slot', async () => {
  const turns = given();
  const door = Promise.withResolvers<void>();
  const held = [
    turns(asker('a'), () => door.promise),
    turns(asker('a'), () => door.promise.then(() => Promise.reject(new Error('broken')))),
  ];
  const gone = new AbortController();
  const left = turns(asker('a', gone.signal), async () => 'left');
  const next = turns(asker('a'), async () => 'next');
  gone.abort();
  await expect(left).rejects.toMatchObject({ code: 'timed_out' });
  door.resolve();
  await expect(held[1]).rejects.toThrow('broken');
  expect(await next).toBe('next');
  expect(await Promise.all([1, 2, 3, 4].map((n) => turns(asker('a'), async () => n)))).toEqual([1, 2, 3, 4]);
});
