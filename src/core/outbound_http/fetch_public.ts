import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { AtelierError } from '../errors/atelier_error.ts';
import type { Reach } from './reach.ts';
import { requestOnce } from './request_once.ts';
import { openRoute } from './route.ts';
import type { Fetched, FetchOptions } from './types.ts';

/**
 * Minimum delay before a connection failure is reported. Longer than name resolution takes, so that timing does not reveal internal
 * names.
 */
export const FETCH_REFUSAL_MS = 300;

const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Fetches one file. Each redirect is checked like the first URL. Sends no cookies, and no credentials except those in `headers`. All
 * connection failures have the same message and the same delay, so they reveal nothing about internal networks.
 * @throws AtelierError invalid_input (address not allowed), payload_too_large, upstream_failed, timed_out (`signal`)
 */
export async function fetchPublic(reach: Reach, text: string, options: FetchOptions): Promise<Fetched> {
  const { signal } = options;
  const begun = performance.now();
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const deadline = AbortSignal.any([signal, timeout]);
  try {
    return await untilAborted(deadline, followRedirects(reach, text, options, deadline));
  } catch (error) {
    if (signal.aborted)
      throw new AtelierError('timed_out', `The call ended before the URL in ${options.field} responded.`);
    if (error instanceof AtelierError) throw error;
    await sleep(Math.max(0, FETCH_REFUSAL_MS - (performance.now() - begun)));
    throw new AtelierError(
      'upstream_failed',
      `${failure(options, timeout.aborted)} Upload the file instead.`,
      { cause: error },
    );
  }
}

function failure({ field, timeoutMs }: FetchOptions, late: boolean): string {
  return late
    ? `The URL in ${field} did not respond completely within ${timeoutMs / 1000} s.`
    : `The URL in ${field} could not be fetched: it is unreachable, is not on the public internet, or its response was incomplete.`;
}

async function followRedirects(
  reach: Reach,
  first: string,
  options: FetchOptions,
  deadline: AbortSignal,
): Promise<Fetched> {
  let next = first;
  for (let hop = 0; hop <= options.redirectsMax; hop += 1) {
    const route = await openRoute(reach, next, options.field);
    // The client may have disconnected before DNS responds.
    deadline.throwIfAborted();
    const response = await requestOnce(route, options, deadline);
    const location = REDIRECTS.includes(response.statusCode ?? 0) ? response.headers.location : undefined;
    if (location === undefined) {
      return { ...(await fileOf(reach, response, options)), finalUrl: route.url.href };
    }
    response.destroy();
    next = URL.parse(location, route.url.href)?.href ?? location;
  }
  throw new AtelierError(
    'upstream_failed',
    `The URL in ${options.field} redirects more than ${options.redirectsMax} times.`,
  );
}

async function fileOf(
  reach: Reach,
  response: IncomingMessage,
  { field, maxBytes, headers: sent }: FetchOptions,
): Promise<Omit<Fetched, 'finalUrl'>> {
  const { statusCode = 0, headers } = response;
  const { etag = '', 'content-type': contentType = '' } = headers;
  try {
    if (statusCode === 304 && sent?.['if-none-match'] !== undefined)
      return { bytes: new Uint8Array(), contentType, etag, isUnchanged: true };
    if (statusCode !== 200)
      throw new AtelierError(
        'upstream_failed',
        `The URL in ${field} returned status ${statusCode} instead of a file.`,
        { cause: new UnexpectedStatus(statusCode, retryAfterMs(headers['retry-after'])) },
      );
    // No compression was requested; a small compressed body can expand without bound.
    if (!['', 'identity'].includes(headers['content-encoding'] ?? '')) {
      throw new AtelierError(
        'upstream_failed',
        `The URL in ${field} returned a compressed body, which was not requested.`,
      );
    }
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(field, maxBytes);
    return {
      bytes: await bodyOf(reach, response, { field, maxBytes }),
      contentType,
      etag,
      isUnchanged: false,
    };
  } finally {
    response.destroy();
  }
}

async function bodyOf(
  { reserve }: Reach,
  response: IncomingMessage,
  { field, maxBytes }: Pick<FetchOptions, 'field' | 'maxBytes'>,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(field, maxBytes);
    await reserve?.(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

const tooLarge = (field: string, maxBytes: number): AtelierError =>
  new AtelierError('payload_too_large', `The file at the URL in ${field} has more than ${maxBytes} bytes.`);

/** Rejects when the signal aborts, even if the work cannot be stopped, such as DNS. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A server responded with an unexpected status. */
export class UnexpectedStatus extends Error {
  override readonly name = 'UnexpectedStatus';
  readonly status: number;
  /** Retry-After in milliseconds; undefined without one. */
  readonly pauseMs: number | undefined;

  constructor(status: number, pauseMs: number | undefined) {
    super(`status ${status}`);
    this.status = status;
    this.pauseMs = pauseMs;
  }
}

/** Retry-After in milliseconds: seconds or a date (RFC 9110, 10.2.3). Undefined without one. */
export function retryAfterMs(header: string | null | undefined): number | undefined {
  if (header === null || header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
