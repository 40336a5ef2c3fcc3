import { setTimeout as sleep } from 'node:timers/promises';
import { AtelierError } from '../errors/atelier_error.ts';

const PAUSE_MS = 250;

/**
 * Retries an idempotent operation while the database is unreachable or all connections are in use: it may have succeeded, with only
 * its response lost.
 * @throws what the last attempt threw
 */
export async function askAgain<T>(work: () => Promise<T>, forMs: number): Promise<T> {
  const end = performance.now() + forMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnanswered(error) || performance.now() > end) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** Whether the database is unreachable or all connections are in use. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof AtelierError && ['database_unavailable', 'busy'].includes(error.code);
