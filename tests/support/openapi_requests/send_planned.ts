import { type IncomingHttpHeaders, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Bearer } from './headers.ts';
import type { Pool } from './pool.ts';
import type { Planned } from './requests.ts';
import { Known, RawJson } from './values.ts';

/** Longer than any deadline of the server. */
const ANSWER_WITHIN_MS = 180_000;

export interface Ready {
  readonly planned: Planned;
  readonly method: string;
  /** Including the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/**
 * Fills in values from earlier responses. `nth` determines the client address: limits per address must not be
 * reached.
 */
export function readyRequest(
  planned: Planned,
  { pool, nth, tokenOf }: { pool: Pool; nth: number; tokenOf(bearer: Bearer): string | undefined },
): Ready {
  const { operation, kind, method, contentType, bearer } = planned;
  const resolved = (value: unknown): unknown =>
    value instanceof Known ? (pool.value(operation.path, value.name, value.pick) ?? value.otherwise) : value;
  const token = tokenOf(bearer);
  const link = kind === 'valid' && method === 'GET' ? pool.link(operation.path, nth) : undefined;
  const body = bytesOf(planned.body, resolved);
  const named = headersNamed(planned, resolved);
  const headers = {
    ...(contentType && body && { 'Content-Type': contentType }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    'X-Forwarded-For': `198.18.${(nth >> 8) & 255}.${nth & 255}`,
    ...named,
    ...planned.headers,
  };
  return { planned, method, path: link ?? pathOf(planned, resolved), headers, ...(body && { body }) };
}

/** Sends it with Node's own client, which changes nothing. @throws Error if no response arrives */
export function sendReady(url: string, { planned, method, path, headers, body }: Ready): Promise<Answered> {
  const isEndless = planned.operation.path.endsWith('/events');
  const { hostname, port } = new URL(url);
  const isChunked = 'Transfer-Encoding' in headers;
  const length = body && !isChunked ? { 'Content-Length': String(body.length) } : {};
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path, headers: { ...headers, ...length }, agent: false },
      async (response) => {
        try {
          const chunks: Buffer[] = [];
          for await (const chunk of response) {
            chunks.push(chunk);
            if (isEndless && response.statusCode === 200) break;
          }
          const bytes = unpacked(Buffer.concat(chunks), response.headers['content-encoding']);
          resolve({ status: response.statusCode!, headers: response.headers, bytes });
        } catch (error) {
          reject(error);
        }
      },
    );
    sent.setTimeout(ANSWER_WITHIN_MS, () => sent.destroy(new Error('no answer in time')));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** @throws Error if the bytes do not match the header */
function unpacked(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  if (encoding === 'gzip') return gunzipSync(bytes);
  if (encoding === undefined) return bytes;
  throw new Error(`nobody asked for ${encoding}`);
}

type Resolve = (value: unknown) => unknown;

function pathOf({ operation, parameters }: Planned, resolved: Resolve): string {
  const query = new URLSearchParams();
  let path = operation.path;
  for (const { name, in: place } of operation.parameters) {
    const value = resolved(parameters[name]);
    if (value === undefined) continue;
    const text = textOf(value);
    if (place === 'path')
      path = path.replace(`{${name}}`, encodeURIComponent(text.slice(0, 6_000).toWellFormed()));
    if (place === 'query') query.set(name, text.slice(0, 6_000));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Header parameters; characters that are invalid in headers are left out. */
const headersNamed = ({ operation, parameters }: Planned, resolved: Resolve): Record<string, string> =>
  Object.fromEntries(
    operation.parameters
      .filter(({ in: place, name }) => place === 'header' && parameters[name] !== undefined)
      .map(({ name }) => [
        name,
        textOf(resolved(parameters[name]))
          .replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
          .slice(0, 6_000),
      ]),
  );

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value instanceof RawJson ? value.text : (JSON.stringify(value) ?? '');

/** Text unchanged; anything else as JSON, including numbers that only JSON can express. */
function bytesOf(body: unknown, resolved: Resolve): Buffer | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  const raw: string[] = [];
  const text = JSON.stringify(body, (_, value) => {
    const own = resolved(value);
    if (!(own instanceof RawJson)) return own;
    raw.push(own.text);
    return `\u0001raw ${raw.length - 1}\u0001`;
  });
  return Buffer.from(text.replace(/"\\u0001raw (\d+)\\u0001"/g, (_, nth) => raw[Number(nth)]!));
}
