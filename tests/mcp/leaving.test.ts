import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { credits } from '../../src/features/definitions/price.ts';
import { defineTool } from '../../src/features/definitions/tool.ts';
import { createMcp } from '../../src/interfaces/mcp/index.ts';
import { type FakeContext, fakeContext, WALLET } from './fake_context.ts';
import { type Listening, listen } from './listen.ts';

// A caller who leaves while a paid tool runs: the tool is told, and the credits go back.

const events = new EventTarget();
const endless = defineTool({
  name: 'endless',
  title: 'Endless',
  category: 'account',
  summary: 'Ends only when the caller leaves.',
  price: credits(1),
  input: z.object({}),
  output: z.object({}),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{}],
  async run(_input, _services, { signal, onProgress }) {
    onProgress(0.5, 'half');
    events.dispatchEvent(new Event('started'));
    await once(signal, 'abort');
    events.dispatchEvent(new Event('told'));
    throw signal.reason;
  },
});

let context: FakeContext;
let server: Listening;

beforeAll(async () => {
  context = fakeContext({ tools: [endless] });
  server = await listen(
    createMcp(context, { publicUrl: 'https://atelier.test', allowedOrigins: [], version: '0.5.0' }),
  );
});
beforeEach(() => {
  context.money.length = 0;
});
afterAll(() => server.close());

const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const MODERN_HEADERS = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'endless',
};
const STREAM = { accept: 'application/json, text/event-stream' };

const released = () => expect.poll(() => context.money).toEqual(['hold', 'release']);

function call(headers: Record<string, string>, meta: object, signal: AbortSignal): Promise<Response> {
  const params = { name: 'endless', arguments: {}, _meta: { ...meta, progressToken: 1 } };
  return fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${WALLET}`, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal,
  });
}

test.each([
  ['a stream of 2026-07-28', { ...MODERN_HEADERS, ...STREAM }, MODERN_META],
  ['a plain answer of 2026-07-28', MODERN_HEADERS, MODERN_META],
  ['an older stream', STREAM, {}],
  ['an older plain answer', {}, {}],
])('disconnecting from %s stops the tool and releases the hold', async (_name, headers, meta) => {
  const controller = new AbortController();
  const [started, told] = [once(events, 'started'), once(events, 'told')];
  const answer = call(headers as Record<string, string>, meta, controller.signal).catch(() => 'left');
  await started;
  controller.abort();

  await told;
  await released();
  await answer;
});

test('closing a started stream also stops the tool', async () => {
  const controller = new AbortController();
  const told = once(events, 'told');
  const response = await call({ ...MODERN_HEADERS, ...STREAM }, MODERN_META, controller.signal);
  const reader = response.body!.getReader();
  await reader.read();
  controller.abort();

  await told;
  await released();
});
