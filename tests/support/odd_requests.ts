import { tools } from '../../src/features/tools.ts';

/** Converting one of the first four to text or number throws. */
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

export interface OddRequest {
  /** For a report: the endpoint, the odd field and its value. */
  readonly what: string;
  readonly method: string;
  /** Including the query. */
  readonly path: string;
  /** JSON of a POST. */
  readonly body?: string;
}

/**
 * Odd values in every field of every endpoint, according to the document that describes them; `wallet` is the
 * client's.
 */
export function oddRequests(openApi: unknown, wallet: string): OddRequest[] {
  return described(openApi as OpenApi).flatMap((endpoint) =>
    endpoint.fields.flatMap((field) => ODD.map((value) => requestTo(endpoint, { field, value, wallet }))),
  );
}

/** The first five odd values in every field of every tool, over MCP, as quotes. */
export function oddMcpCalls(): OddRequest[] {
  return tools.flatMap(({ name, input, examples }) =>
    Object.keys(input.shape).flatMap((field) =>
      ODD.slice(0, 5).map((value) => {
        const args = { ...examples[0], dry_run: true, [field]: value };
        const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
        const what = `${name} ${JSON.stringify(args).slice(-80)}`;
        return { what, method: 'POST', path: '/mcp', body: JSON.stringify(call) };
      }),
    ),
  );
}

interface Described {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly { readonly name: string; readonly in: string }[];
}

function requestTo(
  { method, path, fields }: Described,
  { field, value, wallet }: { field: Described['fields'][number]; value: unknown; wallet: string },
): OddRequest {
  const query = new URLSearchParams();
  let address = path;
  for (const { name, in: place } of fields) {
    const own = name === field.name ? value : sampleOf(name, wallet);
    const text = typeof own === 'string' ? own : JSON.stringify(own);
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(text.toWellFormed()));
    if (place === 'query') query.set(name, text);
  }
  const [, tool] = /^\/api\/tools\/(.+)$/.exec(path) ?? [];
  const example = tools.find(({ name }) => name === tool)?.examples[0];
  const ordinary = fields
    .filter((own) => own.in === 'body')
    .map(({ name }) => [name, sampleOf(name, wallet)] as const);
  const body = { ...(example ?? Object.fromEntries(ordinary)), [field.name]: value };
  return {
    what: `${method} ${path} ${field.name} ${JSON.stringify(value).slice(0, 60)}`,
    method,
    path: `${address}?${query}`,
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  };
}

/** A normal value for the fields beside the odd one. */
function sampleOf(name: string, wallet: string): unknown {
  const samples: Record<string, unknown> = {
    wallet,
    image_url: 'https://example.com/a.png',
    pack: 'starter',
    scopes: ['spend'],
    type: 'artist',
    url: 'https://example.com/hook',
    tool_name: 'upscale_image',
  };
  return samples[name] ?? 'x';
}

/**
 * Endpoints with their fields. Webhook endpoints for senders and the MCP protocol have tests of their own.
 */
function described({ paths }: OpenApi): Described[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters = [], requestBody }]) => ({
      path,
      method: method.toUpperCase(),
      fields: [
        ...parameters.filter((parameter) => parameter.name !== undefined && parameter.in !== 'header'),
        ...Object.keys(requestBody?.content?.['application/json']?.schema?.properties ?? {}).map((name) => ({
          name,
          in: 'body',
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
