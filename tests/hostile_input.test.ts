import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../src/features/definitions/example_image.ts';
import { openTestApp, type TestApp } from './support/open_test_app.ts';

const MIB = 1024 * 1024;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

describe('bodies', () => {
  test('200 MB are refused by their header, without being read', async () => {
    const request = new Request('http://atelier.test/api/tools/resize_image', {
      method: 'POST',
      headers: { 'Content-Length': String(200 * MIB) },
      body: '{}',
    });
    const response = await app.fetch(request);
    expect(response.status).toBe(413);
  });

  test('200 MB that lie about their length are refused while they arrive', async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 200) controller.close();
        else controller.enqueue(new Uint8Array(MIB).fill(0x20));
      },
    });
    const request = new Request('http://atelier.test/api/tools/resize_image', {
      method: 'POST',
      body,
      duplex: 'half',
    } as RequestInit);
    const response = await app.fetch(request);
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(60);
  });

  test.each([
    '',
    ' ',
    '\u0000',
    '{"a"',
    '{"a":1}}',
    '{"a":01}',
    'NaN',
    "{'a':1}",
    '<xml/>',
    '\ud800',
    '{"__proto__":{"x":1}}',
    `{"image":${'['.repeat(200_000)}`,
  ])('%j is a 4xx', async (text) => {
    const { status, body } = await app.post('/api/tools/resize_image', text.slice(0, 300_000));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(body.detail).toEqual(expect.any(String));
  });

  test('nesting as deep as the body allows is refused before it is parsed, over MCP too', async () => {
    const deep = `{"image":"x","width":1,"height":1,"x":${'['.repeat(450_000)}${']'.repeat(450_000)}}`;
    const { status, body } = await app.post('/api/tools/resize_image', deep);
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'payload_too_large' });
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"resize_image","arguments":${deep}}}`;
    const over = await app.post('/mcp', `[${message}]`);
    expect([over.status, over.body.error.message]).toEqual([413, expect.stringContaining('64 levels deep')]);
  });

  test('a million fields are refused before they are parsed', async () => {
    const fields = Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":1`).join(',');
    const { status, body } = await app.post('/api/tools/resize_image', `{${fields}}`);
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'payload_too_large' });
  });

  test('numbers beyond numbers are a 4xx', async () => {
    for (const width of ['1e999', '-0', '1e-999', '99999999999999999999999']) {
      const { status } = await app.post(
        '/api/tools/resize_image',
        `{"image":"${EXAMPLE_PNG_B64}","width":${width},"height":1}`,
      );
      expect(status).toBe(400);
    }
  });
});

describe('a call that fails', () => {
  const wallet = '0x00000000000000000000000000000000000000c1';
  const bearer = { Authorization: `Bearer ${wallet}` };

  test.each([
    [{ wallet, key: 'k', data: '***' }],
    [{ wallet, key: '', data: 'aGk=' }],
    [{ wallet, key: 'a\u0000b', data: 'aGk=' }],
    [{ wallet, key: 'k', data: 'aGk=', content_type: 'text/html\r\nX: y' }],
    [{ wallet, key: 'k', data: 'aGk=', metadata: 'text' }],
    [{ wallet: '0x00000000000000000000000000000000000000c2', key: 'k', data: 'aGk=' }],
  ])('costs nothing: %j', async (body) => {
    await app.post('/api/wallet/register', { wallet });
    const { status } = await app.post('/api/tools/save_asset', body, bearer);
    const balance = await app.post('/api/tools/check_balance', { wallet });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(balance.body).toMatchObject({ balance: 10, held: 0 });
  });
});
