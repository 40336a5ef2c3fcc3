import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from './support/open_test_app.ts';

const WALLET = '0x00000000000000000000000000000000000000d1';
const BEARER = { Authorization: `Bearer ${WALLET}` };
const MIB = 1024 * 1024;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.post('/api/wallet/register', { wallet: WALLET });
});
afterAll(() => app?.close());

test('an upload repeated with its Idempotency-Key returns the first handle', async () => {
  const headers = { 'Idempotency-Key': 'upload-1', 'Content-Type': 'image/png' };
  const first = await app.post('/api/uploads', 'the bytes', headers);
  const again = await app.post('/api/uploads', 'the bytes', headers);
  expect(again.text).toBe(first.text);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});

test.each([
  ['/api/tools/search_tools', { query: 'resize' }],
  ['/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
])('a stream of %s asks proxies not to keep it back, and other answers do not', async (path, body) => {
  const asked = ['application/json, text/event-stream', 'application/json'].map((Accept) =>
    app.post(path, body, { Accept, 'Content-Type': 'application/json' }),
  );
  const [stream, plain] = await Promise.all(asked);
  expect(stream!.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(stream!.headers.get('x-accel-buffering')).toBe('no');
  expect(plain!.headers.get('x-accel-buffering')).toBe(null);
});

test('another upload under the same Idempotency-Key is refused', async () => {
  const headers = { 'Idempotency-Key': 'upload-2', 'Content-Type': 'image/png' };
  await app.post('/api/uploads', 'the bytes', headers);
  const other = await app.post('/api/uploads', 'other bytes', headers);
  expect(other.body).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
});

test('a replayed post does not use up the posts of the day', async () => {
  const headers = { 'Idempotency-Key': 'post-1' };
  const post = () => app.post('/api/cafe/post', { name: 'a', message: 'only once' }, headers);
  const left = [await post(), await post()].map((reply) => reply.headers.get('x-ratelimit-remaining'));
  expect(left[1]).toBe(left[0]);
});

test('the response to a post by GET is not cacheable', async () => {
  const { status, headers } = await app.get('/api/cafe/post?name=a&message=by+get', { 'If-None-Match': '*' });
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('etag')).toBe(null);
});

test('an endpoint without images rejects bodies of that size', async () => {
  const reply = await app.post('/api/cafe/post', { name: 'a', message: '\u200b'.repeat(MIB) });
  expect(reply.status).toBe(413);
});

test.each(['true', 1, null])('dry_run: %j is refused, not charged', async (dry_run) => {
  const call = { wallet: WALLET, key: 'k', data: 'aGk=', dry_run };
  const { status, body } = await app.post('/api/tools/save_asset', call, BEARER);
  const { body: state } = await app.post('/api/tools/check_balance', { wallet: WALLET });
  expect(status).toBe(400);
  expect(body.errors[0].field).toBe('dry_run');
  expect(state.balance).toBe(10);
});

test('dry_run: false is an ordinary call without a warning', async () => {
  const { body } = await app.post('/api/tools/search_tools', { query: 'resize', dry_run: false });
  expect(body.warnings).toBe(undefined);
});

test('a content type of megabytes is a 400', async () => {
  const call = { wallet: WALLET, key: 'k', data: 'aGk=', content_type: `a/a${'; a=a'.repeat(MIB)}` };
  const { status } = await app.post('/api/tools/save_asset', call, BEARER);
  expect(status).toBe(400);
});

test('an unknown tool is 404 for every method, with a suggestion', async () => {
  const { status, body } = await app.get('/api/tools/resize_imag');
  expect([status, body.code, body.did_you_mean[0]]).toEqual([404, 'unknown_tool', 'resize_image']);
});

test('an existing tool accepts only POST', async () => {
  const { status, headers } = await app.get('/api/tools/resize_image');
  expect([status, headers.get('allow')]).toEqual([405, 'POST']);
});

test.each([
  ['/api/tools/resize_image', 'POST'],
  ['/api/credits', 'GET,HEAD'],
  ['/api/wallet/keys', 'POST,GET,HEAD'],
  ['/api/wallet/keys/x', 'DELETE'],
  ['/mcp', 'POST'],
  ['/nothing/here', null],
])('OPTIONS %s names %s', async (path, methods) => {
  const response = await app.fetch(new Request(`http://atelier.test${path}`, { method: 'OPTIONS' }));
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-methods')).toBe(methods);
});

test('an unknown problem type is 404, with a suggestion', async () => {
  const { status, body } = await app.get('/problems/wallet_lock');
  expect([status, body.code, body.did_you_mean[0]]).toEqual([404, 'not_found', 'wallet_locked']);
});

test('a limit below one MiB is shown in KiB', async () => {
  const { body } = await app.post('/api/wallet/challenge', { wallet: WALLET, filler: 'a'.repeat(100_000) });
  expect(body.detail).toContain('limit is 64 KiB');
});
