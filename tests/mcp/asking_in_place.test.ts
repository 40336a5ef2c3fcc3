import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { newOwner } from '../support/owner.ts';

/** A person who is asked in the middle of a call, by both official clients: what they open, do, and what the call answers then. */

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const URL_OF_MCP = new URL('http://atelier.test/mcp');
const viaApp = async (url: string | URL, init?: RequestInit) => app.fetch(new Request(url, init));
type Answer = { isError?: boolean; structuredContent?: Record<string, unknown> };
type Person = (url: string) => Promise<'accept' | 'decline'>;

/** The client of 2026-07-28, which comes again by itself once its person has answered. */
async function connect2(person?: Person): Promise<Client2> {
  const client = new Client2(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      capabilities: person ? { elicitation: { url: {} } } : {},
    },
  );
  if (person)
    client.setRequestHandler('elicitation/create', async ({ params }) => ({
      action: await person((params as { url: string }).url),
    }));
  await client.connect(new Transport2(URL_OF_MCP, { fetch: viaApp }));
  return client;
}

async function connect1(canOpen: boolean): Promise<Client1> {
  const client = new Client1(
    { name: 'test', version: '1' },
    { capabilities: canOpen ? { elicitation: { url: {} } } : {} },
  );
  if (canOpen) client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept' as const }));
  await client.connect(new Transport1(URL_OF_MCP, { fetch: viaApp }) as Parameters<typeof client.connect>[0]);
  return client;
}

/** Its owner wants to be asked about every call. */
async function carefulOwner() {
  const owner = await newOwner(app);
  await app.post('/api/wallet/spending', { approval_above: 0 }, await owner.signIn());
  const decide = async (url: string, decision: 'grant' | 'refuse') => {
    const id = url.split('/').at(-1);
    const { message } = (await app.post(`/api/wallet/approvals/${id}/message`, { decision })).body;
    const signature = await owner.account.signMessage({ message });
    expect((await app.post(`/api/wallet/approvals/${id}`, { decision, signature })).status).toBe(200);
  };
  const args = { wallet: owner.wallet, payer: owner.wallet, key: 'note', data: 'aGVsbG8=' };
  return { ...owner, decide, call: { name: 'save_asset', arguments: args } };
}
const call = {
  name: 'save_asset',
  arguments: { wallet: `0x${'6'.repeat(40)}`, key: 'note', data: 'aGVsbG8=' },
};

describe('2026-07-28', () => {
  test('a call continues once it is approved at the link', async () => {
    const owner = await carefulOwner();
    const opened: string[] = [];
    const client = await connect2(async (url) => {
      opened.push(url);
      await owner.decide(url, 'grant');
      return 'accept';
    });
    const { structuredContent } = (await client.callTool(owner.call)) as Answer;
    expect(structuredContent).toMatchObject({ key: 'note', payment: { wallet: owner.wallet } });
    expect(opened).toEqual([expect.stringMatching(/^http:\/\/atelier\.test\/approve\/[0-9a-f]{32}$/)]);
  });

  test('a call waits for an approval still in progress at the link', async () => {
    const owner = await carefulOwner();
    const client = await connect2(async (url) => {
      setTimeout(() => void owner.decide(url, 'grant'), 300);
      return 'accept';
    });
    expect((await client.callTool(owner.call)) as Answer).toMatchObject({
      structuredContent: { key: 'note' },
    });
  });

  test('a call declined at the link, or whose link is declined, returns the usual refusal', async () => {
    const owner = await carefulOwner();
    const unwilling = await connect2(async () => 'decline');
    expect((await unwilling.callTool(owner.call)) as Answer).toMatchObject({
      isError: true,
      structuredContent: { code: 'approval_required' },
    });
    const refusing = await connect2(async (url) => {
      await owner.decide(url, 'refuse');
      return 'accept';
    });
    expect((await refusing.callTool(owner.call)) as Answer).toMatchObject({
      isError: true,
      structuredContent: { code: 'approval_refused' },
    });
  });

  test('a card payment at the link pays for the call', async () => {
    const client = await connect2(async (url) => {
      const id = new URL(url).pathname.split('/').at(-1);
      await app.post('/api/dev/confirm-payment-intent', { payment_intent_id: id });
      return 'accept';
    });
    expect((await client.callTool(call)) as Answer).toMatchObject({
      structuredContent: { payment: { method: 'card', charged_usd: 0.5 } },
    });
  });

  test('a forged request state grants nothing', async () => {
    const owner = await carefulOwner();
    const state = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const requestState of [
      state({ approval: `apr_${'0'.repeat(32)}` }),
      state({ payer: owner.wallet }),
      '!',
    ]) {
      const params = {
        ...owner.call,
        requestState,
        inputResponses: { person: { action: 'accept' } },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
        },
      };
      const headers = {
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'tools/call',
        'Mcp-Name': 'save_asset',
      };
      const { body } = await app.post(
        '/mcp',
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
        headers,
      );
      expect(body.result.structuredContent?.payment).toBeUndefined();
    }
  });
});

describe('2025-11-25', () => {
  test('the client gets the link as an error, and the call continues once approved', async () => {
    const owner = await carefulOwner();
    const client = await connect1(true);
    const asked = await client.callTool(owner.call).catch((error: unknown) => error);
    expect(asked).toBeInstanceOf(UrlElicitationRequiredError);
    const { url } = (asked as UrlElicitationRequiredError).elicitations[0]!;
    await expect(client.callTool(owner.call)).rejects.toMatchObject({ code: -32042 });
    await owner.decide(url, 'grant');
    expect((await client.callTool(owner.call)) as Answer).toMatchObject({
      structuredContent: { key: 'note' },
    });
    // It was for one call.
    await expect(client.callTool(owner.call)).rejects.toMatchObject({ code: -32042 });
  });

  test('credits bought at the link pay for the same call', async () => {
    const { wallet } = await newOwner(app);
    const spend = { name: 'save_asset', arguments: { ...call.arguments, wallet, payer: wallet } };
    const client = await connect1(true);
    for (let at = 0; at < 10; at += 1)
      await client.callTool({ ...spend, arguments: { ...spend.arguments, key: `k${at}` } });
    const asked = (await client
      .callTool(spend)
      .catch((error: unknown) => error)) as UrlElicitationRequiredError;
    const { url } = asked.elicitations[0]!;
    await app.post('/api/dev/pay-checkout', { session_id: new URL(url).pathname.split('/').at(-1) });
    await app.get(`/paid?session_id=${new URL(url).pathname.split('/').at(-1)}`);
    expect((await client.callTool(spend)) as Answer).toMatchObject({
      structuredContent: { payment: { wallet } },
    });
  });
});

describe('a client without link support', () => {
  test.each([
    ['1.x', () => connect1(false)],
    ['2.x', () => connect2()],
  ])('version %s gets the result of the call and no session', async (_version, connect) => {
    const owner = await carefulOwner();
    const client = await connect();
    expect((await client.callTool(owner.call)) as Answer).toMatchObject({
      isError: true,
      structuredContent: { code: 'approval_required', approval: { state: 'waiting' } },
    });
    expect((client.transport as { sessionId?: string }).sessionId).toBeUndefined();
  });
});
