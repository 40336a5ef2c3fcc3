import { randomUUID } from 'node:crypto';
import type { QueueDeps } from './deps.ts';
import { JOB_ANNOUNCE_MS } from './limits.ts';
import * as store from './taker_store.ts';

/** What this process knows of others that take jobs. */
export interface Takers {
  /** Tools this process lacks something for and another one does not: it leaves their jobs alone. */
  left(): readonly string[];
  /** Whether another process takes this tool and lacks nothing for it. */
  others(tool: string): boolean;
  leave(): Promise<void>;
}

/**
 * Says now and then that this process is here, and hears of the others. While the database is away nothing changes.
 * @param lacks tools this process could do only worse than meant, asked anew every time
 */
export async function knowTakers(
  { database, limits, leaseMs }: QueueDeps,
  { tools = null, lacks }: { tools: readonly string[] | null; lacks: () => Promise<readonly string[]> },
): Promise<Takers> {
  const id = randomUUID();
  let others: readonly store.Taker[] = [];
  let lacking: readonly string[] = [];
  const announce = async () => {
    lacking = await lacks();
    others = await store.announce(database, { id, tools, lacks: lacking, places: limits.atOnce }, leaseMs);
  };
  let announcing: Promise<void> | undefined;
  const again = () => {
    announcing ??= announce()
      .catch(() => {}) // told by the look for jobs, which fails as well
      .finally(() => {
        announcing = undefined;
      });
    return announcing;
  };
  await again();
  const timer = setInterval(again, Math.min(JOB_ANNOUNCE_MS, leaseMs / 3)).unref();
  const isServed = (tool: string) =>
    others.some(
      (other) => (other.tools === null || other.tools.includes(tool)) && !other.lacks.includes(tool),
    );
  return {
    left: () => lacking.filter(isServed),
    others: isServed,
    async leave() {
      clearInterval(timer);
      await announcing;
      await store.leave(database, id).catch(() => {}); // it is forgotten soon
    },
  };
}
