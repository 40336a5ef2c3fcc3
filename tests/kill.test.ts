import { describe, expect, test } from 'vitest';
import { killRounds } from './support/kill_rounds.ts';

/** kill -9 in the middle of paid calls. A few each time; `npm run bench kills` does a hundred on either database. */

const KILLS = 3;
const serverUrl = process.env.TEST_DATABASE_URL;

async function nothingWrong(url?: string): Promise<void> {
  const { wrong, answered, calls } = await killRounds(KILLS, url);
  expect(wrong).toEqual([]);
  expect(answered).toBeLessThan(calls);
}

test(
  'embedded: nothing lost, nothing charged twice or for nothing, the books balance',
  () => nothingWrong(),
  300_000,
);

describe.skipIf(!serverUrl)(serverUrl ? 'postgresql' : 'postgresql (TEST_DATABASE_URL is not set)', () => {
  test(
    'nothing lost, nothing charged twice or for nothing, the books balance',
    () => nothingWrong(serverUrl),
    300_000,
  );
});
