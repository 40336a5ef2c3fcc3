import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { ROOMY_DISK } from '../../../tests/support/roomy_disk.ts';
import { createVisits } from '../request_scope/visits.ts';
import { createMemoryCounts, createShares } from './quotas.ts';

const DAY_MS = 86_400_000;

function given(more: { bytesMax?: number } = {}) {
  const clock = { ms: 0 };
  const visits = createVisits({ bytesMax: 1e9 });
  const newCounts = () => createMemoryCounts({ lifetimeMs: DAY_MS, now: () => clock.ms });
  const shares = createShares({
    what: 'results',
    callerBytesMax: 100,
    visits,
    disk: ROOMY_DISK,
    counts: newCounts(),
    everybody: newCounts(),
    ...more,
  });
  const take = (address: string, bytes: number, wallet?: string) => {
    const visit = visits.begin(address);
    visit.wallet = wallet;
    return visit.run(() => shares.take(bytes));
  };
  return { clock, take };
}

test('one address is stopped at its share, and others are not', async () => {
  const { take } = given();
  await take('1.1.1.1', 90);
  await expect(take('1.1.1.1', 20)).rejects.toMatchObject({ code: 'too_much_kept', status: 429 });
  await take('2.2.2.2', 20);
});

test('a wallet has one share, from wherever it comes', async () => {
  const { take } = given();
  await take('1.1.1.1', 90, '0xa');
  await expect(take('2.2.2.2', 20, '0xa')).rejects.toMatchObject({ code: 'too_much_kept' });
});

test('what everybody keeps has a bound as well', async () => {
  const { take } = given({ bytesMax: 150 });
  await take('1.1.1.1', 90);
  await expect(take('2.2.2.2', 90)).rejects.toMatchObject({ code: 'storage_full', status: 503 });
});

test('what everybody had no room for is not counted for its caller', async () => {
  const { take } = given({ bytesMax: 150 });
  const correct = await take('1.1.1.1', 90);
  await take('2.2.2.2', 90).catch(() => {});
  correct(0);
  await take('2.2.2.2', 100);
});

test('what has become smaller, or nothing, counts so; what has expired does not count', async () => {
  const { take, clock } = given();
  (await take('1.1.1.1', 90))(10);
  (await take('1.1.1.1', 90))(0);
  await take('1.1.1.1', 90);
  clock.ms += DAY_MS + DAY_MS / 24;
  await take('1.1.1.1', 100);
});

test('a full share is free again after its lifetime, though the clock of the wall is set back by a year', async () => {
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
