import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { mcpJson } from '../../src/catalog/mcp_card.ts';
import { createMcp } from '../../src/interfaces/mcp/index.ts';
import { type FakeKit, fakeKit, USED_KEY, WALLET } from './fake_kit.ts';
import { type Listening, listen } from './listen.ts';
import { PICTURE } from './picture.ts';

const CARD = mcpJson([], { publicUrl: 'https://atelier.test', version: '0.5.0' });
const WITH_WALLET = { authorization: `Bearer ${WALLET}` };

let kit: FakeKit;
let server: Listening;
const clients: Client[] = [];
const reported: unknown[] = [];

beforeAll(async () => {
  kit = fakeKit();
  server = await listen(
    createMcp(kit, {
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

describe.each(['2025-11-25', '2026-07-28'])('in %s', (era) => {
  test('the server says who it is and how to begin', async () => {
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

  test('a free tool answers anonymously', async () => {
    const client = await connect(era);
    await client.listTools();
    const answer = await client.callTool({ name: 'say_hello', arguments: { name: 'Ada' } });

    expect(answer.structuredContent).toEqual({
      greeting: 'Hello, Ada.',
      cost: { credit: 0, usd: 0, note: expect.any(String) },
      next_steps: [],
    });
  });

  test('wrong input is a result the model can read', async () => {
    const answer = await (await connect(era)).callTool({ name: 'say_hello', arguments: { nam: 1 } });

    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toMatchObject({ code: 'invalid_input', status: 400, instance: '/mcp' });
    expect(JSON.parse((answer.content[0] as { text: string }).text)).toEqual(answer.structuredContent);
  });

  test('a paid tool without payment is a result that says how to pay', async () => {
    const answer = await (await connect(era)).callTool({ name: 'think_hard', arguments: {} });

    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toMatchObject({
      code: 'payment_required',
      status: 402,
      credits: { required: 2 },
    });
  });

  test('a malformed token that should pay is a result too', async () => {
    const client = await connect(era, { authorization: 'Bearer nonsense' });
    const answer = await client.callTool({ name: 'think_hard', arguments: {} });

    expect(answer.structuredContent).toMatchObject({ code: 'invalid_token' });
  });

  test('a paid tool runs for a wallet and is settled once', async () => {
    kit.money.length = 0;
    const client = await connect(era, WITH_WALLET);
    await client.listTools();
    const answer = await client.callTool({ name: 'think_hard', arguments: {} });

    expect(answer.structuredContent).toMatchObject({ thought: '42', cost: { credit: 2, usd: 0.2 } });
    expect(kit.money).toEqual(['hold', 'settle']);
  });

  test('a dry run answers the price in the listed shape', async () => {
    const client = await connect(era);
    await client.listTools();
    const answer = await client.callTool({ name: 'think_hard', arguments: { dry_run: true } });

    expect(answer.structuredContent).toMatchObject({
      dry_run: true,
      quote: { credit: 2 },
      cost: { credit: 0 },
    });
  });

  test('a payment intent may come in _meta', async () => {
    const client = await connect(era);
    const _meta = { 'io.github.atelier/payment-intent': 'pi_1' };
    const answer = await client.callTool({ name: 'think_hard', arguments: {}, _meta });

    expect((answer.structuredContent as Answer).code).toBe('payments_not_configured');
  });

  test('an idempotency key may come in _meta, and a header wins over it', async () => {
    const _meta = { 'io.github.atelier/idempotency-key': USED_KEY };
    const hello = { name: 'say_hello', arguments: { name: 'Ada' }, _meta };
    const reused = await (await connect(era)).callTool(hello);
    const fresh = await (await connect(era, { 'idempotency-key': 'fresh' })).callTool(hello);

    expect(reused.structuredContent).toMatchObject({ code: 'idempotency_key_reused' });
    expect(fresh.isError).toBeUndefined();
  });

  test('a picture comes as summary, preview and link, never as text', async () => {
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

  test('the preview can be left out', async () => {
    const client = await connect(era);
    const answer = await client.callTool({
      name: 'paint_picture',
      arguments: { image: 'abcd', include_preview: false },
    });

    expect(answer.content.map(({ type }) => type)).toEqual(['text', 'resource_link']);
    expect((answer.structuredContent as Answer).warnings).toBeUndefined();
  });

  test('small bytes without a link come as a resource, large ones with the way to them', async () => {
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

  test('a result is read as a resource', async () => {
    const client = await connect(era);
    const { resourceTemplates } = await client.listResourceTemplates();
    const { contents } = await client.readResource({ uri: `atelier://results/${PICTURE.id}` });

    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('atelier://results/{id}');
    expect(contents).toMatchObject([{ mimeType: 'image/png', blob: PICTURE.base64 }]);
  });

  test.each(['atelier://results/unknown', 'file:///etc/passwd'])('%s is not found', async (uri) => {
    await expect((await connect(era)).readResource({ uri })).rejects.toMatchObject({ code: -32602 });
  });

  test('progress arrives, strictly increasing, before the result', async () => {
    const seen: number[] = [];
    const client = await connect(era, WITH_WALLET);
    await client.callTool(
      { name: 'think_hard', arguments: { steps: 4 } },
      { onprogress: ({ progress }) => seen.push(progress) },
    );

    expect(seen).toEqual([25, 50, 75, 100]);
  });

  test('warnings are logged too, in the newest revision where they were asked for', async () => {
    const logged: unknown[] = [];
    const client = await connect(era);
    client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params));
    const hello = { name: 'say_hello', arguments: { name: 'Ada', nam: 'Eve' } };
    await client.callTool({ ...hello, _meta: { 'io.modelcontextprotocol/logLevel': 'info' } });

    expect(logged).toEqual([{ level: 'warning', logger: 'say_hello', data: expect.stringContaining('nam') }]);
  });

  test('a failure of ours is reported here and not told there', async () => {
    reported.length = 0;
    const answer = await (await connect(era)).callTool({ name: 'break_down', arguments: {} });

    expect(answer.structuredContent).toMatchObject({ code: 'internal_error', request_id: 'req_test' });
    expect(JSON.stringify(answer)).not.toContain('the secret reason');
    expect(reported).toEqual([expect.objectContaining({ message: 'the secret reason' })]);
  });
});
