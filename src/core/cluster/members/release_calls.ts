import { isOfThisBoot, livesHere } from '../../database/process_identity.ts';
import type { Database } from '../../database/types.ts';
import { CALLS_OF_PROCESS } from './call_id.ts';
import { SERVER_SILENCE_MS } from './limits.ts';
import * as store from './store.ts';

/** Releases the holds of all calls with this id prefix; returns their number. Idempotent. */
export type ReleaseCalls = (calls: string) => Promise<number>;

/**
 * Releases the holds of dead servers: credits, payments and keys, in the given order, so that a client that repeats a call finds
 * its credits available. A server that was only suspended finds its holds gone and charges nothing. A server on this machine is
 * dead when its process is gone; one on another machine when its heartbeat has stopped while this server's own heartbeat had no
 * gap.
 * @returns the number of holds released
 */
export async function releaseCallsOfDead(
  database: Database,
  rooms: readonly ReleaseCalls[],
  calls = CALLS_OF_PROCESS,
): Promise<number> {
  const others = await store.selectOthers(database, calls, SERVER_SILENCE_MS);
  let released = 0;
  for (const other of others) {
    const lives = isOfThisBoot(other) ? livesHere(other) : undefined;
    if (lives || (lives === undefined && !other.isMissed)) continue;
    for (const release of rooms) released += await release(other.calls);
    await store.forgetCalls(database, other.calls);
  }
  return released;
}
