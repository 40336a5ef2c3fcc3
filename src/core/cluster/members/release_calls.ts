import { isOfThisBoot, livesHere } from '../../database/process_identity.ts';
import type { Queryable } from '../../database/types.ts';
import { CALLS_OF_PROCESS, CALLS_PREFIX_CHARACTERS, isRunning, stillOwed, takeOwed } from './call_id.ts';
import { HEARTBEAT_GAP_MS_MAX, RELEASE_RETRY_MS, SERVER_HEARTBEAT_MS, SERVER_TIMEOUT_MS } from './members.ts';
import * as store from './store.ts';

/** A service in which calls hold something: credits, a payment, an Idempotency-Key. */
export interface CallHolder {
  /** Ids of all calls with this prefix that hold something. */
  openCalls(prefix: string): Promise<string[]>;
  /** Releases what calls with this id or prefix hold; returns their number. Idempotent. */
  releaseCalls(calls: string): Promise<number>;
}

interface Released {
  /** Releases the remaining holds of calls whose server is gone; returns their number. Idempotent. */
  release(): Promise<number>;
}

/**
 * Releases what no running call will release, in the given order (credits, payments, keys), so that a client that repeats a call finds its
 * credits available:
 *
 * - holds of calls of this process that have ended while the database was unavailable, or whose reply was lost;
 * - holds of dead servers. A server on this machine is dead if its process is gone; a server on another machine if its heartbeat has
 *   stopped while this server's own heartbeat had no gap;
 * - holds of servers without a registry row, which unregistered while calls were running. A server that was disconnected for long has
 *   no row until its next heartbeat, so the row must be missing for longer than that.
 *
 * A server that was only suspended finds its holds gone and charges nothing.
 * @param options `isAlone`: no other process registers with this database. The others are for tests.
 */
export function createReleasing(
  database: Queryable,
  holding: readonly CallHolder[],
  {
    isAlone = false,
    calls = CALLS_OF_PROCESS,
    runs = isRunning,
    missedForMs = HEARTBEAT_GAP_MS_MAX,
  }: { isAlone?: boolean; calls?: string; runs?: (id: string) => boolean; missedForMs?: number } = {},
): Released {
  /** Prefixes without a registry row, and since when. */
  let missing = new Map<string, number>();
  const releaseAll = async (of: string) => {
    let released = 0;
    for (const { releaseCalls } of holding) released += await releaseCalls(of);
    return released;
  };
  const openCalls = async (prefix: string) => {
    const found = await Promise.all(holding.map((one) => one.openCalls(prefix)));
    return new Set(found.flat());
  };

  async function releaseDead(): Promise<number> {
    let released = 0;
    for (const other of await store.selectOthers(database, calls, SERVER_TIMEOUT_MS)) {
      const lives = isOfThisBoot(other) ? livesHere(other) : undefined;
      if (lives || (lives === undefined && !other.isMissed)) continue;
      released += await releaseAll(other.calls);
      await store.forgetCalls(database, other.calls);
    }
    return released;
  }

  async function releaseMissing(open: ReadonlySet<string>): Promise<number> {
    const prefixes = new Set([...open].map((id) => id.slice(0, CALLS_PREFIX_CHARACTERS)));
    prefixes.delete(calls);
    if (prefixes.size > 0) for (const known of await store.selectCalls(database)) prefixes.delete(known);
    const now = performance.now();
    missing = new Map([...prefixes].map((prefix) => [prefix, missing.get(prefix) ?? now]));
    let released = 0;
    for (const [prefix, since] of missing)
      if (now - since >= missedForMs) released += await releaseAll(prefix);
    return released;
  }

  return {
    async release() {
      let released = isAlone ? 0 : await releaseDead();
      // Read before the running calls are listed: a call that starts in between is not in the list.
      const open = await openCalls(isAlone ? calls : 'call_');
      for (const id of open) if (id.startsWith(calls) && !runs(id)) released += await releaseAll(id);
      return released + (isAlone ? 0 : await releaseMissing(open));
    },
  };
}

/**
 * Releases at every heartbeat, and every second while a release is owed.
 * @returns stops, after a last attempt
 */
export function startReleasing(
  { release }: Released,
  { report }: { report(error: unknown): void },
): () => Promise<void> {
  let dueAt = performance.now() + SERVER_HEARTBEAT_MS;
  let releasing: Promise<void> | undefined;
  const attempt = async () => {
    takeOwed();
    dueAt = performance.now() + SERVER_HEARTBEAT_MS;
    try {
      await release();
    } catch (error) {
      stillOwed();
      report(error);
    }
  };
  const timer = setInterval(() => {
    if (releasing || (performance.now() < dueAt && !takeOwed())) return;
    releasing = attempt().finally(() => {
      releasing = undefined;
    });
  }, RELEASE_RETRY_MS).unref();
  return async () => {
    clearInterval(timer);
    await releasing;
    await attempt();
  };
}
