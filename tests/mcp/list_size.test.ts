import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { McpTool } from '../../src/catalog/mcp_tools.ts';
import { tools as always, optionalTools } from '../../src/features/tools.ts';
import { createMcp } from '../../src/interfaces/mcp/index.ts';
import { fakeContext } from './fake_context.ts';
import { type Listening, listen } from './listen.ts';

/** With those that a server offers only where they are configured. */
const tools = [...always, ...optionalTools];

/** What a model has in its context of all tools: names, descriptions and input schemas, in tokens of o200k. */
const TOKENS_MAX = 10_000;
/** Of one tool. */
const TOOL_TOKENS_MAX = 700;
/** Output schemas, annotations and `_meta` are read by programs; they cost transfer and parsing. */
const BYTES_MAX = 64 * 1024;

let server: Listening;
let text: string;
let listed: McpTool[];

beforeAll(async () => {
  const options = { publicUrl: 'https://atelier.test', allowedOrigins: [], version: '0.5.0' };
  server = await listen(createMcp(fakeContext({ tools }), options));
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  text = await (await fetch(server.url, { method: 'POST', body })).text();
  listed = JSON.parse(text).result.tools;
});
afterAll(() => server.close());

const tokensOf = ({ name, description, inputSchema }: McpTool): number =>
  encode(JSON.stringify({ name, description, inputSchema })).length;

test('the list of all tools fits the token budget of an agent', () => {
  const largest = listed.map((tool) => [tokensOf(tool), tool.name] as const).sort(([a], [b]) => b - a);
  const total = largest.reduce((sum, [tokens]) => sum + tokens, 0);

  expect(listed).toHaveLength(tools.length);
  expect(total, `the largest are ${largest.slice(0, 8).join(', ')}`).toBeLessThanOrEqual(TOKENS_MAX);
});

test.each(tools.map(({ name }) => name))('%s fits the token budget of a tool', (name) => {
  expect(tokensOf(listed.find((tool) => tool.name === name)!)).toBeLessThanOrEqual(TOOL_TOKENS_MAX);
});

test('the size of the complete list in bytes is also bounded', () => {
  expect(Buffer.byteLength(text)).toBeLessThan(BYTES_MAX);
});
