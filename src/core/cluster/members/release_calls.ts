import { isOfThisBoot, livesHere } from '../../database/process_identity.ts';
import type { Database } from '../../database/types.ts';
import { CALLS_OF_PROCESS } from './call_id.ts';
import { SERVER_SILENCE_MS } from './limits.ts';
import * as store from './store.ts';

/** Gives back what calls hold whose ids begin so, and answers how many things that were. Doing it twice is harmless. */
export type ReleaseCalls = (calls: string) => Promise<number>;

/**
 * Gives back what servers held that died: credits, payments and keys, in the order given, so that whoever repeats a call finds its money there. A
 * server that was only asleep finds its holds gone, and charges nothing. One of this machine is known to be dead by its process; of another,
 * by its silence, if this process has been heard all the while.
 * @returns how many things
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
