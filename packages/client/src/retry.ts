import { AtelierProblem } from './problem.ts';
import { ConnectionError } from './transport.ts';
import { wait } from './wait.ts';

const FIRST_WAIT_MS = 500;
/** A longer Retry-After ends the retries. */
const WAIT_MS_MAX = 60_000;

/**
 * Repeats `work`, up to a number of times, if there is no response or the service says that a later call may
 * succeed. Waits for Retry-After, else 0.5 s, 1 s, 2 s, each with up to 50 % of jitter, so that clients do
 * not retry simultaneously.
 */
export async function retry<T>(
  work: () => Promise<T>,
  { retries, signal }: { retries: number; signal?: AbortSignal | undefined },
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const pause = attempt < retries ? pauseAfter(error, attempt) : undefined;
      if (pause === undefined) throw error;
      await wait(pause, signal);
    }
  }
}

function pauseAfter(error: unknown, attempt: number): number | undefined {
  const own = FIRST_WAIT_MS * 2 ** attempt * (1 + Math.random() / 2);
  if (error instanceof ConnectionError) return own;
  if (!(error instanceof AtelierProblem) || !error.isRetryable) return undefined;
  const asked = error.retryAfterSeconds === undefined ? own : 1000 * error.retryAfterSeconds;
  return asked <= WAIT_MS_MAX ? asked : undefined;
}
