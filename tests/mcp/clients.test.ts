import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { mcpJson } from '../../src/catalog/mcp_card.ts';
import { createMcp } from '../../src/interfaces/mcp/index.ts';
import { type FakeContext, fakeContext, USED_KEY, WALLET } from './fake_context.ts';
import { type Listening, listen } from './listen.ts';
import { PICTURE } from './picture.ts';

const CARD = mcpJson([], { publicUrl: 'https://atelier.test', version: '0.5.0' });
const WITH_WALLET = { authorization: `Bearer ${WALLET}` };

let context: FakeContext;
let server: Listening;
const clients: Client[] = [];
const reported: unknown[] = [];

beforeAll(async () => {
  context = fakeContext();
  server = await listen(
    createMcp(context, {
      publicUrl: 'https://atelier.test',
      allowedOrigins: [],
      version: '0.5.0',
      report: (error) => reported.push(error),
    }),
  );
});

afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));
afterAll(() => server.close());

/** The official client, in either era; it checks every answer against the listed schemas. */
async function connect(era: string, headers: Record<string, string> = {}): Promise<Client> {
  const mode = era === '2026-07-28' ? { pin: era } : ('legacy' as const);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }));
  clients.push(client);
  return client;
}

type Answer = Record<string, unknown>;

describe.each(['2025-11-25', '2026-07-28'])('revision %s', (era) => {
  test('the server describes itself and how to begin', async () => {
    const client = await connect(era);

    expect(client.getServerVersion()).toMatchObject({
      name: 'atelier',
      version: '0.5.0',
      icons: [{ mimeType: 'image/svg+xml' }],
    });
    expect(client.getInstructions()).toContain('register_wallet');
    expect(client.getServerCapabilities()).toEqual(CARD.capabilities);
    expect(CARD.supportedProtocolVersions).toContain(client.getNegotiatedProtocolVersion());
  });

  test('tools are listed with price, effects and both schemas', async () => {
    const { tools } = await (await connect(era)).listTools();
    const paid = tools.find(({ name }) => name === 'think_hard');

    expect(paid?.description).toMatch(/^Costs 2 credits \(0\.20 USD\)\. /);
    expect(paid?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    });
    expect(paid?._meta).toMatchObject({ 'io.github.atelier/price': { credit: 2, usd: 0.2 } });
  });

  test('a free tool runs anonymously', async () => {
    const client = await connect(era);
    await client.listTools();
    const answer = await client.callTool({ name: 'say_hello', arguments: { name: 'Ada' } });

    expect(answer.structuredContent).toEqual({
      greeting: 'Hello, Ada.',
      cost: { credit: 0, usd: 0, note: expect.any(String) },
      next_steps: [],
    });
  });

  test('invalid input returns an error result that the model can read', async () => {
    const answer = await (await connect(era)).callTool({ name: 'say_hello', arguments: { nam: 1 } });

    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toMatchObject({ code: 'invalid_input', status: 400, instance: '/mcp' });
    expect(JSON.parse((answer.content[0] as { text: string }).text)).toEqual(answer.structuredContent);
  });

  test('an unpaid call to a paid tool returns a result with payment instructions', async () => {
    const answer = await (await connect(era)).callTool({ name: 'think_hard', arguments: {} });

    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toMatchObject({
      code: 'payment_required',
      status: 402,
      credits: { required: 2 },
    });
  });

  test('a malformed payment token also returns an error result', async () => {
    const client = await connect(era, { authorization: 'Bearer nonsense' });
    const answer = await client.callTool({ name: 'think_hard', arguments: {} });

    expect(answer.structuredContent).toMatchObject({ code: 'invalid_token' });
  });

  test('a paid tool runs for a wallet and is settled once', async () => {
    context.money.length = 0;
    const client = await connect(era, WITH_WALLET);
    await client.listTools();
    const answer = await client.callTool({ name: 'think_hard', arguments: {} });

    expect(answer.structuredContent).toMatchObject({ thought: '42', cost: { credit: 2, usd: 0.2 } });
    expect(context.money).toEqual(['hold', 'settle']);
  });

  test('a dry run returns the price in the listed schema', async () => {
    const client = await connect(era);
    await client.listTools();
    const answer = await client.callTool({ name: 'think_hard', arguments: { dry_run: true } });

    expect(answer.structuredContent).toMatchObject({
      dry_run: true,
      quote: { credit: 2 },
      cost: { credit: 0 },
    });
  });

  test('a payment intent can be sent in _meta', async () => {
    const client = await connect(era);
    const _meta = { 'io.github.atelier/payment-intent': 'pi_1' };
    const answer = await client.callTool({ name: 'think_hard', arguments: {}, _meta });

    expect((answer.structuredContent as Answer).code).toBe('payments_not_configured');
  });

  test('an idempotency key can be sent in _meta, and a header overrides it', async () => {
    const _meta = { 'io.github.atelier/idempotency-key': USED_KEY };
    const hello = { name: 'say_hello', arguments: { name: 'Ada' }, _meta };
    const reused = await (await connect(era)).callTool(hello);
    const fresh = await (await connect(era, { 'idempotency-key': 'fresh' })).callTool(hello);

    expect(reused.structuredContent).toMatchObject({ code: 'idempotency_key_reused' });
    expect(fresh.isError).toBeUndefined();
  });

  test('an image is returned as summary, preview and link, never as text', async () => {
    const client = await connect(era);
    await client.listTools();
    const answer = await client.callTool({
      name: 'paint_picture',
      arguments: { image: 'abcd', output: 'base64' },
    });

    expect(answer.content.map(({ type }) => type)).toEqual(['text', 'image', 'resource_link']);
    expect(JSON.stringify(answer.structuredContent)).not.toContain(PICTURE.base64);
    expect((answer.content[0] as { text: string }).text).not.toContain(PICTURE.base64);
    expect(answer.content[2]).toMatchObject({ name: 'paint_picture.png', mimeType: 'image/png', size: 70 });
  });

  test('the preview can be omitted', async () => {
    const client = await connect(era);
    const answer = await client.callTool({
      name: 'paint_picture',
      arguments: { image: 'abcd', include_preview: false },
    });

    expect(answer.content.map(({ type }) => type)).toEqual(['text', 'resource_link']);
    expect((answer.structuredContent as Answer).warnings).toBeUndefined();
  });

  test('small files without a link are embedded, and large ones say how to fetch them', async () => {
    const client = await connect(era);
    await client.listTools();
    const small = await client.callTool({ name: 'get_file', arguments: { size: 10 } });
    const large = await client.callTool({ name: 'get_file', arguments: { size: 1_000_000 } });

    expect(small.content[1]).toMatchObject({ type: 'resource', resource: { blob: 'BwcHBwcHBwcHBw==' } });
    expect(large.content).toHaveLength(1);
    expect((large.structuredContent as Answer).warnings).toEqual([
      expect.stringContaining('/api/tools/get_file'),
    ]);
  });

  test('a result can be read as a resource', async () => {
    const client = await connect(era);
    const { resourceTemplates } = await client.listResourceTemplates();
    const { contents } = await client.readResource({ uri: `atelier://results/${PICTURE.id}` });

    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('atelier://results/{id}');
    expect(contents).toMatchObject([{ mimeType: 'image/png', blob: PICTURE.base64 }]);
  });

  test.each(['atelier://results/unknown', 'file:///etc/passwd'])('%s is not found', async (uri) => {
    await expect((await connect(era)).readResource({ uri })).rejects.toMatchObject({ code: -32602 });
  });

  test('progress arrives before the result and strictly increases', async () => {
    const seen: number[] = [];
    const client = await connect(era, WITH_WALLET);
    await client.callTool(
      { name: 'think_hard', arguments: { steps: 4 } },
      { onprogress: ({ progress }) => seen.push(progress) },
    );

    expect(seen).toEqual([25, 50, 75, 100]);
  });

  test('warnings are also logged; the newest revision logs them on request only', async () => {
    const logged: unknown[] = [];
    const client = await connect(era);
    client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params));
    const hello = { name: 'say_hello', arguments: { name: 'Ada', nam: 'Eve' } };
    await client.callTool({ ...hello, _meta: { 'io.modelcontextprotocol/logLevel': 'info' } });

    expect(logged).toEqual([{ level: 'warning', logger: 'say_hello', data: expect.stringContaining('nam') }]);
  });

  test('an internal error is reported to the operator and hidden from the client', async () => {
    reported.length = 0;
    const answer = await (await connect(era)).callTool({ name: 'break_down', arguments: {} });

    expect(answer.structuredContent).toMatchObject({ code: 'internal_error', request_id: 'req_test' });
    expect(JSON.stringify(answer)).not.toContain('the secret reason');
    expect(reported).toEqual([expect.objectContaining({ message: 'the secret reason' })]);
  });
});
