import { beforeEach, expect, test, vi } from 'vitest';
import { AtelierError } from '../../errors/atelier_error.ts';
import { duringCall, orOwe, takeOwed } from './call_id.ts';
import { OWED_AGAIN_MS, SERVER_SIGN_MS } from './members.ts';
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
    await orOwe(failing(code));
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
  await orOwe(failing('database_unavailable'));
  await vi.advanceTimersByTimeAsync(SERVER_SIGN_MS - OWED_AGAIN_MS);
  vi.useRealTimers();
  expect(rounds).toBe(4);
  await stop();
});
