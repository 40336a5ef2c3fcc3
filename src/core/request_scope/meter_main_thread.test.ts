import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createRequestScopes, meterMainThread, type RequestScope } from './request_scope.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const requestScopes of open.splice(0)) requestScopes.close();
});

function given() {
  const charged = new Map<string, number>();
  const requestScopes = createRequestScopes({
    bytesMax: 1,
    meter: (current) =>
      meterMainThread({
        current,
        charge: ({ address }, seconds) => charged.set(address, (charged.get(address) ?? 0) + seconds),
        settle: () => {},
      }),
  });
  open.push(requestScopes);
  const during = async (address: string, work: (scope: RequestScope) => Promise<void> | void) => {
    const scope = requestScopes.begin(address);
    await scope.run(() => work(scope));
    scope.close();
  };
  return { charged, requestScopes, during };
}

/** Uses CPU time on this thread, and returns the amount used. */
function compute(seconds: number): number {
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= seconds * 1e6) return (user + system) / 1e6;
  }
}

test('computation before and after a wait is charged to the request, waiting is not', async () => {
  const { charged, during } = given();
  let used = 0;
  await during('a', async () => {
    used += compute(0.03);
    await sleep(300);
    used += compute(0.03);
  });
  expect(charged.get('a')).toBeGreaterThan(used - 0.001);
  expect(charged.get('a')).toBeLessThan(used + 0.05);
});

test('interleaved requests are charged separately', async () => {
  const { charged, during } = given();
  const used = { a: 0, b: 0 };
  const taking = (name: 'a' | 'b', seconds: number) =>
    during(name, async () => {
      for (let turn = 0; turn < 5; turn += 1) {
        used[name] += compute(seconds);
        await sleep(1);
      }
    });
  await Promise.all([taking('a', 0.02), taking('b', 0.005)]);
  expect(charged.get('a')! / used.a).toBeCloseTo(1, 0);
  expect(charged.get('b')! / used.b).toBeCloseTo(1, 0);
  expect(charged.get('a')).toBeGreaterThan(2 * charged.get('b')!);
});

test('computation outside of requests is not charged', async () => {
  const { charged, during } = given();
  await during('a', async () => {
    await sleep(1);
  });
  compute(0.05);
  await sleep(1);
  expect(charged.get('a') ?? 0).toBeLessThan(0.05);
});

test('a nested request is charged separately', async () => {
  const { charged, during } = given();
  await during('outer', async () => {
    await during('inner', () => void compute(0.04));
    compute(0.01);
  });
  expect(charged.get('inner')).toBeGreaterThanOrEqual(0.04);
  expect(charged.get('outer')).toBeLessThan(0.04);
});

test('long work is charged before its request ends', async () => {
  const { charged, during } = given();
  await during('a', async () => {
    compute(0.02);
    await sleep(1);
    expect(charged.get('a')).toBeGreaterThanOrEqual(0.02);
  });
});

test('receiving a body is charged to its request, other work meanwhile is not', async () => {
  const { charged, requestScopes } = given();
  const scope = requestScopes.begin('a');
  const receive = async (bytes: number) => {
    await sleep(1);
    compute(0.02);
    scope.receive(bytes);
  };
  await receive(10_000_000);
  expect(charged.get('a')).toBeGreaterThan(0.019);
  await receive(1000);
  scope.close();
  expect(charged.get('a')).toBeLessThan(0.035);
});
