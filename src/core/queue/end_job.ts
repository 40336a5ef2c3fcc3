import { RESULT_LIFETIME_MS } from '../../config/limits.ts';
import type { Database } from '../database/types.ts';
import * as store from './store.ts';
import type { Ending, QueueDeps } from './types.ts';

/**
 * Ends a job without success and releases its hold in one transaction: once the job is seen to have ended, its credits are
 * available.
 */
export async function endJob(
  {
    database,
    release,
    clock,
  }: Pick<QueueDeps, 'release' | 'clock'> & {
    readonly database: Pick<Database, 'transaction'>;
  },
  id: string,
  ending: Exclude<Ending, { outcome: 'succeeded' }> = { outcome: 'canceled' },
): Promise<boolean> {
  const at = clock();
  const expiresAt = new Date(at.getTime() + RESULT_LIFETIME_MS);
  return database.transaction(async (tx) => {
    const isEnded = await store.end(tx, {
      id,
      at,
      expiresAt,
      ...(ending.outcome === 'failed' && ending),
    });
    if (isEnded) await release(tx, id);
    return isEnded;
  });
}
