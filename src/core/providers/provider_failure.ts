import { APICallError, RetryError } from 'ai';
import { AtelierError } from '../errors/atelier_error.ts';

/** The model, or a filter of its provider, declined. */
export class Declined extends Error {}
/** The response does not have the form that was requested. */
export class UnexpectedFormat extends Error {}

/** Wording of the errors of a provider. */
export interface ProviderWording {
  /** At the beginning of a sentence: "The vision model". */
  readonly name: string;
  /** The requested task: "describe this picture". */
  readonly request: string;
  /** What a client can do instead, and that nothing was charged. */
  readonly instead: string;
}

/** `Retry-After` where the provider sends none, and the longest accepted one. */
const RETRY_SECONDS = 30;
const RETRY_SECONDS_MAX = 3600;

/**
 * Maps a failed request to an error of ours, because the provider's messages and bodies quote the request.
 * @param isLate our own deadline has passed
 * @param isLeft the client has disconnected
 */
export function providerFailure(
  error: unknown,
  wording: ProviderWording,
  { isLate, isLeft }: { isLate: boolean; isLeft: boolean },
): AtelierError {
  const { name, request, instead } = wording;
  if (error instanceof AtelierError) return error;
  if (isLeft) return new AtelierError('timed_out', 'The client disconnected or the deadline passed.');
  if (isLate) return new AtelierError('timed_out', `${name} did not respond in time. ${instead}`);
  if (error instanceof Declined) return upstreamFailed(`${name} declined to ${request}. ${instead}`);
  if (error instanceof UnexpectedFormat)
    return upstreamFailed(`${name} did not respond in the requested format. ${instead}`);
  const status = statusOf(error);
  if (status !== undefined && OVERLOADED.includes(status)) return overloaded(error, wording);
  if (status !== undefined && (UNUSABLE.includes(status) || (status >= 300 && status < 400)))
    return new AtelierError(
      'model_unavailable',
      `${name} is misconfigured: the operator has to check its settings. ${instead}`,
    );
  if (status !== undefined && status < 300)
    return upstreamFailed(`The response of ${lowerFirst(name)} was invalid or too long. ${instead}`);
  return upstreamFailed(`${name} could not be reached or failed. ${instead}`);
}

const OVERLOADED: readonly number[] = [429, 503, 529];
/** Missing permission, missing credit, unknown model. */
const UNUSABLE: readonly number[] = [401, 402, 403, 404];

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const upstreamFailed = (words: string): AtelierError => new AtelierError('upstream_failed', words);

function overloaded(error: unknown, { name, instead }: ProviderWording): AtelierError {
  const last = lastOf(error);
  const header = APICallError.isInstance(last) ? last.responseHeaders?.['retry-after'] : undefined;
  const requested = header === undefined ? Number.NaN : secondsIn(header);
  const retryAfterSeconds =
    requested >= 0 ? Math.min(Math.max(1, Math.ceil(requested)), RETRY_SECONDS_MAX) : RETRY_SECONDS;
  return new AtelierError(
    // Not `busy`: a job would retry every two seconds and process the pixels each time.
    'upstream_failed',
    `${name} is overloaded. Retry in ${retryAfterSeconds} s. ${instead}`,
    { retryAfterSeconds },
  );
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
const secondsIn = (header: string): number =>
  /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;

/** Kind and status only. */
export function reasonOf(error: unknown): string {
  const last = lastOf(error);
  const status = statusOf(error);
  const kind = last instanceof AtelierError ? last.code : last instanceof Error ? kindOf(last) : 'unknown';
  return `${kind}${status === undefined ? '' : ` ${status}`}`;
}

const kindOf = (error: Error): string => (error.name === 'Error' ? error.constructor.name : error.name);

/** True if the request cannot have used tokens: it was never sent, or the response was an error or an HTML page. */
export function hasCostNothing(error: unknown): boolean {
  const last = lastOf(error);
  if (!APICallError.isInstance(last)) return last instanceof AtelierError;
  const { statusCode, responseHeaders, cause } = last;
  const { code } = (cause ?? {}) as { code?: unknown };
  if (statusCode === undefined) return UNSENT.includes(String(code));
  return statusCode >= 300 || responseHeaders?.['content-type']?.startsWith('text/html') === true;
}

/** No connection was made. */
const UNSENT: readonly string[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/** The last error of a retried request. */
export const lastOf = (error: unknown): unknown => (RetryError.isInstance(error) ? error.lastError : error);

/** HTTP status of a failed request, if there was a response. */
export function statusOf(error: unknown): number | undefined {
  const last = lastOf(error);
  return APICallError.isInstance(last) ? last.statusCode : undefined;
}
