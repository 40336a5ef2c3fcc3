import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { newSchema } from '../support/new_schema.ts';
import { postTo } from '../support/post_to.ts';
import { openReceiver, type Received, verified } from '../support/receiver.ts';
import { startService } from '../support/start_service.ts';
import { needs } from '../support/test_requirements.ts';

/** A server that is killed again and again while it is paid and tells of it: every charge is told, and nothing else. */

vi.setConfig({ testTimeout: 300_000 });
const ROUNDS = 5;
const CALLS = 3;
const WALLET = `0x${'6'.repeat(40)}`;
const PAID = { Authorization: `Bearer ${WALLET}` };

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function survives(databaseUrl: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-kill-'));
  closing.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const receiver = await openReceiver();
  closing.push(receiver.close);
  const start = async () => {
    const service = await startService({
      LOG_LEVEL: 'fatal',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      ALLOW_PRIVATE_FETCH: 'true',
    });
    closing.push(() => service.process.kill('SIGKILL'));
    return service;
  };
  const save = (url: string, key: string) =>
    postTo(url, '/api/tools/save_asset', { wallet: WALLET, key, data: 'aGVsbG8=' }, PAID);

  let service = await start();
  await postTo(service.url, '/api/wallet/register', { wallet: WALLET });
  const endpoint = { url: receiver.url, events: ['tool.completed'] };
  const { secret } = (await postTo(service.url, '/api/webhooks/register', endpoint, PAID))!.body;
  await save(service.url, 'first');
  const idOf = (notice: Received) => verified(secret, notice).data.receipt_id;
  for (let round = 0; round < ROUNDS; round += 1) {
    const calls = Array.from({ length: CALLS }, (_, nth) => save(service.url, `${round}/${nth}`));
    // At another moment each time: before, between and after the charges.
    await Promise.race([Promise.all(calls), sleep(40 + 60 * round)]);
    service.process.kill('SIGKILL');
    await Promise.all(calls);
    service = await start();
  }
  const statement = await fetch(`${service.url}/api/wallet/statement?limit=100`, { headers: PAID });
  const { entries } = (await statement.json()) as { entries: { type: string; receipt_id?: string }[] };
  const charged = entries.flatMap(({ type, receipt_id }) => (type === 'tool_call' ? [receipt_id] : []));
  expect(charged.length).toBeGreaterThan(0);
  const told = () => [...new Set(receiver.received.map(idOf))].toSorted();
  await expect.poll(told, { interval: 500 }).toEqual(charged.toSorted());
}

describe('a killed server', () => {
  test('embedded', () => survives(''));

  test('PostgreSQL', needs('PostgreSQL'), async () => {
    const schema = await newSchema(process.env.TEST_DATABASE_URL!);
    closing.push(schema.drop);
    await survives(schema.url);
  });
});
