import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/database/index.ts';
import { startFakeFacilitator } from '../support/fake_facilitator.ts';
import { postTo } from '../support/post_to.ts';
import { startService } from '../support/start_service.ts';
import { newPayer, v2, X402_SETTINGS } from '../support/x402_payer.ts';

/** kill -9 while calls are being paid by x402. The chain is the facilitator's, and outlives us. */

const CALLS = 6;
/** When the process is killed: while calls are claimed and verified, while they run and settle, and in between. */
const KILLED_AFTER_MS = [20, 60, 120, 250];

test('nobody pays twice or for nothing, nothing is given unpaid, and the books say what the chain says', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-x402-kill-'));
  const facilitator = await startFakeFacilitator();
  const settings = { DATA_DIR: dataDir, ...X402_SETTINGS(facilitator.url) };
  for (const killedAfterMs of KILLED_AFTER_MS) {
    const payers = await Promise.all(
      Array.from({ length: CALLS }, async () => {
        const payer = newPayer();
        return { wallet: payer.wallet, headers: v2(await payer.pay()) };
      }),
    );
    const save = async (url: string, { wallet, headers }: (typeof payers)[number]) => {
      const body = { wallet, key: 'note', data: 'SGVsbG8=', content_type: 'text/plain' };
      return (await postTo(url, '/api/tools/save_asset', body, headers))?.status;
    };
    const first = await startService(settings);
    // Some settlements take long enough to be cut off on the way.
    facilitator.fail('/settle', { kind: 'slow', ms: 100 }, { kind: 'slow', ms: 300 }, { kind: 'lose_reply' });
    const calls = payers.map((payer) => save(first.url, payer));
    await sleep(killedAfterMs);
    first.process.kill('SIGKILL');
    const given = (await Promise.all(calls)).map((status) => status === 200);
    const paidBy = (wallet: string) => facilitator.transfers.filter(({ payer }) => payer === wallet).length;
    expect(payers.filter(({ wallet }, at) => given[at] && paidBy(wallet) !== 1)).toEqual([]);

    const second = await startService(settings);
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
  const paid = facilitator.transfers.length;
  const [cash] = await database.query<{ debit: number }>(`select debit from accounts where id = 'cash:x402'`);
  const states = await database.query<{ state: string }>('select distinct state from x402_payments');
  const receipts = await database.query('select 1 from receipts');
  await database.close();
  expect(cash!.debit).toBe(paid * 1000);
  expect(receipts).toHaveLength(paid);
  expect(states).toEqual([{ state: 'settled' }]);
  await facilitator.close();
  rmSync(dataDir, { recursive: true, force: true });
}, 180_000);
