import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { callsTo } from '../support/calls_to.ts';
import { newSchema } from '../support/new_schema.ts';
import { startProxy } from '../support/proxies.ts';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { needs } from '../support/test_requirements.ts';
import { toppedUp } from '../support/topped_up.ts';

/** Two servers behind nginx with the file of `deploy/proxy`, stopped and started one after the other while callers keep calling. */

const serverUrl = process.env.TEST_DATABASE_URL;
const CALLERS = 12;

interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says which shape it expects
  readonly body: any;
}

/** One caller on one connection that is kept open. */
function keepAliveCaller(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const asked = request(url + path, { method: 'POST', agent, headers }, async (answer) =>
        resolve({ status: answer.statusCode!, body: await json(answer).catch(reject) }),
      );
      asked.on('error', reject).end(JSON.stringify(body));
    });
  return { post, close: () => agent.destroy() };
}

async function restart(server: ServiceProcess, settings: Record<string, string>): Promise<ServiceProcess> {
  server.process.kill('SIGTERM');
  expect(await once(server.process, 'exit')).toEqual([0, null]);
  const next = await startService({ ...settings, PORT: new URL(server.url).port });
  // nginx tries it again after fail_timeout.
  await sleep(5000);
  return next;
}

describe('nginx', needs('nginx'), () => {
  test('no call fails during a rolling restart of two servers', needs('PostgreSQL'), async () => {
    const schema = await newSchema(serverUrl!);
    const folder = mkdtempSync(join(tmpdir(), 'atelier-rolling-'));
    const settings = {
      DATA_DIR: folder,
      DATABASE_URL: schema.url,
      PUBLIC_URL: 'http://atelier.test',
      TRUSTED_PROXIES: '127.0.0.1',
      PAYMENTS: 'simulated',
      WORKERS: '1',
      DRAIN_MS: '6000',
      FREE_TOOLS_PER_HOUR: '10000000',
      PAID_TOOLS_PER_MINUTE: '10000000',
    };
    const servers = [await startService(settings), await startService(settings)];
    const proxy = await startProxy(
      'nginx',
      servers.map(({ url }) => url),
    );
    const direct = callsTo(proxy.url);
    let isOver = false;
    const failures: unknown[] = [];
    let [calls, paid] = [0, 0];
    const call = async (nth: number) => {
      const wallet = `0x${nth.toString(16).padStart(40, 'c')}`;
      await toppedUp(direct.post, wallet);
      const caller = keepAliveCaller(proxy.url);
      for (let count = 0; !isOver; count += 1) {
        const isFree = count % 2 === 0;
        const path = isFree ? '/api/tools/check_balance' : '/api/tools/save_asset';
        const body = isFree ? { wallet } : { wallet, key: 'k', data: 'aGk=' };
        // Without an Idempotency-Key, so that neither the proxy nor the caller could repeat it.
        const reply = await caller
          .post(path, body, { 'Content-Type': 'application/json', Authorization: `Bearer ${wallet}` })
          .catch((error: Error) => ({ status: 0, body: error.message }));
        calls += 1;
        if (reply.status === 200) paid += isFree ? 0 : 1;
        else failures.push([new Date().toISOString(), path, reply]);
        await sleep(20 * Math.random());
      }
      caller.close();
    };
    try {
      const load = Promise.all(Array.from({ length: CALLERS }, (_, nth) => call(nth)));
      await sleep(2000);
      for (const nth of [0, 1]) servers[nth] = await restart(servers[nth]!, settings);
      isOver = true;
      await load;
      console.log(`rolling restart: ${calls} calls, ${paid} paid, ${failures.length} failed`);
      expect(failures, proxy.output()).toEqual([]);
      const audit = await direct.get('/api/ledger/invariants');
      expect(audit.body).toMatchObject({ balanced: true });
    } finally {
      isOver = true;
      proxy.process.kill('SIGKILL');
      for (const { process } of servers) process.kill('SIGKILL');
      await schema.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
