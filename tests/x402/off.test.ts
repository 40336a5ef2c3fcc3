import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { newPayer, v1, v2, X402_SETTINGS } from '../support/x402_payer.ts';

/** Where it is not configured, nothing of x402 appears anywhere. */

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

test.each([
  '/openapi.json',
  '/llms.txt',
  '/llms-full.txt',
  '/pricing.json',
  '/.well-known/mcp.json',
  '/api/credits',
])('%s does not mention x402', async (path) => {
  const { status, text } = await app.get(path);
  expect(status).toBe(200);
  expect(text).not.toMatch(/x402|payment-signature|payment-required"/i);
});

test('the x402 resource directory returns 404', async () => {
  expect((await app.get('/.well-known/x402')).status).toBe(404);
});

test('a 402 mentions x402 neither in a header nor over MCP', async () => {
  const { headers, text } = await app.post('/api/tools/save_asset', {}, { Origin: 'http://localhost:3000' });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'save_asset', arguments: {} } };
  const overMcp = await app.post('/mcp', call);
  const all = [text, overMcp.text, JSON.stringify([...headers])].join();
  expect(all).not.toMatch(/x402|PAYMENT-(REQUIRED|RESPONSE)|"accepts"/);
});

test('the response schema lists only accepted payment methods', async () => {
  const { text } = await app.post('/api/tools/get_tool_schema', { tool_name: 'save_asset', detail: 'full' });
  expect(text).toContain('payment_intent_id');
  expect(text).not.toMatch(/x402/i);
});

test('an x402 payment is not accepted', async () => {
  const payer = newPayer();
  for (const headers of [v2(await payer.pay()), v1(await payer.payV1()), { 'X-PAYMENT': '!' }]) {
    const { status, body } = await app.post('/api/tools/save_asset', {}, headers);
    expect({ status, code: body.code }).toEqual({ status: 402, code: 'payment_required' });
  }
});

const RIGHT = X402_SETTINGS('http://127.0.0.1:9');
test.each([
  ['no facilitator', { ...RIGHT, X402_FACILITATOR_URL: '' }, /both X402_PAY_TO and X402_FACILITATOR_URL/],
  ['a password', { ...RIGHT, X402_FACILITATOR_URL: 'http://a:b@127.0.0.1:9' }, /user name or password/],
  ['no place for the money', { ...RIGHT, X402_PAY_TO: '' }, /both X402_PAY_TO/],
  ['an invalid address', { ...RIGHT, X402_PAY_TO: '0x12' }, /X402_PAY_TO: must be 0x/],
  ['an unknown network', { ...RIGHT, X402_NETWORKS: 'eip155:5' }, /"eip155:5" is neither one of eip155:8453/],
  ['half a token', { ...RIGHT, X402_NETWORKS: 'eip155:8453/erc20:0x12/6/USDC/2' }, /in the form eip155/],
  ['a network twice', { ...RIGHT, X402_NETWORKS: 'eip155:8453, eip155:8453' }, /one token per network/],
])('the service does not start with %s', async (_what, settings, why) => {
  await expect(openTestApp(settings)).rejects.toThrow(why);
});
