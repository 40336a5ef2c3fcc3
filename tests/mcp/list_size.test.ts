import { afterAll, beforeAll, expect, test } from 'vitest';
import { tools } from '../../src/features/tools.ts';
import { createMcp } from '../../src/interfaces/mcp/index.ts';
import { fakeKit } from './fake_kit.ts';
import { type Listening, listen } from './listen.ts';

/** Every agent pays for the list in context: 12,000 tokens at about four bytes each, whatever is in it. */
const LIST_BYTES_MAX = 64_000;

let server: Listening;

beforeAll(async () => {
  const options = { publicUrl: 'https://atelier.test', allowedOrigins: [], version: '0.5.0' };
  server = await listen(createMcp(fakeKit({ tools }), options));
});
afterAll(() => server.close());

test('the answer to tools/list is one an agent can afford', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const answer = await (await fetch(server.url, { method: 'POST', body })).text();

  expect(JSON.parse(answer).result.tools).toHaveLength(tools.length);
  expect(Buffer.byteLength(answer)).toBeLessThan(LIST_BYTES_MAX);
});
