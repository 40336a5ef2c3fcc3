import { expect, test } from 'vitest';
import { createRequestScopes } from './request_scope.ts';

const BUSY = { code: 'busy' };
const given = (bytesMax = 100) => createRequestScopes({ bytesMax, arrivalWaitMs: 5, waitMs: 5 });

test('memory acquired by a request scope is released when the scope ends', async () => {
  const requestScopes = given();
  const scope = requestScopes.begin('a');
  await scope.run(async () => {
    await requestScopes.reserve(40);
    await requestScopes.reserve(10);
  });
  expect(requestScopes.heldBytes()).toBe(50);
  scope.close();
  scope.close();
  expect(requestScopes.heldBytes()).toBe(0);
});

test('several scopes of one address share half the memory, and one alone may use all', async () => {
  const requestScopes = given();
  const [first, second, other] = ['a', 'a', 'b'].map((address) => requestScopes.begin(address));
  await first!.run(() => requestScopes.reserve(80));
  await expect(second!.run(() => requestScopes.reserve(1))).rejects.toMatchObject(BUSY);
  await other!.run(() => requestScopes.reserve(10));
  expect(requestScopes.heldBytes()).toBe(90);
});

test('a waiting caller gets the memory that another releases', async () => {
  const requestScopes = createRequestScopes({ bytesMax: 100, waitMs: 10_000 });
  const first = requestScopes.begin('a');
  await first.run(() => requestScopes.reserve(80));
  const second = requestScopes.begin('b');
  const waiting = second.run(() => requestScopes.reserve(50));
  // A small request passes a waiting large one.
  await requestScopes.begin('c').run(() => requestScopes.reserve(10));
  first.close();
  await waiting;
  expect(requestScopes.heldBytes()).toBe(60);
});

test('of several waiting scopes, only as many are admitted as fit', async () => {
  const requestScopes = createRequestScopes({ bytesMax: 100, waitMs: 20 });
  const first = requestScopes.begin('a');
  await first.run(() => requestScopes.reserve(80));
  const waiting = ['b', 'c', 'd'].map((address) =>
    requestScopes.begin(address).run(() => requestScopes.reserve(40)),
  );
  first.close();
  const ends = await Promise.allSettled(waiting);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(requestScopes.heldBytes()).toBe(80);
});

test('large scopes of two addresses leave memory for a small one', async () => {
  const requestScopes = given(6400);
  for (const address of ['a', 'b'])
    await requestScopes
      .begin(address)
      .run(() => requestScopes.reserve(3000))
      .catch(() => undefined);
  await expect(requestScopes.begin('c').run(() => requestScopes.reserve(101))).rejects.toMatchObject(BUSY);
  await requestScopes.begin('c').run(() => requestScopes.reserve(100, { isArriving: true }));
});

test('incoming bodies leave a quarter of the memory to requests in progress', async () => {
  const requestScopes = given();
  await requestScopes.begin('a').run(() => requestScopes.reserve(70, { isArriving: true }));
  await expect(
    requestScopes.begin('b').run(() => requestScopes.reserve(10, { isArriving: true })),
  ).rejects.toMatchObject(BUSY);
  await requestScopes.begin('c').run(() => requestScopes.reserve(20));
});

test('a request above the total memory is refused immediately, without retry advice', async () => {
  const requestScopes = createRequestScopes({ bytesMax: 100, waitMs: 1e6 });
  await expect(requestScopes.begin('a').run(() => requestScopes.reserve(101))).rejects.toMatchObject({
    code: 'payload_too_large',
  });
});

test('memory outside a request scope or after its end is not counted', async () => {
  const requestScopes = given();
  await requestScopes.reserve(1000);
  const scope = requestScopes.begin('a');
  scope.close();
  await scope.run(() => requestScopes.reserve(50));
  expect(requestScopes.heldBytes()).toBe(0);
});
