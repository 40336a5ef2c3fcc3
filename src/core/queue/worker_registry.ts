import { randomUUID } from 'node:crypto';
import type { Queryable } from '../database/types.ts';
import { JOB_ANNOUNCE_MS } from './limits.ts';
import type { QueueDeps } from './types.ts';

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
  let others: readonly RegisteredWorker[] = [];
  let lacking: readonly string[] = [];
  const announce = async () => {
    lacking = await lacks();
    others = await saveWorker(database, { id, tools, lacks: lacking, places: limits.atOnce }, leaseMs);
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
      await deleteWorker(database, id).catch(() => {}); // Its row expires soon.
    },
  };
}

/** Worker registry. Each function is one statement. */

/** Tools that a worker runs. */
interface RegisteredWorker {
  /** Null: all tools. */
  readonly tools: readonly string[] | null;
  /** Tools it can only run at lower quality. */
  readonly lacks: readonly string[];
}

/** Records that a process is alive and what it runs. @returns the other workers alive within `aliveMs` */
async function saveWorker(
  database: Queryable,
  { id, tools, lacks, places }: RegisteredWorker & { id: string; places: number },
  aliveMs: number,
): Promise<RegisteredWorker[]> {
  return await database.query<RegisteredWorker>(
    `with own as (
       insert into job_takers (id, tools, lacks, places) values ($1, $2, $3, $4)
       on conflict (id) do update set lacks = excluded.lacks, seen_at = now()
     ), gone as (
       delete from job_takers where id <> $1 and seen_at < now() - 10 * $5 * interval '1 ms'
     )
     select tools, lacks from job_takers where id <> $1 and seen_at > now() - $5 * interval '1 ms'`,
    [id, tools, lacks, places, aliveMs],
  );
}

/** Removes a worker from the registry. */
async function deleteWorker(database: Queryable, id: string): Promise<void> {
  await database.query('delete from job_takers where id = $1', [id]);
}
