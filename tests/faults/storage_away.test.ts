import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { postTo } from '../support/post_to.ts';
import { s3rver } from '../support/s3_servers.ts';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp_proxy.ts';
import { WAIT_MS_MAX } from '../support/wait_ms_max.ts';

/** The object store goes away under a running server, and comes back. */

const WALLET = `0x${'d'.repeat(40)}`;
const AS_WALLET = { Authorization: `Bearer ${WALLET}` };

const settings = s3rver();
const dataDir = mkdtempSync(join(tmpdir(), 'atelier-store-away-'));
let proxy: TcpProxy;
let service: ServiceProcess;
beforeAll(async () => {
  proxy = await openTcpProxy(settings().STORAGE_URL);
  service = await startService({ DATA_DIR: dataDir, ...settings(), STORAGE_URL: proxy.url });
  await postTo(service.url, '/api/wallet/register', { wallet: WALLET });
});
afterAll(async () => {
  service.process.kill('SIGTERM');
  await once(service.process, 'exit');
  await proxy.close();
  rmSync(dataDir, { recursive: true });
});
const ask = (tool: string, input: object, headers = {}) =>
  postTo(service.url, `/api/tools/${tool}`, { wallet: WALLET, ...input }, { ...AS_WALLET, ...headers });
const save = (key: string) => ask('save_asset', { key, data: 'b25l' }, { 'Idempotency-Key': key });
const balance = async () => (await ask('check_balance', {}))?.body.available as number;
const health = async () => {
  const response = await fetch(`${service.url}/health`);
  return [response.status, ((await response.json()) as { checks: { storage: string } }).checks.storage];
};

test('a storage outage fails only calls that need storage, without charge, until storage returns', async () => {
  await save('before');
  const paid = await balance();
  await proxy.refuse();
  expect(await save('during')).toMatchObject({
    status: 503,
    body: { code: 'storage_unavailable', retryable: true, retry_after_s: 10 },
  });
  expect(await ask('get_asset', { key: 'before' })).toMatchObject({
    status: 503,
    body: { code: 'storage_unavailable' },
  });
  expect(await balance()).toBe(paid);
  expect((await ask('list_assets', {}))?.body.count).toBe(1);
  await vi.waitFor(async () => expect(await health()).toEqual([503, 'failed']), {
    timeout: WAIT_MS_MAX,
    interval: 1000,
  });
  await proxy.restore();
  expect(await save('during')).toMatchObject({ status: 200, isReplay: false });
  expect((await ask('get_asset', { key: 'before' }))?.body.data).toBe('b25l');
  await vi.waitFor(async () => expect(await health()).toEqual([200, 'ok']), {
    timeout: WAIT_MS_MAX,
    interval: 1000,
  });
});
