import { createHash } from 'node:crypto';
import type { StoredBytes } from '../../core/storage/blobs/blobs.ts';
import type { StoredFileAnswer } from '../../features/definitions/operation.ts';
import { knowsVersion, rangeOf } from './range_of.ts';
import { takesGzip } from './respond.ts';

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
