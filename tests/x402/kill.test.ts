import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/database/index.ts';
import { startFakeFacilitator } from '../support/fake_facilitator.ts';
import { newPayer, v2, X402_SETTINGS } from '../support/x402_payer.ts';

/** kill -9 while calls are being paid by x402. The chain is the facilitator's, and outlives us. */

const CALLS = 6;
/** When the process is killed: while calls are claimed and verified, while they run and settle, and in between. */
const KILLED_AFTER_MS = [20, 60, 120, 250];

/** The service in a process of its own that may be killed. */
async function startService(dataDir: string, settings: Record<string, string>) {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir, DATABASE_URL: '', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (url) return { url, process: child as ChildProcess };
  }
  throw new Error(`the service did not start: ${text}`);
}

test('nobody pays twice or for nothing, nothing is given unpaid, and the books say what the chain says', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-x402-kill-'));
  const facilitator = await startFakeFacilitator();
  const settings = X402_SETTINGS(facilitator.url);
  for (const killedAfterMs of KILLED_AFTER_MS) {
    const payers = await Promise.all(
      Array.from({ length: CALLS }, async () => {
        const payer = newPayer();
        return { wallet: payer.wallet, headers: v2(await payer.pay()) };
      }),
    );
    const save = async (url: string, { wallet, headers }: (typeof payers)[number]) => {
      const body = JSON.stringify({ wallet, key: 'note', data: 'SGVsbG8=', content_type: 'text/plain' });
      const sent = await fetch(`${url}/api/tools/save_asset`, { method: 'POST', headers, body }).catch(
        () => undefined,
      );
      return sent?.status;
    };
    const first = await startService(dataDir, settings);
    // Some settlements take long enough to be cut off on the way.
    facilitator.fail('/settle', { kind: 'slow', ms: 100 }, { kind: 'slow', ms: 300 }, { kind: 'lose_reply' });
    const calls = payers.map((payer) => save(first.url, payer));
    await sleep(killedAfterMs);
    first.process.kill('SIGKILL');
    const given = (await Promise.all(calls)).map((status) => status === 200);
    const paidBy = (wallet: string) => facilitator.transfers.filter(({ payer }) => payer === wallet).length;
    expect(payers.filter(({ wallet }, at) => given[at] && paidBy(wallet) !== 1)).toEqual([]);

    const second = await startService(dataDir, settings);
    for (const payer of payers) {
      await expect.poll(() => save(second.url, payer), { timeout: 30_000, interval: 200 }).toBe(200);
    }
    expect(payers.map(({ wallet }) => paidBy(wallet))).toEqual(Array(CALLS).fill(1));
    const books = await (await fetch(`${second.url}/api/ledger/invariants`)).json();
    expect(books).toMatchObject({ balanced: true, problems: [] });
    second.process.kill('SIGTERM');
    await new Promise((resolve) => second.process.once('exit', resolve));
  }
  const database = await openDatabase({ dataDir });
  const [cash] = await database.query<{ debit: number }>(`select debit from accounts where id = 'cash:x402'`);
  const states = await database.query<{ state: string }>('select distinct state from x402_payments');
  await database.close();
  expect(cash!.debit).toBe(facilitator.transfers.length * 1000);
  expect(states).toEqual([{ state: 'settled' }]);
  await facilitator.close();
  rmSync(dataDir, { recursive: true, force: true });
}, 180_000);
