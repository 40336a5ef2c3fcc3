import { x402Client, x402HTTPClient } from '@x402/core/client';
import { parsePaymentRequired } from '@x402/core/schemas';
import { ExactEvmScheme } from '@x402/evm';
import { ExactEvmSchemeV1 } from '@x402/evm/v1';
import { wrapFetchWithPayment } from '@x402/fetch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeFacilitator, startFakeFacilitator } from '../support/fake_facilitator.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { decoded, NETWORK, newPayer, X402_SETTINGS } from '../support/x402_payer.ts';

/** The protocol's own clients, which know nothing of this service. */

let facilitator: FakeFacilitator;
let app: TestApp;
beforeAll(async () => {
  facilitator = await startFakeFacilitator();
  app = await openTestApp(X402_SETTINGS(facilitator.url));
});
afterAll(async () => {
  await app?.close();
  await facilitator?.close();
});

const URL_OF_TOOL = 'http://atelier.test/api/tools/save_asset';
const noteOf = (wallet: string) => ({ wallet, key: 'note', data: 'SGVsbG8=', content_type: 'text/plain' });
const viaApp = (async (input: string | URL | Request, init?: RequestInit) =>
  app.fetch(new Request(input, init))) as typeof fetch;

test('the version 2 client pays automatically', async () => {
  const payer = newPayer();
  const client = new x402Client().register(NETWORK, new ExactEvmScheme(payer.account));
  const paying = wrapFetchWithPayment(viaApp, client);
  const response = await paying(URL_OF_TOOL, { method: 'POST', body: JSON.stringify(noteOf(payer.wallet)) });
  expect(response.status).toBe(200);
  const settlement = new x402HTTPClient(client).getPaymentSettleResponse((name) =>
    response.headers.get(name),
  );
  expect(settlement).toMatchObject({ success: true, payer: payer.wallet });
});

test('a client that supports only version 1 pays from the body', async () => {
  const payer = newPayer();
  const client = new x402Client().registerV1('base-sepolia', new ExactEvmSchemeV1(payer.account));
  const http = new x402HTTPClient(client);
  const unpaid = await app.post('/api/tools/save_asset', noteOf(payer.wallet));
  const required = http.getPaymentRequiredResponse(() => null, unpaid.body);
  const headers = http.encodePaymentSignatureHeader(await http.createPaymentPayload(required));
  expect(Object.keys(headers)).toEqual(['X-PAYMENT']);
  const paid = await app.post('/api/tools/save_asset', noteOf(payer.wallet), headers);
  expect(paid.status).toBe(200);
  expect(http.getPaymentSettleResponse((name) => paid.headers.get(name))).toMatchObject({ success: true });
});

test('payment requirements over REST and MCP pass the protocol schemas', async () => {
  const { body, headers } = await app.post('/api/tools/save_asset', noteOf(newPayer().wallet));
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'save_asset', arguments: {} } };
  const { result } = (await app.post('/mcp', call)).body;
  const demands = [decoded(headers.get('payment-required')), body, result.structuredContent];
  const parsed = demands.map((demand) => parsePaymentRequired(demand));
  expect(parsed.map(({ success, data }) => [success, data?.x402Version])).toEqual([
    [true, 2],
    [true, 1],
    [true, 2],
  ]);
});
