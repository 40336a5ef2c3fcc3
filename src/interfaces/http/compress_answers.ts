import type { MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { parseAccept } from 'hono/utils/accept';
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/utils/compress';

/**
 * Answers in text leave compressed where the caller takes gzip. Who asks for a part of a file gets it as it is, for parts are those of
 * the file; so is an answer that holds a picture: gzip works 30 ms on a megabyte of base64 to make it a quarter smaller. Nor is a
 * refusal compressed: it has half a kilobyte, and opening a compressor takes a millisecond of the main thread.
 */
export function compressAnswers(): MiddlewareHandler<{ Variables: { holdsFile?: boolean } }> {
  const gzip = compress({ encoding: 'gzip' });
  return async (c, next) => {
    await next();
    if (c.req.header('Range') || c.get('holdsFile') || c.res.status >= 400) return;
    // The library sets Vary by rebuilding the response, with its body as a stream.
    if (!takesGzip(c.req.raw)) return varyByEncoding(c.res);
    const etag = c.res.headers.get('ETag');
    await gzip(c, async () => {});
    // The library makes it a weak one; `withEtag` has given each encoding a strong one of its own.
    if (etag) c.res.headers.set('ETag', etag);
  };
}

/** Says of an answer that leaves as it is that others get it compressed. RFC 9110, 12.5.5 */
function varyByEncoding({ headers }: Response): void {
  if (!isText(headers) || headers.has('Content-Encoding')) return;
  const vary = headers.get('Vary');
  if (vary !== '*' && !/(?:^|,)\s*accept-encoding\s*(?:,|$)/i.test(vary ?? ''))
    headers.append('Vary', 'Accept-Encoding');
}

const isText = (headers: Headers): boolean =>
  COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get('Content-Type') ?? '');

/** Whether an answer would leave compressed, so that it has another ETag than the same one as it is. */
export const isCompressed = (request: Request, response: Response): boolean =>
  takesGzip(request) && isText(response.headers);

/** Whether the caller takes gzip and asks for no part. */
export function takesGzip(request: Request): boolean {
  if (request.headers.has('Range')) return false;
  const accepted = parseAccept(request.headers.get('Accept-Encoding') ?? '');
  const { q } = accepted.find(({ type }) => type.toLowerCase() === 'gzip') ??
    accepted.find(({ type }) => type === '*') ?? { q: 0 };
  return q > 0;
}

const FILE_CHARACTERS_MIN = 4 * 1024;

/** Whether an answer has a file inside, as base64. */
export const holdsFile = (body: Record<string, unknown>): boolean =>
  Object.entries(body).some(
    ([name, value]) =>
      (name === 'data' || name.endsWith('_b64')) &&
      typeof value === 'string' &&
      value.length > FILE_CHARACTERS_MIN,
  );
