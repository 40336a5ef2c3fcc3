import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { postTo as post, startService } from './support/service_process.ts';

const ROUNDS = 3;
const CALLS = 10;

const save = (url: string, wallet: string, index: number) =>
  post(
    url,
    '/api/tools/save_asset',
    {
      wallet,
      key: `note-${index}`,
      data: Buffer.from(`note ${index}`).toString('base64'),
      content_type: 'text/plain',
    },
    { Authorization: `Bearer ${wallet}`, 'Idempotency-Key': `note-${index}` },
  );

test('kill -9 in the middle of paid calls: nothing lost, nothing charged twice, the books balance', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-kill-'));
  for (let round = 0; round < ROUNDS; round += 1) {
    const wallet = `0x${String(round).repeat(40)}`;
    const first = await startService(dataDir);
    await post(first.url, '/api/wallet/register', { wallet });
    const calls = Array.from({ length: CALLS }, (_, index) => save(first.url, wallet, index));
    await sleep(5 + 25 * round);
    first.process.kill('SIGKILL');
    const acknowledged = (await Promise.all(calls)).filter((reply) => reply?.status === 200).length;

    const second = await startService(dataDir);
    const before = await post(second.url, '/api/tools/check_balance', { wallet });
    expect(before?.body.held).toBe(0);
    expect(before?.body.totals.spent).toBeGreaterThanOrEqual(acknowledged);

    const retried = await Promise.all(
      Array.from({ length: CALLS }, (_, index) => save(second.url, wallet, index)),
    );
    const after = await post(second.url, '/api/tools/check_balance', { wallet });
    const list = await post(second.url, '/api/tools/list_assets', { wallet });
    const books = await fetch(`${second.url}/api/ledger/invariants`);
    expect(retried.map((reply) => reply?.status)).toEqual(Array(CALLS).fill(200));
    expect(after?.body).toMatchObject({ held: 0, totals: { spent: CALLS } });
    expect(list?.body.count).toBe(CALLS);
    expect(await books.json()).toMatchObject({ balanced: true, problems: [] });
    second.process.kill('SIGKILL');
  }
  rmSync(dataDir, { recursive: true, force: true });
}, 120_000);
