import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { parseAccept } from 'hono/utils/accept';
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/utils/compress';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { StoredBytes } from '../../core/storage/blobs/blobs.ts';
import type { BytesAnswer, StoredFileAnswer } from '../../features/definitions/operation.ts';
import { problemDetails } from '../../pipeline/errors.ts';
import type { CallResponse } from '../../pipeline/types.ts';

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
function takesGzip(request: Request): boolean {
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

/**
 * Serves a file from disk. Reads nothing to answer HEAD, 304, or a range outside it. A file that is also
 * stored compressed is sent that way, with its own ETag, to clients that accept gzip. If the sha256 of the
 * bytes is known, a file that does not match it is aborted before its end.
 */
export async function storedFileResponse(
  request: Request,
  file: StoredFileAnswer,
  { cacheSeconds }: { cacheSeconds: number },
): Promise<Response> {
  const { bytes: plain, gzip, version, sha256, contentType, headers: more } = file;
  const headers = new Headers({ 'Content-Type': contentType, ...more });
  const packed = gzip && takesGzip(request) ? gzip : undefined;
  const blob = packed ?? plain;
  const etag = `"${version}${packed ? '-gzip' : ''}"`;
  headers.set('ETag', etag);
  if (gzip) headers.set('Vary', 'Accept-Encoding');
  if (packed) headers.set('Content-Encoding', 'gzip');
  headers.set('Accept-Ranges', 'bytes');
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', `public, max-age=${cacheSeconds}`);
  if (knowsVersion(request, etag)) return new Response(null, { status: 304, headers });
  const direct = await directAddress(request, file, headers);
  if (direct !== undefined)
    return new Response(null, { status: 303, headers: { Location: direct, 'Cache-Control': 'no-store' } });
  const part = rangeOf(request, blob, headers);
  if (part) return begun(part.body, { status: part.status, headers });
  headers.set('Content-Length', String(blob.size));
  if (request.method === 'HEAD') return new Response(null, { headers });
  // As a stream: from a blob, the server would make one array first.
  return begun(sha256 === undefined || packed ? blob.stream() : checkStream(blob, sha256), { headers });
}

/**
 * Responds once the first chunk is read, so that damage found in it is an error with a code rather than a
 * broken connection.
 */
async function begun(stream: ReadableStream<Uint8Array> | null, init: ResponseInit): Promise<Response> {
  const reader = stream!.getReader();
  let first: Awaited<ReturnType<typeof reader.read>> | undefined = await reader.read();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = first ?? (await reader.read());
        first = undefined;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, init);
}

/**
 * The URL at which the store serves the file itself, including ranges. Undefined if the store does not; for
 * HEAD, for which that URL is not valid; and within pages, whose content security policy allows only this
 * server.
 */
async function directAddress(
  { method, headers: asked }: Request,
  { bytes, contentType, directDisposition }: StoredFileAnswer,
  headers: Headers,
): Promise<string | undefined> {
  const isWithinPage = (asked.get('sec-fetch-dest') ?? 'document') !== 'document';
  if (directDisposition === undefined || !('addressFor' in bytes) || method !== 'GET' || isWithinPage)
    return undefined;
  return bytes.addressFor({
    contentType,
    contentDisposition: directDisposition,
    cacheControl: headers.get('Cache-Control') ?? 'private',
  });
}

/** The last chunk is held back until the hash of all of them is verified. */
function checkStream(blob: StoredBytes, sha256: string): ReadableStream<Uint8Array> {
  const pieces = async function* () {
    const hash = createHash('sha256');
    let last: Uint8Array | undefined;
    for await (const piece of blob.stream()) {
      if (last) yield last;
      hash.update(piece);
      last = piece;
    }
    if (hash.digest('hex') !== sha256)
      throw blob.reportDamage?.() ?? new Error(`stored bytes no longer have the sha256 ${sha256}`);
    if (last) yield last;
  };
  return ReadableStream.from(pieces());
}

/** One range; a list of ranges gets the full response, as RFC 9110 (14.2) allows. */
const RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * The part of a file that a client requests (`Range`), so that it can resume a download: 206.
 * Undefined if the whole file is to be sent: no range, several, one that ends before it begins, or one of
 * another version (`If-Range`).
 * @param headers of the whole, including its strong ETag; sets Accept-Ranges
 * @throws AtelierError range_not_satisfiable
 */
function rangeOf(
  request: Request,
  file: Uint8Array<ArrayBuffer> | Blob,
  headers: Headers,
): Response | undefined {
  headers.set('Accept-Ranges', 'bytes');
  const [, from = '', to = ''] = RANGE.exec(request.headers.get('range') ?? '') ?? [];
  const version = request.headers.get('if-range');
  const isRange = from === '' ? to !== '' : to === '' || Number(from) <= Number(to);
  if (!isRange || request.method !== 'GET') return undefined;
  if (version !== null && version !== headers.get('ETag')) return undefined;
  const size = file instanceof Blob ? file.size : file.length;
  // "-500" is the last 500 bytes.
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (first > last) {
    const detail = `The file has ${size} bytes. The requested range is outside it. Omit Range to get the complete file.`;
    throw new AtelierError('range_not_satisfiable', detail, {
      headers: { 'Content-Range': `bytes */${size}` },
    });
  }
  headers.set('Content-Range', `bytes ${first}-${last}/${size}`);
  headers.set('Content-Length', `${last - first + 1}`);
  const part = file instanceof Blob ? file.slice(first, last + 1).stream() : file.subarray(first, last + 1);
  return new Response(part, { status: 206, headers });
}

/** Whether the client already has this version (`If-None-Match`). */
function knowsVersion(request: Request, etag: string): boolean {
  const known = (request.headers.get('if-none-match') ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
