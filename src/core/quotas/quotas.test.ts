import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { ROOMY_DISK } from '../../../tests/support/roomy_disk.ts';
import { createRequestScopes } from '../request_scope/request_scope.ts';
import { createMemoryCounts, createStorageQuota } from './quotas.ts';

const DAY_MS = 86_400_000;

function given(more: { bytesMax?: number } = {}) {
  const clock = { ms: 0 };
  const requestScopes = createRequestScopes({ bytesMax: 1e9 });
  const newCounts = () => createMemoryCounts({ lifetimeMs: DAY_MS, now: () => clock.ms });
  const quota = createStorageQuota({
    what: 'results',
    callerBytesMax: 100,
    requestScopes,
    disk: ROOMY_DISK,
    counts: newCounts(),
    everybody: newCounts(),
    ...more,
  });
  const take = (address: string, bytes: number, wallet?: string) => {
    const scope = requestScopes.begin(address);
    scope.wallet = wallet;
    return scope.run(() => quota.take(bytes));
  };
  return { clock, take };
}

test('an address at its quota is refused, and other addresses are not', async () => {
  const { take } = given();
  await take('1.1.1.1', 90);
  await expect(take('1.1.1.1', 20)).rejects.toMatchObject({ code: 'too_much_kept', status: 429 });
  await take('2.2.2.2', 20);
});

test('a wallet has one quota across addresses', async () => {
  const { take } = given();
  await take('1.1.1.1', 90, '0xa');
  await expect(take('2.2.2.2', 20, '0xa')).rejects.toMatchObject({ code: 'too_much_kept' });
});

test('the total of all callers is limited as well', async () => {
  const { take } = given({ bytesMax: 150 });
  await take('1.1.1.1', 90);
  await expect(take('2.2.2.2', 90)).rejects.toMatchObject({ code: 'storage_full', status: 503 });
});

test('a file refused by the total limit does not count for its caller', async () => {
  const { take } = given({ bytesMax: 150 });
  const correct = await take('1.1.1.1', 90);
  await take('2.2.2.2', 90).catch(() => {});
  correct(0);
  await take('2.2.2.2', 100);
});

test('corrected sizes count as corrected, and expired files do not count', async () => {
  const { take, clock } = given();
  (await take('1.1.1.1', 90))(10);
  (await take('1.1.1.1', 90))(0);
  await take('1.1.1.1', 90);
  clock.ms += DAY_MS + DAY_MS / 24;
  await take('1.1.1.1', 100);
});

test('a used quota is free again after its lifetime, even if the wall clock is set back', async () => {
  const counts = createMemoryCounts({ lifetimeMs: 240 });
  await counts.take(['1.1.1.1'], 100, 100);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 365 * DAY_MS });
  try {
    expect(await counts.take(['1.1.1.1'], 1, 100)).toBeUndefined();
    await sleep(300);
    expect(await counts.take(['1.1.1.1'], 1, 100)).toBeDefined();
  } finally {
    vi.useRealTimers();
  }
});
