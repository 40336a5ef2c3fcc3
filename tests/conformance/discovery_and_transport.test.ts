import { describe, expect, test } from 'vitest';
import { baseUrl, callTool, get, post } from './api.ts';

describe('discovery', () => {
  test('/health', async () => {
    const { status, body } = await get('/health');
    expect({ status, health: body.status }).toEqual({ status: 200, health: 'ok' });
  });

  test('/openapi.json is 3.0.3 and version 0.5.0', async () => {
    const { body } = await get('/openapi.json');
    expect(body).toMatchObject({ openapi: '3.0.3', info: { version: '0.5.0' } });
  });

  test('/llms.txt is plain text with one heading', async () => {
    const { headers, text } = await get('/llms.txt');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text.match(/^# /gm)).toHaveLength(1);
  });

  test('/pricing.json and search_tools agree', async () => {
    const [pricing, search] = await Promise.all([get('/pricing.json'), callTool('search_tools', {})]);
    const prices = Object.fromEntries(
      pricing.body.tools.map(({ name, cost }: { name: string; cost: { credit: number } }) => [
        name,
        cost.credit,
      ]),
    );
    expect(
      search.body.tools.map(({ name, cost }: { name: string; cost: { credit: number } }) => [
        name,
        cost.credit,
      ]),
    ).toEqual(Object.entries(prices));
  });

  test('/.well-known/mcp.json points to the endpoint', async () => {
    const { body } = await get('/.well-known/mcp.json');
    expect(body.endpoint).toMatch(/\/mcp$/);
  });

  test.each(['/openapi.json', '/pricing.json', '/llms.txt', '/.well-known/mcp.json', '/api/credits'])(
    '%s has a strong ETag and answers 304',
    async (path) => {
      const first = await get(path);
      const second = await get(path, { 'If-None-Match': first.headers.get('etag')! });
      expect(first.headers.get('etag')).toMatch(/^"/);
      expect(second.status).toBe(304);
    },
  );

  test('HEAD works', async () => {
    const response = await fetch(`${baseUrl()}/pricing.json`, { method: 'HEAD' });
    expect(response.status).toBe(200);
  });
});

describe('search_tools and get_tool_schema', () => {
  test('max_price_usd 0 means free only', async () => {
    const { body } = await callTool('search_tools', { max_price_usd: 0 });
    expect(body.tools.every(({ free }: { free: boolean }) => free)).toBe(true);
  });

  test('category free means price 0', async () => {
    const [free, zero] = await Promise.all([
      callTool('search_tools', { category: 'free' }),
      callTool('search_tools', { max_price_usd: 0 }),
    ]);
    expect(free.body.tools).toEqual(zero.body.tools);
  });

  test('every tool found has a schema', async () => {
    const { body } = await callTool('search_tools', {});
    const schemas = await Promise.all(
      body.tools.map(({ name }: { name: string }) => callTool('get_tool_schema', { tool_name: name })),
    );
    expect(schemas.every((schema) => schema.body.input_schema.type === 'object')).toBe(true);
  });

  test('an unknown tool is 404 with a guess', async () => {
    const { status, body } = await callTool('get_tool_schema', { tool_name: 'resize_imgae' });
    expect(status).toBe(404);
    expect(body.did_you_mean).toContain('resize_image');
  });
});

describe('POST /mcp', () => {
  const rpc = (method: string, params: object = {}) =>
    post('/mcp', { jsonrpc: '2.0', id: 1, method, params });

  test('a plain JSON POST gets a JSON-RPC response', async () => {
    const { status, headers, body } = await rpc('tools/list');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
    expect(body.result.tools.length).toBeGreaterThan(0);
  });

  test('a tool returns the same as over REST', async () => {
    const { body } = await rpc('tools/call', {
      name: 'check_balance',
      arguments: { wallet: '0x00000000000000000000000000000000000000bb' },
    });
    expect(body.result.structuredContent).toMatchObject({
      registered: false,
      balance: 0,
      cost: { credit: 0 },
    });
  });

  test('an unpaid call is an error the model can read, never HTTP 402', async () => {
    const { status, body } = await rpc('tools/call', { name: 'save_asset', arguments: {} });
    expect(status).toBe(200);
    expect(body.result).toMatchObject({ isError: true, structuredContent: { code: 'payment_required' } });
  });

  test('GET is 405', async () => {
    const { status } = await get('/mcp');
    expect(status).toBe(405);
  });
});

describe('POST /api/webhooks/register', () => {
  test('acknowledges a registration', async () => {
    const { status, body } = await post('/api/webhooks/register', {
      url: 'https://example.com/hook',
      events: ['asset.saved'],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ url: 'https://example.com/hook', events: ['asset.saved'] });
  });

  test('neither field is required', async () => {
    const { status } = await post('/api/webhooks/register', {});
    expect(status).toBe(200);
  });
});

describe('errors', () => {
  test('broken JSON is 400', async () => {
    const { status, body } = await callTool('resize_image', '{"image":');
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_json' });
  });

  test.each(['[]', '"x"', '5', 'null'])('%s is not an object', async (text) => {
    const { status, body } = await callTool('resize_image', text);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_json' });
  });

  test('JSON without a content type, or as plain text, is taken', async () => {
    const reply = await callTool('search_tools', '{}', { 'Content-Type': 'text/plain' });
    expect(reply.status).toBe(200);
  });

  test('a form is 415', async () => {
    const { status } = await callTool('search_tools', 'a=1', {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    expect(status).toBe(415);
  });

  test('an unknown tool is 404 with a guess', async () => {
    const { status, body } = await callTool('resize-image', {});
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'unknown_tool' });
    expect(body.did_you_mean).toContain('resize_image');
  });

  test('an unknown path is 404, a known one with another method 405', async () => {
    const missing = await get('/api/nothing');
    const wrong = await get('/api/tools/resize_image');
    expect([missing.status, wrong.status]).toEqual([404, 405]);
    expect(wrong.headers.get('allow')).toBe('POST');
  });

  test('every failure has the same shape', async () => {
    const { body, headers } = await callTool('resize_image', { width: 'x' });
    expect(body).toMatchObject({
      type: expect.any(String),
      title: expect.any(String),
      status: 400,
      detail: expect.any(String),
      instance: '/api/tools/resize_image',
      code: 'invalid_input',
      retryable: false,
      errors: expect.any(Array),
      next_steps: expect.any(Array),
    });
    expect(body.error).toBe(body.detail);
    expect(body.request_id).toBe(headers.get('x-request-id'));
  });

  test('the type of a problem is a page', async () => {
    const { body } = await callTool('resize_image', {});
    const page = await get(new URL(body.type).pathname);
    expect(page.status).toBe(200);
  });

  test('a request id sent is echoed, a wild one replaced', async () => {
    const [kept, replaced] = await Promise.all([
      get('/health', { 'X-Request-Id': 'mine-1' }),
      get('/health', { 'X-Request-Id': 'a b<c>' }),
    ]);
    expect(kept.headers.get('x-request-id')).toBe('mine-1');
    expect(replaced.headers.get('x-request-id')).toMatch(/^req_/);
  });

  test('any web page may read and call', async () => {
    const { headers } = await get('/pricing.json', { Origin: 'https://example.com' });
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('limits', () => {
  test('every tool call returns the remaining calls', async () => {
    const { headers } = await callTool('search_tools', {});
    expect(headers.get('ratelimit-policy')).toMatch(/^"free-tools";q=\d+;w=3600$/);
    expect(headers.get('ratelimit')).toMatch(/^"free-tools";r=\d+;t=\d+$/);
  });
});
