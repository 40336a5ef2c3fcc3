import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ORIGINAL_PNG_B64 } from '../../src/features/definitions/sample_pictures.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';

/** What an image shows, told by the agent that calls or by the model of its client. */

const WALLET = `0x${'7'.repeat(40)}`;
const SEEN = { subject: 'two mountains', setting: 'behind a lake' };
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.post('/api/wallet/register', { wallet: WALLET });
});
afterAll(() => app?.close());

interface Result {
  readonly content: { type: string; mimeType?: string; text?: string }[];
  readonly structuredContent: Record<string, unknown>;
}

/** @param model answers a request for sampling; absent: the client offers none */
async function connect(model?: (messages: unknown) => string): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: model ? { sampling: {} } : {} },
  );
  if (model)
    client.setRequestHandler('sampling/createMessage', async ({ params }) => ({
      model: 'eyes',
      role: 'assistant' as const,
      content: { type: 'text' as const, text: model(params.messages) },
    }));
  const viaApp = async (url: string | URL, init?: RequestInit) => app.fetch(new Request(url, init));
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://atelier.test/mcp'), { fetch: viaApp }),
  );
  return client;
}

const enrich = async (client: Client, more: object = { payer: WALLET }) =>
  (await client.callTool({
    name: 'enrich_metadata',
    arguments: { image: ORIGINAL_PNG_B64, tier: 'standard', ...more },
  })) as unknown as Result;

test('a call without observations returns the image for free, and the next call costs the tier', async () => {
  const client = await connect();
  const { content, structuredContent } = await enrich(client);
  expect(content.map(({ type }) => type)).toContain('image');
  expect(structuredContent).toMatchObject({ state: 'needs_observations', cost: { credit: 0 } });
  const second = await enrich(client, { payer: WALLET, observations: SEEN });
  expect(second.structuredContent).toMatchObject({
    state: 'complete',
    cost: { credit: 1 },
    metadata: { alt_text: 'Two mountains behind a lake.' },
  });
});

test('the client’s model is asked for observations, so that one call suffices', async () => {
  const asked: unknown[] = [];
  const client = await connect((messages) => {
    asked.push(messages);
    return `Here you are:\n\`\`\`json\n${JSON.stringify({ ...SEEN, mood: 'calm' })}\n\`\`\``;
  });
  const { structuredContent } = await enrich(client);
  expect(structuredContent).toMatchObject({ state: 'complete', evidence: { title: { basis: 'observed' } } });
  expect(JSON.stringify(asked)).toContain('"type":"image"');
  expect(asked).toHaveLength(1);
});

test('an unusable model response leaves the call free', async () => {
  const client = await connect(() => 'I cannot see.');
  const { structuredContent } = await enrich(client);
  expect(structuredContent).toMatchObject({ state: 'needs_observations', cost: { credit: 0 } });
});

test.each([null, [null], [{ type: 'text' }]])('the model response %j causes no failure', async (content) => {
  const response = await app.fetch(
    new Request('http://atelier.test/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'tools/call',
        'Mcp-Name': 'enrich_metadata',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'enrich_metadata',
          arguments: { image: ORIGINAL_PNG_B64, tier: 'standard', payer: WALLET },
          inputResponses: { observer: { role: 'assistant', model: 'eyes', content } },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': { sampling: {} },
          },
        },
      }),
    }),
  );
  expect(await response.text()).toContain('needs_observations');
});

test('the 402 of an unpaid call includes the brief within 1,600 tokens', async () => {
  const { content, structuredContent } = await enrich(await connect(), {});
  expect(structuredContent).toMatchObject({
    code: 'payment_required',
    observer: { brief: expect.any(String) },
  });
  expect(encode(content[0]!.text!).length).toBeLessThan(1600);
});
