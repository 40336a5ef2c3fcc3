import fc from 'fast-check';

const TOKEN = Buffer.from('{"x402Version":1,"scheme":"exact","payload":{}}').toString('base64');

/** Headers that affect the response, with values of all kinds; Node sends each unchanged. */
const ODD_HEADERS: Readonly<Record<string, readonly string[]>> = {
  Range: [
    'bytes=0-',
    'bytes=5-2',
    'bytes=-0',
    'bytes=-1',
    'bytes=0-0,2-3',
    `bytes=${'0-0,'.repeat(2000)}1-1`,
  ].concat([
    'bytes=99999999999999999999-',
    'bytes=0-99999999999999999999',
    'items=0-1',
    'bytes=a-b',
    'bytes',
    '',
  ]),
  'If-None-Match': ['*', '"x"', 'W/"x"', 'x', '"', '', '"a",'.repeat(2000)],
  'If-Match': ['*', '"x"', ''],
  'If-Range': ['"x"', 'Mon, 23 Nov 2026 00:00:00 GMT', '?'],
  'If-Modified-Since': ['Mon, 23 Nov 2026 00:00:00 GMT', 'never', '0'],
  'Idempotency-Key': [
    'k1',
    'k2',
    'k3',
    '',
    ' ',
    '"q"',
    'k'.repeat(255),
    'k'.repeat(256),
    '\xe9',
    'a,b',
    '__proto__',
  ],
  Prefer: [
    'respond-async',
    'respond-async, wait=0',
    'wait=-1',
    'respond-async;x="',
    'wait=99999999999',
    '',
    ',',
  ],
  Accept: [
    'text/event-stream',
    'text/html',
    'application/json',
    'image/png',
    '*/*;q=0',
    'a/b;q=x',
    '',
    ',,,',
    '\xff',
  ],
  'Accept-Encoding': ['gzip', 'br', 'zstd', '*;q=0', 'identity;q=0', 'gzip;q=2', ''],
  'Accept-Language': ['de', '*', ';;;'],
  'Content-Encoding': ['gzip', 'br', 'identity', 'x, y'],
  'Content-Digest': ['sha-256=:AAAA:', 'sha-256=x', ''],
  Origin: ['null', 'https://example.invalid', 'x', ''],
  Cookie: ['a=b', ';'.repeat(3000)],
  'X-Request-Id': ['x', 'x'.repeat(4000), '\xe9', '<svg>', ''],
  'X-HTTP-Method-Override': ['DELETE'],
  'X-Forwarded-Proto': ['https', 'x'],
  'X-Forwarded-Host': ['example.invalid', '<>'],
  'X-Payment-Intent': ['pi_x', '', 'pi_'.repeat(2000)],
  'X-PAYMENT': [TOKEN, 'x', '', 'e30='],
  'PAYMENT-SIGNATURE': [TOKEN, 'x', '', 'e30='],
  Signature: ['sig1=:AAAA:', 'eth=:AAAA:', 'x', ''],
  'Signature-Input': ['eth=("@method");created=1;keyid="x"', 'sig1=("@method" "@path")', 'x', ''],
  'Payment-Wallet': [`0x${'a'.repeat(40)}`, 'x'],
  'Mcp-Session-Id': ['x'],
  'MCP-Protocol-Version': ['2025-06-18', '1', ''],
  'Last-Event-ID': ['1', 'x'],
  traceparent: ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-x', 'ff-'],
  'Transfer-Encoding': ['chunked'],
  TE: ['trailers'],
};

export type Headers = Readonly<Record<string, string>>;

/** None for most requests, one or two odd ones for some. */
export const oddHeaders: fc.Arbitrary<Headers> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc
      .array(
        fc
          .constantFrom(...Object.entries(ODD_HEADERS))
          .chain(([name, values]) => fc.tuple(fc.constant(name), fc.constantFrom(...values))),
        { minLength: 1, maxLength: 2 },
      )
      .map((pairs) => Object.fromEntries(pairs)),
  },
);

/** Media types that the endpoint does not accept. */
export const oddTypes = fc.constantFrom(
  ...[
    'text/plain',
    'application/xml',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'application/jsonp',
  ],
  ...[
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'application/json;;',
    'x',
    '',
    '\xff',
  ],
);

/** Clients that `identities.ts` creates; the last four are not authenticated. */
export type Bearer =
  | 'wallet'
  | 'key'
  | 'session'
  | 'operator'
  | 'nobody'
  | 'stranger'
  | 'garbage'
  | 'unknown key';

/** The clients with credentials for a scheme of the document. */
const HOLDERS: Readonly<Record<string, readonly Bearer[]>> = {
  operatorToken: ['operator'],
  walletProof: ['session'],
  creditBearer: ['wallet', 'key'],
};

/** Mostly clients with access, if the operation requires authentication, and occasionally all others. */
export function bearersFor(schemes: readonly string[]): fc.Arbitrary<Bearer> {
  const anybody = fc.constantFrom<Bearer>(
    ...(['wallet', 'wallet', 'wallet', 'key', 'session', 'session', 'operator'] as const),
    ...(['nobody', 'nobody', 'stranger', 'garbage', 'unknown key'] as const),
  );
  const holders = schemes.flatMap((scheme) => HOLDERS[scheme] ?? []);
  if (holders.length === 0) return anybody;
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...holders) }, { weight: 2, arbitrary: anybody });
}
