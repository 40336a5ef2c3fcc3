import { APICallError, RetryError } from 'ai';
import { AtelierError } from '../../core/errors/atelier_error.ts';

/** The model would not describe this picture. */
export class Declined extends Error {}
/** It answered, but not as it was asked to. */
export class OutOfForm extends Error {}

const INSTEAD =
  'Nothing was charged. enrich_metadata with engine "built_in" describes a picture by measurement alone.';

/** When to come again where the provider names no time, and how long it may send callers away. */
const RETRY_SECONDS = 30;
const RETRY_SECONDS_MAX = 3600;

/**
 * What the caller is told of a request that failed: in our words, since messages and bodies of these errors hold what was sent.
 * @param isLate our own time for an answer is over @param isLeft nobody waits for it any more
 */
export function providerFailure(
  error: unknown,
  { isLate, isLeft }: { isLate: boolean; isLeft: boolean },
): AtelierError {
  if (error instanceof AtelierError) return error;
  if (isLeft) return new AtelierError('timed_out', 'The caller has gone or the time is up.');
  if (isLate) return new AtelierError('timed_out', `The vision model did not answer in time. ${INSTEAD}`);
  if (error instanceof Declined)
    return upstreamFailed(`The vision model declined to describe this picture. ${INSTEAD}`);
  if (error instanceof OutOfForm)
    return upstreamFailed(`The vision model did not answer in the form asked for. ${INSTEAD}`);
  const status = statusOf(error);
  if (status !== undefined && OVERLOADED.includes(status)) return overloaded(error);
  if (status !== undefined && (UNUSABLE.includes(status) || (status >= 300 && status < 400)))
    return new AtelierError(
      'model_unavailable',
      `The vision model cannot be used: the operator has to look after its settings. ${INSTEAD}`,
    );
  if (status !== undefined && status < 300)
    return upstreamFailed(
      `What came from the vision model was no answer of its provider, or too long. ${INSTEAD}`,
    );
  return upstreamFailed(`The vision model could not be reached or failed. ${INSTEAD}`);
}

const OVERLOADED: readonly number[] = [429, 503, 529];
/** No right to it, no money for it, no such model. */
const UNUSABLE: readonly number[] = [401, 402, 403, 404];

const upstreamFailed = (words: string): AtelierError => new AtelierError('upstream_failed', words);

function overloaded(error: unknown): AtelierError {
  const last = lastOf(error);
  const header = APICallError.isInstance(last) ? last.responseHeaders?.['retry-after'] : undefined;
  const told = header === undefined ? Number.NaN : secondsIn(header);
  const retryAfterSeconds =
    told >= 0 ? Math.min(Math.max(1, Math.ceil(told)), RETRY_SECONDS_MAX) : RETRY_SECONDS;
  return new AtelierError(
    // Not busy: a job would come again every two seconds, and see to the pixels anew.
    'upstream_failed',
    `The vision model has more requests than it takes just now. Come again in ${retryAfterSeconds} s. ${INSTEAD}`,
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

/** Whether no model can have worked for it: it was never sent, or answered with an error or a page for people. */
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

const lastOf = (error: unknown): unknown => (RetryError.isInstance(error) ? error.lastError : error);

function statusOf(error: unknown): number | undefined {
  const last = lastOf(error);
  return APICallError.isInstance(last) ? last.statusCode : undefined;
}
