import type { Queryable } from '../database/types.ts';
import { insertEvents } from '../outbox/outbox.ts';
import { JOB_LIFETIME_MS } from './limits.ts';
import { JOB_DATA, lockAcceptance } from './store.ts';

/** Dead letters: jobs that failed for a reason of the server, until they are retried, dismissed or forgotten. */

export type RetryOutcome = 'retried' | 'no input' | 'unknown';

/**
 * Queues a dead letter again, under its id, as the last job of its caller. It is free: its hold was released, and its caller read that
 * nothing was charged. Of several retries at once, one succeeds. Call it in a transaction.
 */
export async function retryJob(tx: Queryable, id: string, at: Date): Promise<RetryOutcome> {
  const [found] = await tx.query<{ caller: string; address: string; key: string | null; hasInput: boolean }>(
    `select caller, address, proof -> 'key' ->> 'id' as key, input_sha256 is not null as "hasInput" from jobs where id = $1 and is_dead and expires_at > $2`,
    [id, at],
  );
  if (!found) return 'unknown';
  if (!found.hasInput) return 'no input';
  const { caller, address, key } = found;
  await lockAcceptance(tx, { countedAs: caller, address });
  const [row] = await tx.query<{ retried: number }>(
    `with place as materialized (select * from next_round($2, $3, $6)),
       room as (
         update jobs set turn = turn + 1 from place
         where place.is_new and address = $2 and state = 'queued' and jobs.caller_turn > place.caller_turn
           and exists (select from jobs d where d.id = $1 and d.is_dead)),
       retried as (
         update jobs set state = 'queued', is_dead = false, is_waived = true, held = null, problem = null,
           finished_at = null, run_at = null, expires_at = $4, free_at = now(), progress = 0, crashes = 0, passes = 0,
           expected_seconds = null, answer_principal = null, answer_route = null, answer_key = null,
           turn = place.round + coalesce((select begun from job_turns b where b.tool = jobs.tool), 0),
           caller_turn = place.caller_turn
         from place where id = $1 and is_dead and input_sha256 is not null
         returning id, tool, wallet),
       events as (${insertEvents(`select wallet, 'job.queued', ${JOB_DATA}, $5::timestamptz from retried where wallet is not null`)})
     select count(*) as retried from retried`,
    [id, address, caller, new Date(at.getTime() + JOB_LIFETIME_MS), at, key],
  );
  return row!.retried === 1 ? 'retried' : 'unknown';
}

const DISMISSED = `is_dead = false, input_sha256 = null, pictures = '[]', input_bytes = 0`;

/** Deletes the data stored for a retry. False if the job is not a dead letter. */
export async function dismissJob(database: Queryable, id: string): Promise<boolean> {
  const rows = await database.query(`update jobs set ${DISMISSED} where id = $1 and is_dead returning 1`, [
    id,
  ]);
  return rows.length === 1;
}

/** The same for all jobs of a tool that failed with this code. @returns their number */
export async function dismissJobs(
  database: Queryable,
  { tool, code }: { tool: string; code: string },
): Promise<number> {
  const rows = await database.query(
    `update jobs set ${DISMISSED} where is_dead and tool = $1 and problem ->> 'code' = $2 returning 1`,
    [tool, code],
  );
  return rows.length;
}
