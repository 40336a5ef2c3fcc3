import { beforeEach, expect, test } from 'vitest';
import { AtelierError } from '../../errors/atelier_error.ts';
import { duringCall, orOwe, takeOwed } from './call_id.ts';

beforeEach(() => void takeOwed());

const failing = (code: 'busy' | 'database_unavailable') => () => Promise.reject(new AtelierError(code));

test('a call that is refused because the server is busy owes nothing', async () => {
  await expect(duringCall(failing('busy'))).rejects.toMatchObject({ code: 'busy' });
  expect(takeOwed()).toBe(false);
});

test('a call whose database was away may hold what it does not know of', async () => {
  await expect(duringCall(failing('database_unavailable'))).rejects.toThrow();
  expect([takeOwed(), takeOwed()]).toEqual([true, false]);
});

test.each(['busy', 'database_unavailable'] as const)(
  'a release that found the database %s is owed',
  async (code) => {
    await orOwe(failing(code));
    expect(takeOwed()).toBe(true);
  },
);
