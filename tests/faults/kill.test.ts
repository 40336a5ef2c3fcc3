import { describe, expect, test } from 'vitest';
import { killRounds, WAYS } from '../support/kill_rounds.ts';
import { needs } from '../support/test_requirements.ts';

/** kill -9 in the middle of paid calls, a few each time. */

const KILLS = 2;
const serverUrl = process.env.TEST_DATABASE_URL;
const ways = Object.keys(WAYS) as (keyof typeof WAYS)[];
const TIMEOUT_MS = 300_000;

async function nothingWrong(by: keyof typeof WAYS, url?: string): Promise<void> {
  const { wrong, answered, calls } = await killRounds(KILLS, { by, serverUrl: url });
  expect(wrong).toEqual([]);
  expect(answered).toBeLessThan(calls);
}

describe.each(ways)(
  'kill -9 with payment by %s: nothing lost, no duplicate or unearned charges, ledger balanced',
  (by) => {
    test('embedded', () => nothingWrong(by), TIMEOUT_MS);
    test('postgresql', { ...needs('PostgreSQL'), timeout: TIMEOUT_MS }, () => nothingWrong(by, serverUrl));
  },
);
