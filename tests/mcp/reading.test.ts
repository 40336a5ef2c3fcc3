import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SEARCHES_PER_HOUR_MAX } from '../../src/config/limits.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { newOwner, type Owner } from '../support/owner.ts';
import { listen } from './listen.ts';

/** Resources, prompts and completion of the whole service, through the official client. */

let app: TestApp;
let server: { url: string; close(): void };
let owner: Owner;
let open: Owner;
const clients: Client[] = [];

async function connect(headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }));
  clients.push(client);
  return client;
}

const save = (wallet: string, headers: Record<string, string>, key: string) =>
  app.post('/api/tools/save_asset', { wallet, key, data: 'aGVsbG8=', content_type: 'text/plain' }, headers);

beforeAll(async () => {
  app = await openTestApp();
  server = await listen(async (request) => app.fetch(request));
  [owner, open] = [await newOwner(app), await newOwner(app)];
  await save(owner.wallet, owner.bare, 'secret note');
  await save(open.wallet, open.bare, 'notes/a b.txt');
  await app.post('/api/wallet/lock', {}, await owner.signIn());
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  server?.close();
  await app?.close();
});

test('anonymous clients can list and read guides and views', async () => {
  const client = await connect();
  const { resources } = await client.listResources();
  const { contents } = await client.readResource({ uri: 'atelier://guides/first_calls' });

  expect(resources.map(({ uri }) => uri)).toContain('atelier://guides/first_calls');
  expect(resources.filter(({ uri }) => !/^(atelier:..guides|ui:..atelier)./.test(uri))).toEqual([]);
  expect(contents).toMatchObject([
    { mimeType: 'text/markdown', text: expect.stringMatching(/^# First calls/) },
  ]);
});

test('every guide link leads to a page of this server wherever the guide is read', async () => {
  const client = await connect();
  const { resources } = await client.listResources();
  const guides = resources.filter(({ uri }) => uri.startsWith('atelier://guides/'));
  const read = await Promise.all(guides.map(({ uri }) => client.readResource({ uri })));
  const links = read.flatMap(({ contents }) =>
    [...(contents[0] as { text: string }).text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href]) => href!),
  );
  const ours = links.filter((href) => href.startsWith('http://atelier.test/docs/'));
  expect(links.filter((href) => !/^https?:/.test(href))).toEqual([]);
  for (const href of ours) {
    const { status } = await app.get(new URL(href).pathname, { Accept: 'text/html' });
    expect([href, status]).toEqual([href, 200]);
  }
  expect(ours.length).toBeGreaterThan(5);
});

test('a wallet can list and read its assets', async () => {
  const client = await connect(open.bare);
  const { resources } = await client.listResources();
  const asset = resources.find(({ name }) => name === 'notes/a b.txt')!;
  const { contents } = await client.readResource({ uri: asset.uri });

  expect(asset).toMatchObject({ mimeType: 'text/plain', size: 5 });
  expect(contents).toMatchObject([{ text: 'hello' }]);
});

describe('a locked wallet', () => {
  const uri = () => `atelier://assets/${owner.wallet}/secret%20note`;

  test.each([
    ['a stranger', () => ({})],
    ['another wallet', () => open.bare],
    ['a client that knows the address', () => owner.bare],
  ])('%s can list and read nothing', async (_who, headers) => {
    const client = await connect(headers());

    expect(JSON.stringify(await client.listResources())).not.toContain('secret');
    await expect(client.readResource({ uri: uri() })).rejects.toMatchObject({
      data: { code: expect.stringMatching(/locked/) },
    });
  });

  test('its owner can list and read everything', async () => {
    const client = await connect(await owner.signIn());

    expect(JSON.stringify(await client.listResources())).toContain('secret note');
    expect((await client.readResource({ uri: uri() })).contents).toMatchObject([{ text: 'hello' }]);
  });
});

test('a work resource matches its search result', async () => {
  const { contents } = await (await connect()).readResource({ uri: 'atelier://works/rijks/SK-C-5' });

  expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({
    credit_id: 'rijks_SK-C-5',
    museum: 'rijks',
  });
});

test('reading individual works counts as searching', async () => {
  const client = await connect(open.bare);
  const read = () => client.readResource({ uri: 'atelier://works/rijks/SK-C-5' });
  for (let at = 0; at < SEARCHES_PER_HOUR_MAX; at++) await read();

  await expect(read()).rejects.toMatchObject({ data: { code: 'rate_limited' } });
});

test('a tool resource matches the result of get_tool_schema', async () => {
  const { contents } = await (await connect()).readResource({ uri: 'atelier://tools/resize_image' });

  expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ name: 'resize_image' });
});

test.each([
  'atelier://works/rijks',
  'atelier://works/rijks/none',
  'atelier://works/../../etc',
  'atelier://assets/0x1/key',
  'atelier://assets/%/%',
  'atelier://guides/../README',
  'atelier://guides/..%2F..%2Fpackage',
  'atelier://tools/none',
  'atelier://other/x',
  `atelier://results/${'x'.repeat(10_000)}`,
])('%.50s is refused as invalid params', async (uri) => {
  await expect((await connect()).readResource({ uri })).rejects.toMatchObject({ code: -32602 });
});

test.each([
  [{ type: 'ref/resource', uri: 'atelier://works/{museum}/{number}' }, 'museum', 'ri', ['rijks', 'paris']],
  [{ type: 'ref/resource', uri: 'atelier://tools/{name}' }, 'name', 'resize', ['resize_image']],
  [{ type: 'ref/resource', uri: 'atelier://guides/{name}' }, 'name', 'first', ['first_calls']],
  [{ type: 'ref/prompt', name: 'photo_to_print' }, 'size', 'a', ['a4', 'a3']],
  [{ type: 'ref/prompt', name: 'art_on_product' }, 'product', 'mug', ['mug']],
  [{ type: 'ref/prompt', name: 'art_on_product' }, 'subject', 'sea', []],
] as const)('%o completes %s %s', async (ref, name, value, values) => {
  const { completion } = await (await connect()).complete({ ref, argument: { name, value } });

  expect(completion.values.slice(0, values.length)).toEqual(values);
});

test('prompts are listed with their arguments and returned as text', async () => {
  const client = await connect();
  const { prompts } = await client.listPrompts();
  const { messages } = await client.getPrompt({
    name: 'photo_to_print',
    arguments: { image: 'upload:1', size: 'a3' },
  });

  expect(prompts.map(({ name }) => name)).toEqual([
    'photo_to_print',
    'clear_rights',
    'mark_ai_picture',
    'art_on_product',
  ]);
  expect(JSON.stringify(messages)).toContain('a3');
});
