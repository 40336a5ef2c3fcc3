import { expect, test } from 'vitest';
import { createVisits } from './visits.ts';

const BUSY = { code: 'busy' };
const given = (bytesMax = 100) => createVisits({ bytesMax, arrivalWaitMs: 5, waitMs: 5 });

test('what a visit holds is given back when it ends, and only then', async () => {
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

test('several visits of one address have half of it; a single one may have all', async () => {
  const visits = given();
  const [first, second, other] = ['a', 'a', 'b'].map((address) => visits.begin(address));
  await first!.run(() => visits.reserve(90));
  await expect(second!.run(() => visits.reserve(1))).rejects.toMatchObject(BUSY);
  await other!.run(() => visits.reserve(10));
  expect(visits.heldBytes()).toBe(100);
});

test('whoever waits a moment gets the room that another leaves', async () => {
  const visits = createVisits({ bytesMax: 100, waitMs: 10_000 });
  const first = visits.begin('a');
  await first.run(() => visits.reserve(80));
  const second = visits.begin('b');
  const waiting = second.run(() => visits.reserve(50));
  // What fits goes past what waits.
  await visits.begin('c').run(() => visits.reserve(20));
  first.close();
  await waiting;
  expect(visits.heldBytes()).toBe(70);
});

test('what arrives leaves a quarter to what is under way', async () => {
  const visits = given();
  await visits.begin('a').run(() => visits.reserve(70, { isArriving: true }));
  await expect(visits.begin('b').run(() => visits.reserve(10, { isArriving: true }))).rejects.toMatchObject(
    BUSY,
  );
  await visits.begin('c').run(() => visits.reserve(30));
});

test('what can never fit is refused at once, with when to come again', async () => {
  const visits = createVisits({ bytesMax: 100, waitMs: 1e6 });
  await expect(visits.begin('a').run(() => visits.reserve(101))).rejects.toMatchObject({
    code: 'busy',
    details: { retryAfterSeconds: 2 },
  });
});

test('outside a visit, and after one, nothing is counted', async () => {
  const visits = given();
  await visits.reserve(1000);
  const visit = visits.begin('a');
  visit.close();
  await visit.run(() => visits.reserve(50));
  expect(visits.heldBytes()).toBe(0);
});
