import { randomUUID } from 'node:crypto';
import { JOB_ANNOUNCE_MS } from './limits.ts';
import type { QueueDeps } from './types.ts';
import * as store from './worker_registry_store.ts';

/** Worker registry: this process's view of other workers. */
export interface WorkerRegistry {
  /** Tools for which this process lacks something and another worker does not: their jobs are left to that worker. */
  left(): readonly string[];
  /** Whether another worker runs this tool and lacks nothing for it. */
  others(tool: string): boolean;
  leave(): Promise<void>;
}

/**
 * Announces this process periodically and reads the other workers. During a database outage the state stays as it was.
 * @param lacks tools that this process can only run at lower quality, read at each announcement
 */
export async function joinWorkerRegistry(
  { database, limits, leaseMs }: QueueDeps,
  { tools = null, lacks }: { tools: readonly string[] | null; lacks: () => Promise<readonly string[]> },
): Promise<WorkerRegistry> {
  const id = randomUUID();
  let others: readonly store.RegisteredWorker[] = [];
  let lacking: readonly string[] = [];
  const announce = async () => {
    lacking = await lacks();
    others = await store.announce(database, { id, tools, lacks: lacking, places: limits.atOnce }, leaseMs);
  };
  let announcing: Promise<void> | undefined;
  const again = () => {
    announcing ??= announce()
      .catch(() => {}) // The poll for jobs fails as well, and reports it.
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
      await store.leave(database, id).catch(() => {}); // Its row expires soon.
    },
  };
}
