import type { IncomingMessage } from 'node:http';
import type { Reach } from '../../core/outbound_http/reach.ts';
import { requestOnce } from '../../core/outbound_http/request_once.ts';
import { retryAfterMs } from '../../core/outbound_http/retry_after.ts';
import { openRoute } from '../../core/outbound_http/route.ts';
import { untilAborted } from '../../core/outbound_http/until_aborted.ts';
import { ANSWER_BYTES_MAX, DELIVERY_TIMEOUT_MS } from './limits.ts';

/** What became of one attempt. */
export interface Attempt {
  readonly status: number | null;
  /** In words; null where an answer came. */
  readonly error: string | null;
  readonly ms: number | null;
  /** As the receiver asks, in milliseconds. */
  readonly pauseMs?: number | undefined;
}

interface Sending {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Stops it. */
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * Sends one notice to where its address leads now; follows no redirect. Why nothing was reached is told in one sentence, whatever it was: more
 * would map somebody's network. Never throws.
 */
export async function sendOnce(
  reach: Reach,
  { signal, timeoutMs = DELIVERY_TIMEOUT_MS, ...sending }: Sending,
): Promise<Attempt> {
  const late = AbortSignal.timeout(timeoutMs);
  const deadline = AbortSignal.any([signal, late]);
  const begun = performance.now();
  try {
    const response = await untilAborted(deadline, request(reach, sending, deadline));
    const { statusCode = 0, headers } = response;
    const ms = Math.round(performance.now() - begun);
    await untilAborted(deadline, readSome(response)).catch(() => {});
    response.destroy();
    return { status: statusCode, error: null, ms, pauseMs: retryAfterMs(headers['retry-after']) };
  } catch {
    return { status: null, error: late.aborted ? TOO_LATE : NOT_REACHED, ms: null };
  }
}

const TOO_LATE = `It did not answer within ${DELIVERY_TIMEOUT_MS / 1000} seconds.`;
const NOT_REACHED =
  'It could not be reached: its address leads nowhere or not to the public internet, its certificate does not hold, or the connection broke off.';

async function request(
  reach: Reach,
  { url, headers, body }: Pick<Sending, 'url' | 'headers' | 'body'>,
  deadline: AbortSignal,
): Promise<IncomingMessage> {
  const route = await openRoute(reach, url, 'url');
  deadline.throwIfAborted();
  const own = { accept: '*/*', 'content-type': 'application/json', 'user-agent': 'Atelier-Webhooks/0.5' };
  return requestOnce(route, { headers: { ...headers, ...own }, body }, deadline);
}

/** A receiver that is read to its end can close in peace; one that goes on and on is left. */
async function readSome(response: IncomingMessage): Promise<void> {
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) return;
  }
}
