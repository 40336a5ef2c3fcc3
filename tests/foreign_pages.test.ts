import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from './support/open_test_app.ts';
import { bearer } from './support/owner.ts';

/** What pages of other sites may do here: read and call on a server of the internet, read on one of a machine or a house. */

const WALLET = '0x00000000000000000000000000000000000000f1';
const EVIL = { Origin: 'https://evil.example' };
const POST = '/api/cafe/post?name=a&message=';
const CLICK = { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-User': '?1' };
const IMG = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'image', 'Sec-Fetch-Mode': 'no-cors' };

const asset = (headers: Record<string, string>) => ({ ...headers, 'Content-Type': 'text/plain' });

describe('on loopback', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ ALLOWED_ORIGINS: 'https://studio.example' });
    await app.post('/api/wallet/register', { wallet: WALLET });
    await app.post('/api/tools/save_asset', { wallet: WALLET, key: 'mine', data: 'aGk=' }, bearer(WALLET));
  });
  afterAll(() => app?.close());

  test('a page deletes nothing, whatever type it claims to send', async () => {
    const call = { wallet: WALLET, key: 'mine' };
    const refused = await app.post('/api/tools/delete_asset', call, asset(EVIL));
    const kept = await app.post('/api/tools/get_asset', call);
    expect([refused.status, refused.body.code, kept.status]).toEqual([403, 'forbidden_origin', 200]);
  });

  test.each([
    ['POST', '/api/uploads'],
    ['POST', '/api/wallet/register'],
    ['POST', '/api/cafe/post'],
    ['GET', `${POST}from+a+page`],
    ['GET', `/api/wallet/statement?wallet=${WALLET}`],
    ['DELETE', '/api/wallet/keys/key_1'],
  ])('a page may not %s %s', async (method, path) => {
    const reply = await app.fetch(new Request(`http://atelier.test${path}`, { method, headers: EVIL }));
    expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([
      403,
      'forbidden_origin',
    ]);
  });

  test.each([
    ['POST', '/api/tools/search_tools', 'cross-site', 403],
    ['POST', '/api/cafe/post', 'cross-site', 403],
    ['POST', '/api/cafe/post', 'same-site', 403],
    ['POST', '/api/tools/search_tools', 'same-origin', 200],
    ['GET', '/api/cafe/feed', 'cross-site', 200],
  ])('%s %s of a page that is %s, without an Origin, is answered %i', async (method, path, site, status) => {
    const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': site };
    const body = method === 'POST' ? JSON.stringify({ name: 'a', message: 'b' }) : null;
    const request = new Request(`http://atelier.test${path}`, { method, headers, body });
    expect((await app.fetch(request)).status).toBe(status);
  });

  test.each([
    ['a sandboxed frame', 'null', '127.0.0.1:8080', 403],
    ['a rebound host name', 'http://127.0.0.1.evil.example:8080', '127.0.0.1:8080', 403],
    ['another machine of the house', 'http://192.168.1.9', '127.0.0.1', 403],
    ['this machine under its address in the house', 'http://192.168.1.9', '192.168.1.9', 200],
  ])('a call of %s (%s, to %s) is answered %i', async (_who, Origin, Host, status) => {
    expect((await app.post('/api/tools/search_tools', {}, { Origin, Host })).status).toBe(status);
  });

  test.each([
    'http://localhost:3000',
    'http://127.0.0.1:5173',
    'http://atelier.test',
    'https://studio.example',
  ])('a page of %s may call', async (Origin) => {
    expect((await app.post('/api/tools/search_tools', {}, { Origin })).status).toBe(200);
  });

  test('public reads stay open to all', async () => {
    const { status, headers } = await app.get('/api/cafe/feed', EVIL);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  });

  test.each([
    ['rebound.example:8080', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1:8080', 200],
    ['[::1]:8080', 200],
    ['localhost', 200],
    ['atelier.localhost:8080', 200],
    ['atelier.test', 200],
    ['studio.example', 200],
  ])('a request to the host %s is %i, reads as well', async (Host, status) => {
    const reply = await app.get('/api/cafe/feed', { Host });
    expect(reply.status).toBe(status);
    if (status === 403) expect(reply.body.code).toBe('forbidden_host');
  });
});

describe('on the internet', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ PUBLIC_URL: 'https://atelier.example' });
  });
  afterAll(() => app?.close());

  test('pages of all sites call tools', async () => {
    const { status, headers } = await app.post('/api/tools/search_tools', {}, EVIL);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  });

  test('a proxy may send any host', async () => {
    expect((await app.get('/api/cafe/feed', { Host: 'backend:8080' })).status).toBe(200);
  });

  test.each([
    ['an <img>', 403, IMG],
    ['a script', 403, { ...IMG, 'Sec-Fetch-Dest': 'empty', 'Sec-Fetch-Mode': 'cors', ...EVIL }],
    ['a frame', 403, { ...IMG, 'Sec-Fetch-Dest': 'iframe', 'Sec-Fetch-Mode': 'navigate' }],
    ['an <img> of a sibling', 403, { ...IMG, 'Sec-Fetch-Site': 'same-site' }],
    ['a page that navigates by script', 403, { ...IMG, ...CLICK, 'Sec-Fetch-User': '' }],
    ['a clicked link', 200, { ...IMG, ...CLICK }],
    ['a clicked link on a sibling domain', 200, { ...IMG, ...CLICK, 'Sec-Fetch-Site': 'same-site' }],
    ['a typed address', 200, { ...CLICK, 'Sec-Fetch-Site': 'none' }],
    ['a page of this server', 200, { ...IMG, 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': 'empty' }],
    ['a program', 200, {}],
  ])('a post by GET of %s is answered %i', async (who, status, headers) => {
    const reply = await app.get(`${POST}${encodeURIComponent(who)}`, headers as Record<string, string>);
    const { body: feed } = await app.get('/api/cafe/feed');
    expect(reply.status).toBe(status);
    expect(feed.posts.some(({ message }: { message: string }) => message === who)).toBe(status === 200);
  });

  test.each([
    ['cross-site', 403],
    ['same-site', 403],
    ['same-origin', 303],
    ['none', 303],
  ])('a studio form of a page that is %s, without an Origin, is answered %i', async (site, status) => {
    const request = new Request('http://atelier.test/wallet', {
      method: 'POST',
      body: new URLSearchParams({ act: 'leave' }),
      headers: { 'Sec-Fetch-Site': site },
    });
    expect((await app.fetch(request)).status).toBe(status);
  });

  test('an <img> can show read-only endpoints', async () => {
    expect((await app.get('/api/cafe/feed', IMG)).status).toBe(200);
  });
});
