import type { Queryable } from '../database/types.ts';

/** Worker registry. Each function is one statement. */

/** Tools that a worker runs. */
export interface RegisteredWorker {
  /** Null: all tools. */
  readonly tools: readonly string[] | null;
  /** Tools it can only run at lower quality. */
  readonly lacks: readonly string[];
}

/** Records that a process is alive and what it runs. @returns the other workers alive within `aliveMs` */
export async function announce(
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
export async function leave(database: Queryable, id: string): Promise<void> {
  await database.query('delete from job_takers where id = $1', [id]);
}
