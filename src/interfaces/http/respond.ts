import { createHash } from 'node:crypto';
import type { AtelierError } from '../../core/errors/atelier_error.ts';
import type { BytesAnswer } from '../../features/definitions/operation.ts';
import { problemDetails } from '../../pipeline/errors.ts';
import type { CallResponse } from '../../pipeline/types.ts';
import { isCompressed } from './compress_answers.ts';
import { knowsVersion, partOf } from './part_of.ts';

/** A JSON answer; `text` when the very bytes matter (a replay). */
export function jsonResponse({ body, headers, text, status = 200 }: CallResponse): Response {
  return new Response(text ?? JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
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

/** Only browsers ask for HTML, and people do not open the endpoints of programs. */
export const isForPerson = (request: Request): boolean =>
  (request.headers.get('accept') ?? '').includes('text/html') &&
  !/^\/(api|mcp)(\/|$)/.test(new URL(request.url).pathname);

/** The page a person gets of a failure, with the headers that carries. */
export async function problemPageResponse(
  error: AtelierError,
  page: Promise<BytesAnswer>,
): Promise<Response> {
  const { headers, ...answer } = await page;
  return fileResponse({ ...answer, headers: { ...headers, Vary: 'Accept', ...headersOf(error) } });
}

/** Any failure as a problem object, with the headers it carries. */
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

/** application/json only for callers that name it and not the problem type: naive clients check for exactly that. */
function problemType(accept: string): string {
  const namesJson = accept.includes('application/json');
  return namesJson && !accept.includes('application/problem+json')
    ? 'application/json'
    : 'application/problem+json';
}

/**
 * Adds a strong ETag to an answer that may be cached, and answers 304 to a caller that has it. Of a file, a caller may ask for
 * the part it lacks. Files on the disk have names for their versions: `storedFileResponse`.
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
  return partOf(request, bytes, headers) ?? new Response(bytes, { status: response.status, headers });
}
