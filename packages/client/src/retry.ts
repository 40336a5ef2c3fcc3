import { AtelierProblem } from './problem.ts';
import { ConnectionError } from './transport.ts';
import { wait } from './wait.ts';

const FIRST_WAIT_MS = 500;
/** A longer Retry-After is not waited for. */
const WAIT_MS_MAX = 60_000;

/**
 * Does work again, up to so many times, where no answer came or the service says that a later call may succeed: after as long as it
 * says, else after half a second, one, two, each with up to half as much again, so that clients do not come back together.
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
