import { expect, test } from 'vitest';
import { createVisits } from './request_scope.ts';

const BUSY = { code: 'busy' };
const given = (bytesMax = 100) => createVisits({ bytesMax, arrivalWaitMs: 5, waitMs: 5 });

test('memory acquired by a request scope is released when the scope ends', async () => {
  const visits = given();
  const visit = visits.begin('a');
  await visit.run(async () => {
    await visits.reserve(40);
    await visits.reserve(10);
  });
  expect(visits.heldBytes()).toBe(50);
  visit.close();
  visit.close();
  expect(visits.heldBytes()).toBe(0);
});

test('several scopes of one address share half the memory, and one alone may use all', async () => {
  const visits = given();
  const [first, second, other] = ['a', 'a', 'b'].map((address) => visits.begin(address));
  await first!.run(() => visits.reserve(80));
  await expect(second!.run(() => visits.reserve(1))).rejects.toMatchObject(BUSY);
  await other!.run(() => visits.reserve(10));
  expect(visits.heldBytes()).toBe(90);
});

test('a waiting caller gets the memory that another releases', async () => {
  const visits = createVisits({ bytesMax: 100, waitMs: 10_000 });
  const first = visits.begin('a');
  await first.run(() => visits.reserve(80));
  const second = visits.begin('b');
  const waiting = second.run(() => visits.reserve(50));
  // A small request passes a waiting large one.
  await visits.begin('c').run(() => visits.reserve(10));
  first.close();
  await waiting;
  expect(visits.heldBytes()).toBe(60);
});

test('of several waiting scopes, only as many are admitted as fit', async () => {
  const visits = createVisits({ bytesMax: 100, waitMs: 20 });
  const first = visits.begin('a');
  await first.run(() => visits.reserve(80));
  const waiting = ['b', 'c', 'd'].map((address) => visits.begin(address).run(() => visits.reserve(40)));
  first.close();
  const ends = await Promise.allSettled(waiting);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(visits.heldBytes()).toBe(80);
});

test('large scopes of two addresses leave memory for a small one', async () => {
  const visits = given(6400);
  for (const address of ['a', 'b'])
    await visits
      .begin(address)
      .run(() => visits.reserve(3000))
      .catch(() => undefined);
  await expect(visits.begin('c').run(() => visits.reserve(101))).rejects.toMatchObject(BUSY);
  await visits.begin('c').run(() => visits.reserve(100, { isArriving: true }));
});

test('incoming bodies leave a quarter of the memory to requests in progress', async () => {
  const visits = given();
  await visits.begin('a').run(() => visits.reserve(70, { isArriving: true }));
  await expect(visits.begin('b').run(() => visits.reserve(10, { isArriving: true }))).rejects.toMatchObject(
    BUSY,
  );
  await visits.begin('c').run(() => visits.reserve(20));
});

test('a request above the total memory is refused immediately, without retry advice', async () => {
  const visits = createVisits({ bytesMax: 100, waitMs: 1e6 });
  await expect(visits.begin('a').run(() => visits.reserve(101))).rejects.toMatchObject({
    code: 'payload_too_large',
  });
});

test('memory outside a request scope or after its end is not counted', async () => {
  const visits = given();
  await visits.reserve(1000);
  const visit = visits.begin('a');
  visit.close();
  await visit.run(() => visits.reserve(50));
  expect(visits.heldBytes()).toBe(0);
});
