import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { afterEach, expect, test } from 'vitest';
import type { RequestScope } from '../../core/request_scope/request_scope.ts';
import { type AnsweredRequest, addressOf, callerOf, logRequests, requestId } from './request.ts';

const from = (remoteAddress: string) => ({ socket: { remoteAddress } }) as IncomingMessage;
const request = (headers: Record<string, string> = {}) => new Request('http://atelier.test/', { headers });
const forwarded = (...hops: string[]) => request({ 'X-Forwarded-For': hops.join(', ') });

test('X-Forwarded-For from an untrusted peer is ignored', () => {
  expect(addressOf(from('203.0.113.5'), forwarded('1.1.1.1'), ['10.0.0.0/8'])).toBe('203.0.113.5');
});

test('behind a trusted proxy, the rightmost untrusted hop is the client', () => {
  expect(addressOf(from('10.0.0.2'), forwarded('6.6.6.6', '203.0.113.5', '10.0.0.1'), ['10.0.0.0/8'])).toBe(
    '203.0.113.5',
  );
});

test.each([
  ['203.0.113.8:51234', '203.0.113.8'],
  ['[2001:db8:1:2:3::4]:443', '2001:db8:1:2::'],
  ['[2001:db8:1:2:3::4]', '2001:db8:1:2::'],
  ['2001:db8:1:2:3::4', '2001:db8:1:2::'],
  ['::ffff:203.0.113.8', '203.0.113.8'],
  ['10.0.0.1:443', '6.6.6.6'],
  ['203.0.113.8:', '10.0.0.2'],
  ['unknown', '10.0.0.2'],
  ['_hidden', '10.0.0.2'],
  ['', '10.0.0.2'],
  [' , ', '10.0.0.2'],
  ['3405803784', '10.0.0.2'],
  ['0xcb.0.113.8', '10.0.0.2'],
  ['203.0.113.8:99999999', '10.0.0.2'],
  ['[203.0.113.8', '10.0.0.2'],
  ['for=203.0.113.8', '10.0.0.2'],
])('%j appended by a trusted proxy resolves to client address %s', (added, address) => {
  expect(addressOf(from('10.0.0.2'), forwarded('6.6.6.6', added), ['10.0.0.0/8'])).toBe(address);
});

test('a trusted proxy can have an IPv6 address', () => {
  expect(addressOf(from('fd00::5'), forwarded('203.0.113.5'), ['fd00::5'])).toBe('203.0.113.5');
});

test('the Forwarded header is ignored', () => {
  expect(addressOf(from('10.0.0.2'), request({ Forwarded: 'for=6.6.6.6' }), ['10.0.0.2'])).toBe('10.0.0.2');
});

test('an invalid X-Forwarded-For falls back to the peer address', () => {
  expect(addressOf(from('10.0.0.2'), forwarded('<script>', ''), ['10.0.0.2'])).toBe('10.0.0.2');
});

test('an IPv4-mapped IPv6 address equals its IPv4 address', () => {
  expect(addressOf(from('::ffff:203.0.113.5'), request(), [])).toBe('203.0.113.5');
});

test.each([
  ['Bearer 0xabc', '0xabc'],
  ['bearer   0xabc ', '0xabc'],
  ['0xabc', '0xabc'],
  ['Basic dXNlcg==', 'Basic dXNlcg=='],
])('Authorization %j yields the token %j', (Authorization, token) => {
  expect(callerOf(request({ Authorization }), '', '').bearer).toBe(token);
});

test('a valid request id is kept and an invalid one is replaced', () => {
  expect(requestId(request({ 'X-Request-Id': 'abc-1' }))).toBe('abc-1');
  expect(requestId(request({ 'X-Request-Id': 'x'.repeat(129) }))).toMatch(/^req_[0-9a-f]{24}$/);
});

test('all addresses in one IPv6 /64 count as one client', () => {
  const [one, other] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9'].map((peer) =>
    addressOf(from(peer), request(), []),
  );
  expect(one).toBe(other);
  expect(addressOf(from('2001:db8:1:3::1'), request(), [])).not.toBe(one);
});

type Line = Record<string, unknown>;

const { promise: never } = Promise.withResolvers<never>();

function service() {
  const lines: Line[] = [];
  const answered: AnsweredRequest[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    lines.push({ level, message, ...fields });
  const app = new Hono<{ Variables: { requestId: string; scope: RequestScope } }>();
  app.use(
    logRequests(
      { info: write('info'), debug: write('debug') },
      {
        addressOf: () => '203.0.113.8',
        traceContext: () => undefined,
        onAnswered: (request) => answered.push(request),
      },
    ),
  );
  app.use(async (c, next) => {
    c.set('requestId', 'req_1');
    const wallet = c.req.header('authorization')?.replace('Bearer ', '');
    c.set('scope', {
      address: '',
      cpu: { address: '' },
      wallet,
      run: (work) => work(),
      receive: () => {},
      close: () => {},
    });
    await next();
  });
  app.get('/health', (c) => c.text('ok'));
  app.get('/api/jobs/:id', (c) => c.text('done'));
  app.post('/api/tools/:name', (c) => c.text('x'.repeat(1000), 402));
  const arrival = Promise.withResolvers<void>();
  app.get('/slow', () => {
    arrival.resolve();
    return never;
  });
  return { app, lines, answered, arrived: arrival.promise };
}

test('a request logs one line without its query string or path parameters', async () => {
  const { app, lines } = service();
  await app.request('/api/jobs/job_secret?sig=secret');
  expect(lines).toEqual([
    {
      level: 'info',
      message: 'GET /api/jobs/{id} 200',
      request_id: 'req_1',
      method: 'GET',
      path: '/api/jobs/{id}',
      status: 200,
      address: '203.0.113.8',
      ms: expect.any(Number),
    },
  ]);
});

test.each([
  ['GET', '/health', { level: 'debug', status: 200 }],
  ['POST', '/api/tools/resize_image', { path: '/api/tools/resize_image', status: 402 }],
  ['GET', '/metrics', { level: 'info', status: 404 }],
  ['GET', '/wp-login.php', { path: '/wp-login.php', status: 404 }],
  ['GET', `/${'x'.repeat(5000)}`, { path: '/…', status: 404 }],
  ['GET', '/api/jobs/job_0123456789abcdef01234567/x', { path: '/api/jobs/…/x', status: 404 }],
  ['OPTIONS', '/api/jobs/job_0123456789abcdef01234567', { path: '/api/jobs/…', status: 404 }],
  ['POST', '/api/tools/atl_key_0123456789abcdef0123', { path: '/api/tools/…', status: 402 }],
  ['GET', '/atl_key_0123456789abcdef0123?token=secret#secret', { path: '/…', status: 404 }],
  ['GET', '/%61tl_key_%2F%0A{"level":60}', { path: '/…', status: 404 }],
])('%s %.30s', async (method, path, expected) => {
  const { app, lines } = service();
  await app.request(path, { method });
  expect(lines).toEqual([expect.objectContaining(expected)]);
});

test('the payer is logged in short form, and no other request data', async () => {
  const { app, lines } = service();
  const headers = {
    Authorization: 'Bearer 0x52908400098527886e0f7030069857d2e4169ee7',
    Cookie: 'secret',
    'X-Payment-Intent': 'pi_secret',
  };
  await app.request('/api/tools/resize_image?secret', { method: 'POST', headers, body: 'secret' });
  expect(lines).toEqual([expect.objectContaining({ caller: '0x5290…9ee7' })]);
  expect(JSON.stringify(lines)).not.toMatch(/secret|98527886/);
});

test('the response metric uses the route pattern and a known method', async () => {
  const { app, answered } = service();
  await app.request('/api/jobs/job_secret');
  await app.request('/secret', { method: 'SECRET' });
  const ms = expect.any(Number);
  expect(answered).toEqual([
    { method: 'GET', route: '/api/jobs/{id}', status: 200, ms },
    { method: 'other', route: 'none', status: 404, ms },
  ]);
});

let server: Server | undefined;
afterEach(() => server?.close());

async function listening(
  app: Hono<{ Variables: { requestId: string; scope: RequestScope } }>,
): Promise<string> {
  const opened = createServer(getRequestListener(app.fetch));
  server = opened;
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(opened.address() as AddressInfo).port}`;
}

test('request and response bytes are counted over a real connection', async () => {
  const { app, lines } = service();
  await (await fetch(`${await listening(app)}/api/tools/x`, { method: 'POST' })).text();
  await expect
    .poll(() => lines)
    .toEqual([expect.objectContaining({ status: 402, bytes: expect.any(Number) })]);
  expect(lines[0]?.bytes).toBeGreaterThan(1000);
});

test('a request whose client disconnected is also logged', async () => {
  const { app, lines, arrived } = service();
  const leaving = new AbortController();
  const asked = fetch(`${await listening(app)}/slow`, { signal: leaving.signal }).catch(() => {});
  await arrived;
  leaving.abort();
  await asked;
  await expect.poll(() => lines).toEqual([expect.objectContaining({ path: '/slow', status: 499 })]);
});
