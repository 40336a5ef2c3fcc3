import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLinks } from '../src/core/links/links.ts';
import { forEachApp } from './support/for_each_app.ts';
import { openTestApp, type TestApp } from './support/open_test_app.ts';

/** Bounds that hold for everybody: what one caller without credentials can neither fill nor hold up. */

const SECRET = 's'.repeat(40);
const GIGABYTES = 3 * 1024 ** 3;

forEachApp((open) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-fire-'));
  const links = createLinks({ publicUrl: 'http://atelier.test', secret: SECRET });
  let app: TestApp;
  let result: { id: string; link: string };

  beforeAll(async () => {
    app = await open({ DATA_DIR: folder, SIGNING_SECRET: SECRET });
    result = sparseResult();
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  /** A result that no process could read whole, and that takes no room. */
  function sparseResult() {
    const second = Math.floor(Date.now() / 1000);
    const hour = join(folder, 'results', new Date(second * 1000).toISOString().slice(0, 13));
    const id = `${second.toString(36)}-${'0'.repeat(32)}.tiff`;
    mkdirSync(hour, { recursive: true });
    writeFileSync(join(hour, id), 'II*');
    truncateSync(join(hour, id), GIGABYTES);
    const address = links.sign(`/api/results/${id}`, {}, new Date(Date.now() + 3_600_000));
    return { id, link: address.slice('http://atelier.test'.length) };
  }
  const rpc = (message: object) => app.post('/mcp', message);
  const read = (uri: string, id = 1) => ({ jsonrpc: '2.0', id, method: 'resources/read', params: { uri } });

  test('a huge result is not read for HEAD, a byte range or a cached version', async () => {
    const head = await app.fetch(new Request(`http://atelier.test${result.link}`, { method: 'HEAD' }));
    const etag = head.headers.get('ETag')!;
    expect([head.status, head.headers.get('Content-Length'), etag]).toEqual([
      200,
      String(GIGABYTES),
      `"${result.id}"`,
    ]);
    const byte = await app.get(result.link, { Range: 'bytes=1-1', 'If-Range': etag });
    expect([byte.status, byte.text, byte.headers.get('Content-Range')]).toEqual([
      206,
      'I',
      `bytes 1-1/${GIGABYTES}`,
    ]);
    expect((await app.get(result.link, { 'If-None-Match': etag })).status).toBe(304);
    expect((await app.get(result.link, { Range: `bytes=${GIGABYTES}-` })).status).toBe(416);
  });

  test.each(['handle', 'link'])('a huge result as an image, by its %s, is refused unread', async (by) => {
    const image = by === 'handle' ? `result:${result.id}` : `http://atelier.test${result.link}`;
    const { status, body } = await app.post('/api/tools/resize_image', { image, width: 9, height: 9 });
    expect([status, body.code, body.errors[0].field]).toEqual([413, 'payload_too_large', 'image']);
  });

  test('resources/read refuses it too, and names the link to fetch instead', async () => {
    const { error } = (await rpc(read(`atelier://results/${result.id}`))).body;
    expect(error.message).toContain('more than 25 MB');
    expect(error.data.result_url).toMatch(/^http:\/\/atelier\.test\/api\/results\/.+sig=/);
  });

  test('a response stored for a key contains no base64 and is replayed byte for byte', async () => {
    const noise = { create: { width: 200, height: 200, channels: 3 as const, background: 'red' } };
    const picture = await sharp({
      ...noise,
      create: { ...noise.create, noise: { type: 'gaussian', mean: 128, sigma: 40 } },
    })
      .png()
      .toBuffer();
    const call = { image: picture.toString('base64'), width: 180, height: 180, format: 'png' };
    const send = () => app.post('/api/tools/resize_image', call, { 'Idempotency-Key': 'fire-1' });
    const first = await send();
    const again = await send();
    expect(first.body.image_b64.length).toBeGreaterThan(16_384);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(again.text).toBe(first.text);
    expect(bytesIn(join(folder, 'blobs'))).toBeLessThan(4_000);
  });

  test.each([
    ['stored', 'x'.repeat(300_000), 200],
    ['of other bytes than expected', 'y'.repeat(300_000), 422],
    ['broken off', undefined, 400],
  ])('an upload that is %s leaves nothing where it arrived', async (_what, text, status) => {
    const half = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.alloc(300_000)),
      pull: (controller) => controller.error(new Error('reset')),
    });
    const expected = createHash('sha256').update('x'.repeat(300_000)).digest('hex');
    const init = { method: 'POST', body: text ?? half, duplex: 'half' } as RequestInit;
    const address = `http://atelier.test/api/uploads?expect_sha256=${expected}`;
    expect((await app.fetch(new Request(address, init))).status).toBe(status);
    expect(readdirSync(join(folder, 'arriving'))).toEqual([]);
  });

  test('a stored asset is streamed under the sha256 of its bytes', async () => {
    const wallet = `0x${'ab'.repeat(20)}`;
    await app.post('/api/wallet/register', { wallet });
    const saved = await app.post(
      '/api/tools/save_asset',
      { wallet, key: 'k', data: 'aGVsbG8=', content_type: 'text/plain' },
      { Authorization: `Bearer ${wallet}` },
    );
    const { status, text, headers } = await app.get(saved.body.url.slice('http://atelier.test'.length));
    const sha256 = createHash('sha256').update('hello').digest('hex');
    expect([status, text, headers.get('ETag')]).toEqual([200, 'hello', `"${sha256}"`]);
    damage(join(folder, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256));
    const damaged = await app.get(saved.body.url.slice('http://atelier.test'.length));
    expect([damaged.status, JSON.parse(damaged.text).code]).toEqual([500, 'stored_file_damaged']);
  });
});

describe('with room for little', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({
      MCP_PER_MINUTE: '5',
      FREE_TOOLS_PER_HOUR: '1',
      UPLOADS_BYTES_MAX: String(2 ** 20),
      KEPT_SHARE_PERCENT: '50',
    });
  });
  afterAll(() => app.close());

  test('each message of a batch is counted', async () => {
    const batch = Array.from({ length: 6 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
    const { status, body } = await app.post('/mcp', batch);
    expect([status, body.code]).toEqual([429, 'rate_limited']);
  });

  test('beyond the limit of its address a call is refused before its body is read', async () => {
    await app.post('/api/tools/search_tools', {});
    const body = new ReadableStream({
      pull: () => {
        throw new Error('the body was read');
      },
    });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    const request = new Request('http://atelier.test/api/tools/search_tools', init);
    expect((await app.fetch(request)).status).toBe(429);
  });

  test('an upload beyond the share of its address is refused before its body is read', async () => {
    const body = new ReadableStream({
      pull: () => {
        throw new Error('the body was read');
      },
    });
    const headers = { 'Content-Length': '600000' };
    const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit;
    const answer = await app.fetch(new Request('http://atelier.test/api/uploads', init));
    expect([answer.status, answer.headers.get('Connection')]).toEqual([429, 'close']);
  });

  test('one client cannot exceed its share of uploads', async () => {
    const upload = () => app.post('/api/uploads', 'x'.repeat(400_000));
    expect((await upload()).status).toBe(200);
    const { status, body, headers } = await upload();
    expect([status, body.code, headers.get('Retry-After')]).toEqual([429, 'too_much_kept', '600']);
  });
});

describe('while two addresses search images for watermarks', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ WORKERS: '2', TRUSTED_PROXIES: '127.0.0.1' });
  });
  afterAll(() => app.close());

  test('the resize of a third address is done before most of their searches', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const picture = sharp({ create: { width: 1600, height: 1600, channels: 3, background: '#888', noise } });
    // Small for its pixels, so that most searches wait before the first has ended.
    const image = (await picture.jpeg().toBuffer()).toString('base64');
    const ended: string[] = [];
    const call = async (address: string, tool: string, body: object, signal: AbortSignal) => {
      const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': address };
      const init = { method: 'POST', headers, body: JSON.stringify(body), signal };
      const { status } = await app.fetch(new Request(`http://atelier.test/api/tools/${tool}`, init));
      ended.push(`${tool} ${status}`);
    };
    const over = new AbortController();
    const searches = ['203.0.113.1', '203.0.113.2'].flatMap((address) =>
      [1, 2, 3, 4].map(() => call(address, 'watermark_detect', { image, parts: true }, over.signal)),
    );
    const waiting = /atelier_engine_runs_waiting\{length="long"\} [4-8]/;
    await expect.poll(async () => (await app.get('/metrics')).text).toMatch(waiting);
    await call(
      '203.0.113.3',
      'resize_image',
      { image, width: 200, height: 200 },
      AbortSignal.timeout(60_000),
    );
    // In the order of arrival it would be the ninth.
    expect(ended.indexOf('resize_image 200')).toBeOneOf([0, 1, 2, 3]);
    over.abort();
    await Promise.allSettled(searches);
  });
});

describe('on a disk that is almost full', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ DISK_FREE_MIN_BYTES: String(2 ** 50), REFUSALS_PER_MINUTE: '3' });
  });
  afterAll(() => app.close());

  test.each<[string, string | object]>([
    ['/api/uploads', 'bytes'],
    ['/api/cafe/post', { name: 'a', message: 'hello' }],
  ])('%s keeps nothing', async (path, sent) => {
    const { status, body, headers } = await app.post(path, sent);
    expect([status, body.code, headers.get('Retry-After')]).toEqual([503, 'storage_full', '300']);
  });

  test('reads work, and /health reports the cause', async () => {
    const health = await app.get('/health');
    expect([health.status, health.body.status, health.body.checks.room]).toEqual([200, 'degraded', 'failed']);
    expect((await app.get('/api/cafe/feed')).status).toBe(200);
  });

  test('an address that is refused over and over is not listened to for a while', async () => {
    const statuses = [];
    for (let call = 0; call < 5; call += 1) {
      statuses.push((await app.post('/api/tools/resize_image', '{')).status);
    }
    expect(statuses).toEqual([400, 400, 400, 429, 429]);
    expect((await app.post('/api/tools/search_tools', {})).body.violated_policies).toEqual(['refusals']);
  });
});

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}

const damage = (path: string) => writeFileSync(path, 'hallo');
