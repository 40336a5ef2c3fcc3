import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/core/database/open_database.ts';
import { createWallets } from '../../src/features/wallets/wallets.ts';
import { spawnProgram } from '../support/spawn_program.ts';

/** kill -9 on the embedded database. What was acknowledged is there, what was under way is given back. */

const CRASH_PROCESS = fileURLToPath(new URL('./crash_process.ts', import.meta.url));

let dataDir = '';
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'atelier-crash-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Kills the process after so many reports; returns all it had acknowledged. */
async function payUntilKilled(round: number, reports: number): Promise<string[]> {
  const child = spawnProgram([CRASH_PROCESS, dataDir, String(round)]);
  const ended = once(child, 'exit');
  const steps: string[] = [];
  for await (const step of createInterface({ input: child.stdout })) {
    steps.push(step);
    if (steps.length === reports) child.kill('SIGKILL');
  }
  await ended;
  return steps;
}

// An even number of reports ends with a hold under way, an odd one between two calls.
test.each([
  [1, 2],
  [2, 41],
  [3, 60],
  [4, 1],
])('round %i: the ledger is consistent after a kill following %i reports', async (round, reports) => {
  const steps = await payUntilKilled(round, reports);
  const database = await openDatabase({ dataDir });
  const wallets = createWallets(database);
  await wallets.expireHolds(new Date(), true);
  const wallet = (await wallets.find(`0x${String(round).padStart(40, '0')}`))!;
  const audit = await wallets.audit();
  await database.close();

  const settled = steps.filter((step) => step === 'settled').length;
  // One more may have been done without being reported yet.
  expect([settled * 100, settled * 100 + 100]).toContain(wallet.totals.spent);
  expect(wallet).toMatchObject({ held: 0, balance: 10_000 - wallet.totals.spent * 0.95 });
  expect(audit.problems).toEqual([]);
});
