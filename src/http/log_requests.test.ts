import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { afterEach, expect, test } from 'vitest';
import { logRequests } from './log_requests.ts';

type Line = Record<string, unknown>;

const { promise: never } = Promise.withResolvers<never>();

function service() {
  const lines: Line[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    lines.push({ level, message, ...fields });
  const app = new Hono<{ Variables: { requestId: string } }>();
  app.use(logRequests({ info: write('info'), debug: write('debug') }, () => '203.0.113.8'));
  app.use(async (c, next) => {
    c.set('requestId', 'req_1');
    await next();
  });
  app.get('/health', (c) => c.text('ok'));
  app.get('/api/jobs/:id', (c) => c.text('done'));
  app.post('/api/tools/:name', (c) => c.text('x'.repeat(1000), 402));
  app.get('/slow', () => never);
  return { app, lines };
}

test('a request leaves one line, without its query and without the values in its path', async () => {
  const { app, lines } = service();
  await app.request('/api/jobs/job_secret?sig=secret');
  expect(lines).toEqual([
    {
      ...{ level: 'info', message: 'GET /api/jobs/{id} 200', request_id: 'req_1' },
      ...{ method: 'GET', path: '/api/jobs/{id}', status: 200, address: '203.0.113.8' },
      ms: expect.any(Number),
    },
  ]);
});

test.each([
  ['GET', '/health', { level: 'debug', status: 200 }],
  ['POST', '/api/tools/resize_image', { path: '/api/tools/resize_image', status: 402 }],
  ['GET', `/${'x'.repeat(5000)}`, { path: `/${'x'.repeat(199)}`, status: 404 }],
])('%s %.30s', async (method, path, expected) => {
  const { app, lines } = service();
  await app.request(path, { method });
  expect(lines).toEqual([expect.objectContaining(expected)]);
});

let server: Server | undefined;
afterEach(() => server?.close());

async function listening(app: Hono<{ Variables: { requestId: string } }>): Promise<string> {
  const opened = createServer(getRequestListener(app.fetch));
  server = opened;
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(opened.address() as AddressInfo).port}`;
}

test('over a connection the bytes are counted', async () => {
  const { app, lines } = service();
  await (await fetch(`${await listening(app)}/api/tools/x`, { method: 'POST' })).text();
  await expect
    .poll(() => lines)
    .toEqual([expect.objectContaining({ status: 402, bytes: expect.any(Number) })]);
  expect(lines[0]?.bytes).toBeGreaterThan(1000);
});

test('a caller who has gone is a line as well', async () => {
  const { app, lines } = service();
  await fetch(`${await listening(app)}/slow`, { signal: AbortSignal.timeout(50) }).catch(() => {});
  await expect.poll(() => lines).toEqual([expect.objectContaining({ path: '/slow', status: 499 })]);
});
