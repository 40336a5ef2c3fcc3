import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { UPLOAD_BYTES_MAX } from '../../src/config/limits.ts';
import { EVERY_SPECK, noise } from '../support/job_calls.ts';
import { type ProxyName, startProxy } from '../support/proxies.ts';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { needs } from '../support/test_requirements.ts';
import { WAIT_MS_MAX } from '../support/wait_ms_max.ts';
import { decoded, X402_SETTINGS } from '../support/x402_payer.ts';

/** The service behind proxies of others, with the files of `deploy/proxy`. */

describe.each<[ProxyName, { isBuffering: boolean }]>([
  ['nginx', { isBuffering: false }],
  ['nginx', { isBuffering: true }],
  ['Caddy', { isBuffering: false }],
  ['HAProxy', { isBuffering: false }],
])('behind %s %j', (name, manner) => {
  describe('the service', needs(name), () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'atelier-behind-'));
    let service: ServiceProcess;
    let proxy: Awaited<ReturnType<typeof startProxy>>;
    const upload = (body: Uint8Array<ArrayBuffer>) =>
      fetch(`${proxy.url}/api/uploads`, { method: 'POST', headers: { 'Content-Type': 'image/png' }, body });

    beforeAll(async () => {
      service = await startService({
        DATA_DIR: dataDir,
        LOG_LEVEL: 'info',
        TRUSTED_PROXIES: '127.0.0.1',
        ...X402_SETTINGS('http://127.0.0.1:9'),
        X402_NETWORKS: 'eip155:8453,eip155:84532,eip155:137,eip155:43114',
        X402_CAPTURE_AUTHORIZER: `0x${'c1'.repeat(20)}`,
        X402_EXTENSIONS: 'offer-receipt,sign-in-with-x',
        PUBLIC_URL: 'https://art.example',
      });
      proxy = await startProxy(name, service.url, manner);
    });
    afterAll(async () => {
      proxy?.process.kill('SIGKILL');
      service?.process.kill('SIGTERM');
      if (service) await once(service.process, 'exit');
      rmSync(dataDir, { recursive: true, force: true });
    });

    test('accepts the largest upload and returns its own error for a larger one', async () => {
      const picture = Buffer.from(await noise(2900), 'base64');
      expect([picture.length > 0.95 * UPLOAD_BYTES_MAX, (await upload(picture)).status]).toEqual([true, 200]);
      const refused = await upload(Buffer.alloc(UPLOAD_BYTES_MAX + 1));
      expect([refused.status, await refused.json()]).toMatchObject([413, { code: expect.any(String) }]);
    });

    test('streams the progress of a running call', async () => {
      const answer = await fetch(`${proxy.url}/api/tools/vectorize_image`, {
        method: 'POST',
        headers: { Accept: 'text/event-stream' },
        body: JSON.stringify({ image: await noise(150), ...EVERY_SPECK }),
      });
      const pieces: string[] = [];
      for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) pieces.push(piece);
      expect(pieces[0]).toMatch(/^event: progress/);
      expect(pieces[0]).not.toContain('event: result');
      expect(pieces.join('')).toContain('event: result');
    });

    test('counts the address of the proxy’s client, not a spoofed X-Forwarded-For', async () => {
      const headers = { 'X-Forwarded-For': '203.0.113.7' };
      const asked = get(`${proxy.url}/pricing.json`, { localAddress: '127.0.0.2', headers });
      const [answer] = await once(asked, 'response');
      answer.resume();
      await vi.waitFor(
        () => expect(service.output()).toMatch(/"path":"\/pricing.json".*"address":"127.0.0.2"/),
        WAIT_MS_MAX,
      );
      expect(service.output()).not.toContain('203.0.113.7');
    });

    test('forwards the longest 402 response', async () => {
      const answer = await fetch(`${proxy.url}/api/tools/enrich_metadata`, { method: 'POST', body: '{}' });
      const { accepts } = decoded(answer.headers.get('payment-required'));
      expect([answer.status, accepts.length]).toEqual([402, 8]);
    });

    test('serves MCP', async () => {
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${proxy.url}/mcp`)));
      const found = await client.callTool({ name: 'search_tools', arguments: { query: 'enlarge' } });
      await client.close();
      expect(JSON.stringify(found.structuredContent)).toContain('upscale_image');
    });
  });
});
