import { setTimeout as wait } from 'node:timers/promises';
import { retryAfterMs } from '../../../core/outbound_http/fetch_public.ts';
import { PrivateRedirect } from '../../../core/outbound_http/follow_outward.ts';
import {
  DATASET_DOWNLOAD_PAUSE_MS,
  DATASET_DOWNLOAD_PAUSE_MS_MAX,
  DATASET_DOWNLOAD_TRIES,
} from '../limits.ts';
import { SourceProblem } from '../readers/source_problem.ts';

/** A transient failure, such as a broken connection or an overloaded server. */
export class TransientProblem extends SourceProblem {
  /** Delay requested by the server, in ms. */
  readonly pauseMs: number | undefined;

  constructor(message: string, { cause, pauseMs }: { cause?: unknown; pauseMs?: number | undefined } = {}) {
    super(message, { cause });
    this.pauseMs = pauseMs;
  }
}

export interface Retries {
  readonly signal: AbortSignal;
  /** Delay before the first retry, in ms; doubled before each further one. */
  readonly pauseMs?: number | undefined;
  /** Called before each retry. */
  readonly onPause?: (problem: TransientProblem, pauseMs: number) => void;
}

/**
 * Retries transient failures a few times.
 * @throws the last error
 */
export async function retryTransient<T>(
  attempt: () => Promise<T>,
  { signal, pauseMs = DATASET_DOWNLOAD_PAUSE_MS, onPause }: Retries,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isOver = tries === DATASET_DOWNLOAD_TRIES || signal.aborted;
      if (isOver || !(error instanceof TransientProblem)) throw error;
      const pause = Math.max(error.pauseMs ?? 0, pauseMs * 2 ** (tries - 1));
      if (pause > DATASET_DOWNLOAD_PAUSE_MS_MAX) throw error;
      onPause?.(error, pause);
      await wait(pause, undefined, { signal });
    }
  }
}

/** Transient statuses: too many requests, or temporarily unavailable (RFC 9110, 15.6; RFC 6585, 4). */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The error for a response without the file. */
export function refusalOf(url: string, { status, headers }: Response): SourceProblem {
  const message = `${url} returned status ${status}.`;
  if (!PASSING.has(status)) return new SourceProblem(message);
  return new TransientProblem(message, { pauseMs: retryAfterMs(headers.get('retry-after')) });
}

/** The error for a failed connection, with the message of the network layer. */
export function connectionProblem(url: string, error: unknown): SourceProblem {
  if (error instanceof PrivateRedirect) return new SourceProblem(`${url} was not fetched: ${error.message}.`);
  const { cause, message } = error as Error;
  return new TransientProblem(
    `${url} cannot be reached or stopped sending (${cause instanceof Error ? cause.message : message}). The partial download was stored; the same command resumes it.`,
    { cause: error },
  );
}
