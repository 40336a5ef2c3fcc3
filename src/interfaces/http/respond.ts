import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { parseAccept } from 'hono/utils/accept';
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/utils/compress';
import type { AtelierError } from '../../core/errors/atelier_error.ts';
import type { BytesAnswer } from '../../features/definitions/operation.ts';
import { problemDetails } from '../../pipeline/errors.ts';
import type { CallResponse } from '../../pipeline/types.ts';
import { knowsVersion, rangeOf } from './range_of.ts';

/** A JSON response; `text` if its exact bytes matter (a replay). */
export function jsonResponse({ body, headers, text, status = 200 }: CallResponse): Response {
  const json = text ?? JSON.stringify(body);
  return new Response(json, {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(json)),
      ...headers,
    },
  });
}

export function fileResponse({ bytes, contentType, headers, status }: BytesAnswer): Response {
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    status: status ?? 200,
    headers: { 'Content-Type': contentType, ...headers },
  });
}

interface Failure {
  readonly request: Request;
  readonly requestId: string;
  readonly publicUrl: string;
}

/** Only browsers request HTML, and people do not open the endpoints of programs. */
export const isForPerson = (request: Request): boolean =>
  (request.headers.get('accept') ?? '').includes('text/html') &&
  !/^\/(api|mcp)(\/|$)/.test(new URL(request.url).pathname);

/** The page for a failure, with its headers. */
export async function problemPageResponse(
  error: AtelierError,
  page: Promise<BytesAnswer>,
): Promise<Response> {
  const { headers, ...answer } = await page;
  return fileResponse({ ...answer, headers: { ...headers, Vary: 'Accept', ...headersOf(error) } });
}

/** A failure as a problem object, with its headers. */
export function problemResponse(error: AtelierError, { request, requestId, publicUrl }: Failure): Response {
  const body = problemDetails(error, { requestId, instance: new URL(request.url).pathname, publicUrl });
  return new Response(JSON.stringify(body), {
    status: error.status,
    headers: {
      'Content-Type': problemType(request.headers.get('accept') ?? ''),
      'Cache-Control': 'no-store',
      ...headersOf(error),
    },
  });
}

const headersOf = ({ details: { retryAfterSeconds, headers } }: AtelierError): Record<string, string> => ({
  ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
  ...headers,
});

/**
 * application/json only for clients that accept it and not the problem type: simple clients check for exactly
 * that.
 */
function problemType(accept: string): string {
  const namesJson = accept.includes('application/json');
  return namesJson && !accept.includes('application/problem+json')
    ? 'application/json'
    : 'application/problem+json';
}

/**
 * Adds a strong ETag to a cacheable response, and answers 304 to a client that has it. A client may request a
 * range of a file. Files on disk have versions as names: `storedFileResponse`.
 */
export async function withEtag(
  request: Request,
  response: Response,
  { cacheSeconds, hasParts }: { cacheSeconds: number; hasParts: boolean },
): Promise<Response> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  const etag = `"${version}${isCompressed(request, response) ? '-gzip' : ''}"`;
  const headers = new Headers(response.headers);
  headers.set('ETag', etag);
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', `public, max-age=${cacheSeconds}`);
  if (knowsVersion(request, etag)) return new Response(null, { status: 304, headers });
  if (!hasParts) return new Response(bytes, { status: response.status, headers });
  return rangeOf(request, bytes, headers) ?? new Response(bytes, { status: response.status, headers });
}

/**
 * Responses shorter than this are sent uncompressed. Opening a compressor takes about a millisecond of the main thread, and 4 KiB fit into
 * the first round trip of a connection either way (10 segments, RFC 6928).
 */
const COMPRESSED_BYTES_MIN = 4096;

/**
 * Compresses text responses for clients that accept gzip. Not compressed: ranges, which are ranges of the stored file; responses that contain
 * an image, because gzip takes 30 ms for a megabyte of base64 and saves a quarter; errors and responses below COMPRESSED_BYTES_MIN.
 */
export function compressAnswers(): MiddlewareHandler<{ Variables: { holdsFile?: boolean } }> {
  const gzip = compress({ encoding: 'gzip', threshold: COMPRESSED_BYTES_MIN });
  return async (c, next) => {
    await next();
    if (c.req.header('Range') || c.get('holdsFile') || c.res.status >= 400) return;
    // The library sets Vary by rebuilding the response, with its body as a stream.
    if (!takesGzip(c.req.raw) || isShort(c.res.headers)) return varyByEncoding(c.res);
    const etag = c.res.headers.get('ETag');
    await gzip(c, async () => {});
    // The library makes the ETag weak; `withEtag` has given each encoding a strong one.
    if (etag) c.res.headers.set('ETag', etag);
  };
}

/** Marks an uncompressed response as varying by encoding. RFC 9110, 12.5.5 */
function varyByEncoding({ headers }: Response): void {
  if (!isText(headers) || headers.has('Content-Encoding')) return;
  const vary = headers.get('Vary');
  if (vary !== '*' && !/(?:^|,)\s*accept-encoding\s*(?:,|$)/i.test(vary ?? ''))
    headers.append('Vary', 'Accept-Encoding');
}

const isText = (headers: Headers): boolean =>
  COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get('Content-Type') ?? '');

/** Whether the length of the body is known and below COMPRESSED_BYTES_MIN. */
function isShort(headers: Headers): boolean {
  const length = headers.get('Content-Length');
  return length !== null && Number(length) < COMPRESSED_BYTES_MIN;
}

/** Whether a response will be sent compressed; its ETag then differs from that of the uncompressed response. */
const isCompressed = (request: Request, { headers }: Response): boolean =>
  takesGzip(request) && isText(headers) && !isShort(headers);

/** Whether the client accepts gzip and requests no range. */
export function takesGzip(request: Request): boolean {
  if (request.headers.has('Range')) return false;
  const accepted = parseAccept(request.headers.get('Accept-Encoding') ?? '');
  const { q } = accepted.find(({ type }) => type.toLowerCase() === 'gzip') ??
    accepted.find(({ type }) => type === '*') ?? { q: 0 };
  return q > 0;
}

const FILE_CHARACTERS_MIN = 4 * 1024;

/** Whether a response contains a file as base64. */
export const holdsFile = (body: Record<string, unknown>): boolean =>
  Object.entries(body).some(
    ([name, value]) =>
      (name === 'data' || name.endsWith('_b64')) &&
      typeof value === 'string' &&
      value.length > FILE_CHARACTERS_MIN,
  );
