import { afterAll, beforeAll, expect, test } from 'vitest';
import { tools } from '../src/tools/index.ts';
import { openTestApp, type TestApp, type TestReply } from './support/open_test_app.ts';
import { toppedUp } from './support/topped_up.ts';

/**
 * Odd values in every field of every tool and every other endpoint, found by the document that describes them: an answer or a clear
 * refusal, never a fault of ours. What belongs together as JSON is also sent over MCP.
 */

const PAYER = { Authorization: `Bearer 0x${'f'.repeat(40)}` };
/** A conversion to text or number fails for the first four. */
const ODD: readonly unknown[] = [
  { toString: 1 },
  { valueOf: 'x', toString: null },
  [{ toString: 1 }],
  JSON.parse('{"__proto__": {"x": 1}, "constructor": {"prototype": []}}'),
  null,
  true,
  [],
  -1,
  1e308,
  '',
  '\u0000',
  '\ud800',
  '__proto__',
  '\ud83d\ude00\u202e %00 ../../etc/passwd',
  "';--<svg onload=x>",
  'x'.repeat(5000),
];

interface Described {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly { readonly name: string; readonly in: string }[];
}

let app: TestApp;
let endpoints: readonly Described[];
beforeAll(async () => {
  app = await openTestApp({ UPLOADS_PER_HOUR: '1000000' });
  await toppedUp(app.post, PAYER.Authorization.slice(7));
  endpoints = described((await app.get('/openapi.json')).body);
});
afterAll(() => app?.close());

test('every endpoint answers odd values in each of its fields', async () => {
  const calls = endpoints.flatMap((endpoint) =>
    endpoint.fields.flatMap((field) => ODD.map((value) => () => sent(endpoint, field, value))),
  );
  expect(calls.length).toBeGreaterThan(4000);
  expect(await faultsOf(calls)).toEqual([]);
}, 300_000);

test('every tool answers them over MCP', async () => {
  const calls = tools.flatMap((tool) =>
    Object.keys(tool.input.shape).flatMap((field) =>
      ODD.slice(0, 5).map(
        (value) => () => called(tool.name, { ...tool.examples[0], dry_run: true, [field]: value }),
      ),
    ),
  );
  expect(await faultsOf(calls)).toEqual([]);
}, 300_000);

interface Sent {
  readonly what: string;
  readonly reply: TestReply;
}

async function faultsOf(calls: readonly (() => Promise<Sent>)[]): Promise<string[]> {
  const faults: string[] = [];
  const waiting = calls[Symbol.iterator]();
  const work = async () => {
    for (const call of waiting) {
      const { what, reply } = await call();
      const isFault = reply.status >= 500 || /"code":(-32603|"internal_error")/.test(reply.text);
      if (isFault) faults.push(`${what}: ${reply.status} ${reply.text.slice(-300)}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  return faults;
}

async function called(name: string, args: object): Promise<Sent> {
  const params = { name, arguments: args };
  const reply = await app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, PAYER);
  return { what: `${name} ${JSON.stringify(args).slice(-80)}`, reply };
}

async function sent(
  { method, path, fields }: Described,
  field: Described['fields'][number],
  value: unknown,
): Promise<Sent> {
  const query = new URLSearchParams();
  let address = path;
  for (const { name, in: place } of fields) {
    const own = name === field.name ? value : sampleOf(name);
    const text = typeof own === 'string' ? own : JSON.stringify(own);
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(text.toWellFormed()));
    if (place === 'query') query.set(name, text);
  }
  const [, tool] = /^\/api\/tools\/(.+)$/.exec(path) ?? [];
  const example = tools.find(({ name }) => name === tool)?.examples[0];
  const body = example ?? Object.fromEntries(inBody(fields).map(({ name }) => [name, sampleOf(name)]));
  const request = new Request(`http://atelier.test${address}?${query}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...PAYER },
    ...(method === 'POST' && { body: JSON.stringify({ ...body, [field.name]: value }) }),
  });
  const response = await app.fetch(request);
  const reply = { status: response.status, headers: response.headers, text: await response.text() };
  return {
    what: `${method} ${path} ${field.name} ${JSON.stringify(value).slice(0, 60)}`,
    reply: { ...reply, body: undefined },
  };
}

const inBody = (fields: Described['fields']) => fields.filter((field) => field.in === 'body');

/** Something ordinary for the fields beside the odd one. */
function sampleOf(name: string): unknown {
  const samples: Record<string, unknown> = {
    wallet: PAYER.Authorization.slice(7),
    image_url: 'https://example.com/a.png',
    pack: 'starter',
    scopes: ['spend'],
    type: 'artist',
    url: 'https://example.com/hook',
    tool_name: 'upscale_image',
  };
  return samples[name] ?? 'x';
}

/** Endpoints with their fields. The address of a webhook's sender and the protocol of MCP are tested as such. */
function described({ paths }: OpenApi): Described[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters = [], requestBody }]) => ({
      ...{ path, method: method.toUpperCase() },
      fields: [
        ...parameters.filter((parameter) => parameter.name !== undefined && parameter.in !== 'header'),
        ...Object.keys(requestBody?.content?.['application/json']?.schema?.properties ?? {}).map((name) => ({
          ...{ name, in: 'body' },
        })),
      ],
    })),
  );
}

interface OpenApi {
  paths: Record<string, Record<string, DescribedOperation>>;
}
interface DescribedOperation {
  parameters?: { name: string; in: string }[];
  requestBody?: {
    content?: Record<string, { schema?: { properties?: object } } | undefined>;
  };
}
