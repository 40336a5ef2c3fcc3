import { beforeEach, expect, test, vi } from 'vitest';
import { AtelierError } from '../../errors/atelier_error.ts';
import { duringCall, releaseOrOwe, takeOwed } from './call_id.ts';
import { RELEASE_RETRY_MS, SERVER_HEARTBEAT_MS } from './members.ts';
import { startReleasing } from './release_calls.ts';

beforeEach(() => void takeOwed());

const failing = (code: 'busy' | 'database_unavailable') => () => Promise.reject(new AtelierError(code));

test('a call refused because the server is busy leaves nothing to release', async () => {
  await expect(duringCall(failing('busy'))).rejects.toMatchObject({ code: 'busy' });
  expect(takeOwed()).toBe(false);
});

test('a call whose database was unavailable may hold an unknown reservation', async () => {
  await expect(duringCall(failing('database_unavailable'))).rejects.toThrow();
  expect([takeOwed(), takeOwed()]).toEqual([true, false]);
});

test.each(['busy', 'database_unavailable'] as const)(
  'a release that finds the database %s is retried later',
  async (code) => {
    await releaseOrOwe(failing(code));
    expect(takeOwed()).toBe(true);
  },
);

test('a failed release is retried every second until it succeeds, then with the heartbeat', async () => {
  vi.useFakeTimers();
  let rounds = 0;
  const release = async () => {
    rounds += 1;
    if (rounds < 4) throw new AtelierError('database_unavailable');
    return 0;
  };
  const stop = startReleasing({ release }, { report: () => {} });
  await releaseOrOwe(failing('database_unavailable'));
  await vi.advanceTimersByTimeAsync(SERVER_HEARTBEAT_MS - RELEASE_RETRY_MS);
  vi.useRealTimers();
  expect(rounds).toBe(4);
  await stop();
});
