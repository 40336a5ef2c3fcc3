import { setTimeout as wait } from 'node:timers/promises';
import { PrivateRedirect } from '../../../core/outbound_http/follow_outward.ts';
import { retryAfterMs } from '../../../core/outbound_http/retry_after.ts';
import {
  DATASET_DOWNLOAD_PAUSE_MS,
  DATASET_DOWNLOAD_PAUSE_MS_MAX,
  DATASET_DOWNLOAD_TRIES,
} from '../limits.ts';
import { SourceProblem } from '../readers/source_problem.ts';

/** What may be better in a moment: a connection that broke off, a server that is overloaded. */
export class PassingProblem extends SourceProblem {
  /** As the server asked, in milliseconds. */
  readonly pauseMs: number | undefined;

  constructor(message: string, { cause, pauseMs }: { cause?: unknown; pauseMs?: number | undefined } = {}) {
    super(message, { cause });
    this.pauseMs = pauseMs;
  }
}

export interface Retries {
  readonly signal: AbortSignal;
  /** Before the second try; twice as long before each further one. */
  readonly pauseMs?: number | undefined;
  /** Told before each further try. */
  readonly onPause?: (problem: PassingProblem, pauseMs: number) => void;
}

/** Tries again what fails by a passing problem, a few times. @throws what the last try has thrown */
export async function retryPassing<T>(
  attempt: () => Promise<T>,
  { signal, pauseMs = DATASET_DOWNLOAD_PAUSE_MS, onPause }: Retries,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isOver = tries === DATASET_DOWNLOAD_TRIES || signal.aborted;
      if (isOver || !(error instanceof PassingProblem)) throw error;
      const pause = Math.max(error.pauseMs ?? 0, pauseMs * 2 ** (tries - 1));
      if (pause > DATASET_DOWNLOAD_PAUSE_MS_MAX) throw error;
      onPause?.(error, pause);
      await wait(pause, undefined, { signal });
    }
  }
}

/** Too much asked of it, or out of order for the moment (RFC 9110, 15.6; RFC 6585, 4). */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/** What an answer without the file is. */
export function refusalOf(url: string, { status, headers }: Response): SourceProblem {
  const message = `${url} answered ${status}.`;
  if (!PASSING.has(status)) return new SourceProblem(message);
  return new PassingProblem(message, { pauseMs: retryAfterMs(headers.get('retry-after')) });
}

/** What a connection that failed is; a message in words of the network. */
export function connectionProblem(url: string, error: unknown): SourceProblem {
  if (error instanceof PrivateRedirect) return new SourceProblem(`${url} is not followed: ${error.message}.`);
  const { cause, message } = error as Error;
  return new PassingProblem(
    `${url} cannot be reached or stopped sending (${cause instanceof Error ? cause.message : message}). What has arrived is kept, and the same command goes on from there.`,
    { cause: error },
  );
}
