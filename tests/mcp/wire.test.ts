import { afterAll, beforeAll, expect, test } from 'vitest';
import { mcpJson } from '../../src/catalog/mcp_card.ts';
import { JSON_BODY_BYTES_MAX } from '../../src/config/limits.ts';
import { createMcp } from '../../src/interfaces/mcp/index.ts';
import { MCP_BATCH_MAX } from '../../src/interfaces/mcp/limits.ts';
import { fakeContext } from './fake_context.ts';
import { type Listening, listen } from './listen.ts';

// What arrives without any client library: the shortest requests that should work, and those that must not.

let server: Listening;

beforeAll(async () => {
  const options = {
    publicUrl: 'https://atelier.test',
    allowedOrigins: ['https://studio.test'],
    version: '0.5.0',
  };
  server = await listen(createMcp(fakeContext(), options));
});

afterAll(() => server.close());

// biome-ignore lint/suspicious/noExplicitAny: an answer as it came
const json = (response: Response): Promise<any> => response.json();

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const send = (message: unknown, headers: Record<string, string> = {}, query = ''): Promise<Response> =>
  fetch(server.url + query, {
    method: 'POST',
    headers,
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });

async function toolNames(headers: Record<string, string>, query = ''): Promise<string[]> {
  const { result } = await json(await send(LIST, headers, query));
  return result.tools.map(({ name }: { name: string }) => name);
}

test.each([
  ['no Accept', {}],
  ['any Accept', { accept: '*/*' }],
  ['JSON only', { accept: 'application/json' }],
  ['a browser', { accept: 'text/html,application/xhtml+xml' }],
  ['text/plain', { 'content-type': 'text/plain;charset=UTF-8' }],
])('a bare tools/list with %s gets one JSON body', async (_name, headers) => {
  const response = await send(LIST, headers);

  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect((await json(response)).result.tools[0].name).toBe('say_hello');
});

test('a client that lists text/event-stream gets a stream', async () => {
  const response = await send(LIST, { accept: 'application/json, text/event-stream' });

  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await response.text()).toContain('data: {"result":{"tools":[');
});

test('a bare tools/call works without initialize', async () => {
  const params = { name: 'say_hello', arguments: { name: 'Ada' } };
  const { result } = await json(await send({ ...LIST, method: 'tools/call', params }));

  expect(result.structuredContent.greeting).toBe('Hello, Ada.');
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
});

test('a notification is accepted without a response body', async () => {
  const response = await send({ jsonrpc: '2.0', method: 'notifications/initialized' });

  expect(response.status).toBe(202);
  expect(await response.text()).toBe('');
});

test.each(['GET', 'DELETE', 'PUT'])('%s is refused with the allowed method named', async (method) => {
  const response = await fetch(server.url, { method });

  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('POST');
});

test.each([
  ['{"jsonrpc":', -32700],
  ['', -32700],
  ['[]', -32600],
  ['"text"', -32600],
  ['{"id":1}', -32600],
])('the malformed body %.20s is a JSON-RPC error', async (body, code) => {
  const response = await send(body);

  expect(response.status).toBe(400);
  expect((await json(response)).error.code).toBe(code);
});

test('a message nested beyond the limit is refused before parsing', async () => {
  const response = await send(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  expect(response.status).toBe(413);
  expect((await json(response)).error).toMatchObject({
    code: -32600,
    message: expect.stringContaining('64 levels deep'),
  });
});

test('an unknown method and an unknown tool are JSON-RPC errors', async () => {
  const method = await json(await send({ ...LIST, method: 'tools/unknown' }));
  const tool = await json(await send({ ...LIST, method: 'tools/call', params: { name: 'say_helo' } }));

  expect(method.error.code).toBe(-32601);
  expect(tool.error).toMatchObject({ code: -32602, data: { did_you_mean: ['say_hello'] } });
});

test.each([
  ['http://localhost:3000', 200],
  ['http://127.0.0.1:3000', 200],
  ['http://[::1]:3000', 200],
  ['https://atelier.test', 200],
  ['https://studio.test', 200],
  ['http://atelier.test', 403],
  ['https://evil.test', 403],
  ['https://localhost.evil.test', 403],
  ['null', 403],
])('a request from origin %s gets %i', async (origin, status) => {
  expect((await send(LIST, { origin })).status).toBe(status);
});

test.each([
  [MCP_BATCH_MAX, 200],
  [MCP_BATCH_MAX + 1, 413],
])('a batch of %i messages gets %i', async (length, status) => {
  const messages = Array.from({ length }, (_, id) => ({ ...LIST, id }));
  expect((await send(messages)).status).toBe(status);
});

test('a DNS rebinding request is refused', async () => {
  expect((await send(LIST, { origin: 'http://evil.test', host: 'evil.test' })).status).toBe(403);
});

test.each([
  ['', {}, ['say_hello', 'paint_picture', 'think_hard', 'wait_forever', 'get_file', 'break_down']],
  ['?tools=think_hard,say_hello', {}, ['say_hello', 'think_hard']],
  ['?toolsets=creative', {}, ['paint_picture', 'think_hard']],
  ['?toolsets=storage&tools=say_hello', {}, ['say_hello', 'get_file']],
  ['?toolsets=creative&readonly=true', {}, []],
  ['', { 'x-mcp-tools': 'SAY_HELLO , unknown' }, ['say_hello']],
  ['', { 'x-mcp-toolsets': 'creative' }, ['paint_picture', 'think_hard']],
  ['?toolsets=creative,dataset', { 'x-mcp-readonly': 'true' }, ['say_hello']],
  ['?toolsets=edit', {}, ['paint_picture']],
  ['?toolsets=free', {}, ['say_hello', 'paint_picture', 'wait_forever', 'get_file', 'break_down']],
])('%s %o lists %o', async (query, headers, names) => {
  expect(await toolNames(headers as Record<string, string>, query)).toEqual(names);
});

test('an unknown toolset is refused with the valid names', async () => {
  const response = await send(LIST, {}, '?toolsets=edit,prints');

  expect(response.status).toBe(400);
  expect((await json(response)).error.message).toMatch(
    /"prints"\. Choose from edit, dataset, creative, .*, free, all/,
  );
});

test('a tool outside the selection cannot be called', async () => {
  const call = { ...LIST, method: 'tools/call', params: { name: 'say_hello', arguments: { name: 'x' } } };
  const { error } = await json(await send(call, {}, '?toolsets=creative'));

  expect(error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('not in the toolsets of this connection'),
  });
});

test('two lists are byte-identical', async () => {
  const [first, second] = await Promise.all([send(LIST), send(LIST)]);

  expect(await first!.text()).toBe(await second!.text());
});

test('a 30 MB image in the arguments is accepted', async () => {
  const params = { name: 'paint_picture', arguments: { image: 'A'.repeat(30 * 1024 * 1024) } };
  const { result } = await json(await send({ ...LIST, method: 'tools/call', params }));

  expect(result.structuredContent.result).toBe('result:abc123');
});

test('a body above the limit is refused', async () => {
  const response = await send(' '.repeat(JSON_BODY_BYTES_MAX + 1));

  expect(response.status).toBe(413);
  expect((await json(response)).error.message).toContain('/api/uploads');
});

test('an unsupported media type is refused', async () => {
  expect((await send(LIST, { 'content-type': 'application/xml' })).status).toBe(415);
});

test('arguments nested too deeply get an error from the tool', async () => {
  const deep = `${'['.repeat(50)}${']'.repeat(50)}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say_hello","arguments":{"name":${deep}}}}`;
  const { result } = await json(await send(body));

  expect(result).toMatchObject({ isError: true, structuredContent: { code: 'invalid_input' } });
});

test('every revision in the server card can be opened', async () => {
  const { supportedProtocolVersions } = mcpJson([], { publicUrl: 'https://atelier.test', version: '0.5.0' });
  const older = (supportedProtocolVersions as string[]).slice(1);
  const opened = older.map(async (protocolVersion) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    return (await json(await send({ ...LIST, method: 'initialize', params }))).result.protocolVersion;
  });

  expect(await Promise.all(opened)).toEqual(older);
});

test('a legacy batch gets its responses in one array', async () => {
  const answers = await json(await send([LIST, { jsonrpc: '2.0', id: 2, method: 'ping' }]));

  expect(answers).toMatchObject([
    { id: 1, result: { tools: expect.any(Array) } },
    { id: 2, result: {} },
  ]);
});
