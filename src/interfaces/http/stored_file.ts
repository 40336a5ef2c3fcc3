import { createHash } from 'node:crypto';
import type { StoredBytes } from '../../core/storage/blobs/blobs.ts';
import type { StoredFileAnswer } from '../../features/definitions/operation.ts';
import { knowsVersion, partOf } from './part_of.ts';
import { takesGzip } from './respond.ts';

/**
 * Answers a file from the disk as it is sent: nothing is read to answer HEAD, a version the caller has, or parts it does not
 * want. A file that lies there compressed as well leaves so, with an ETag of its own, for clients that accept gzip. Where the sha256 of the bytes is known, a whole file that has another one is broken off before its end.
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
  const part = partOf(request, blob, headers);
  if (part) return begun(part.body, { status: part.status, headers });
  headers.set('Content-Length', String(blob.size));
  if (request.method === 'HEAD') return new Response(null, { headers });
  // As a stream: of a blob, the server would make one array first.
  return begun(sha256 === undefined || packed ? blob.stream() : checkStream(blob, sha256), { headers });
}

/** Answers once the first piece is read, so that damage found in it is an error with a code and not a connection that breaks off. */
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
 * Where the store answers the file itself, parts of it included. Undefined where it does not; for HEAD, which its address is not good for; and
 * within pages, whose policies name this server and not the store.
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

/** The last piece is held back until all of them together are known to be what they should. */
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
