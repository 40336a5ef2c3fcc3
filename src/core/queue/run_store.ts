import type { Queryable } from '../database/types.ts';
import { UNFLUSHED } from '../database/unflushed.ts';
import { insertEvents } from '../outbox/outbox.ts';
import type { ClaimedRow, ClaimOptions, Run } from './engine.ts';
import { HEADS_OF_TOOL, JOB_REST_MS_MAX } from './limits.ts';
import { JOB_DATA } from './store.ts';

/** Runs of jobs. Each function is one statement. The attempt is a fencing token: only the latest run may write. */

/**
 * Claims the next job for a new run and sets its lease; an earlier run whose lease lapsed counts as a crash. Undefined where there
 * is none. Looks at the first jobs of each tool only, and skips jobs that another process is claiming.
 */
export async function claim(
  database: Queryable,
  { tools, excludedTools, fullAddresses, but, mayTakeOver }: ClaimOptions,
  { at, leaseMs }: { at: Date; leaseMs: number },
): Promise<ClaimedRow | undefined> {
  const [row] = await database.query<ClaimedRow>(
    `with recursive tools as (
       (select tool from jobs where state = 'queued' order by tool limit 1)
       union all
       select (select j.tool from jobs j where j.state = 'queued' and j.tool > t.tool order by j.tool limit 1)
       from tools t where t.tool is not null
     ), heads as (
       select h.id, h.position, h.turn - coalesce(b.begun, 0) as round
       from tools t left join job_turns b on b.tool = t.tool cross join lateral (
         select j.id, j.position, j.turn from jobs j
         where j.state = 'queued' and j.tool = t.tool
           and (j.free_at <= now() or j.free_at > now() + $8 * interval '1 ms')
           and j.address <> all($3::text[]) and j.id <> all($4::text[])
         order by j.turn, j.position limit $9
       ) h
       where ($2::text[] is null or t.tool = any($2)) and t.tool <> all($7::text[])
     ), lapsed as (
       select j.id, j.position, j.turn - coalesce(b.begun, 0) as round
       from jobs j left join job_turns b on b.tool = j.tool
       where j.state = 'running' and $1 and j.free_at <= now()
         and ($2::text[] is null or j.tool = any($2)) and j.tool <> all($7::text[])
         and j.address <> all($3::text[]) and j.id <> all($4::text[])
     ), found as materialized (
       -- The limit makes the planner look the rows up one by one.
       select * from heads union all select * from lapsed order by round, position limit 4 * $9
     ), next as materialized (
       select j.id from found join jobs j on j.id = found.id
       where j.state = 'queued' or j.state = 'running' and j.free_at <= now()
       order by found.round, found.position limit 1 for update of j skip locked
     ), begun as (
       insert into job_turns (tool, begun)
       select tool, turn from jobs j where id = (select id from next)
         and not exists (select from job_turns b where b.tool = j.tool and b.begun >= j.turn)
       on conflict (tool) do update set begun = greatest(job_turns.begun, excluded.begun)
     )
     update jobs set state = 'running', attempt = attempt + 1, crashes = crashes + (state = 'running')::integer, run_at = $5,
       progress = 0, message = '', free_at = now() + $6 * interval '1 ms'
     where id = (select id from next)
     returning id, tool, wallet, proof, address, request_id as "requestId", caller as "countedAs", held, warnings,
       input_sha256 as "inputSha256", pictures, input_bytes as bytes, is_waived as "isWaived", result_sha256 as "resultSha256", attempt, crashes, passes,
       expires_at as "expiresAt", trace`,
    [
      mayTakeOver,
      tools ?? null,
      fullAddresses,
      but,
      at,
      leaseMs,
      excludedTools,
      JOB_REST_MS_MAX,
      HEADS_OF_TOOL,
    ],
  );
  return row;
}

/** Requeues all running jobs. Call it only where their processes are known to be dead. */
export async function freeRunning(database: Queryable): Promise<void> {
  await database.query(`update jobs set free_at = now() where state = 'running'`);
}

/** Renews the lease of a run, so that no other process claims the job. False when the run no longer owns it. */
export async function report(
  database: Queryable,
  { id, attempt }: Run,
  { progress, message, leaseMs }: { progress: number; message: string; leaseMs: number },
): Promise<boolean> {
  const rows = await database.query(
    `update jobs set progress = greatest(progress, $3), message = $4, free_at = now() + $5 * interval '1 ms'
     from ${UNFLUSHED} where id = $1 and attempt = $2 and state = 'running' returning 1`,
    [id, attempt, progress, message, leaseMs],
  );
  return rows.length === 1;
}

/** False when the run no longer owns the job. */
export async function keepResult(
  database: Queryable,
  { id, attempt }: Run,
  { sha256, taken }: { sha256: string; taken: number | undefined },
): Promise<boolean> {
  const rows = await database.query(
    `update jobs set result_sha256 = $3, held = coalesce($4, held)
     where id = $1 and attempt = $2 and state = 'running' and result_sha256 is null returning 1`,
    [id, attempt, sha256, taken ?? null],
  );
  return rows.length === 1;
}

/** For a job with a receipt, tool.completed was emitted with the receipt. */
const SUCCEEDED_EVENTS = `
  select wallet, 'job.completed', ${JOB_DATA}, finished_at from ended where wallet is not null
  union all
  select wallet, 'tool.completed', jsonb_build_object('tool', tool, 'credits', 0, 'receipt_id', null, 'job_id', id), finished_at
  from ended where wallet is not null and not exists (select from receipts r where r.id = 'rcpt_' || substr(ended.id, 5))
  union all
  select wallet, 'dataset.batch_ready', ${JOB_DATA} - 'tool', finished_at
  from ended where wallet is not null and tool = 'batch_download'`;

/** Once settled, any run may mark it. False where it has ended or has no response. */
export async function succeed(
  database: Queryable,
  { id, at, expiresAt }: { id: string; at: Date; expiresAt: Date },
): Promise<boolean> {
  const [row] = await database.query<{ ended: number }>(
    `with ended as (
       update jobs set state = 'succeeded', progress = 1, message = '', finished_at = $2, expires_at = $3,
         input_sha256 = null, pictures = '[]'
       where id = $1 and state = 'running' and result_sha256 is not null returning id, tool, wallet, finished_at
     ), events as (${insertEvents(SUCCEEDED_EVENTS)})
     select count(*) as ended from ended`,
    [id, at, expiresAt],
  );
  return row!.ended === 1;
}

/** Requeues the job as if it had not started; if its response is stored, the next run settles it. */
export async function giveBack(
  database: Queryable,
  { id, attempt }: Run,
  { afterMs, isPass = false }: { afterMs: number; isPass?: boolean },
): Promise<void> {
  await database.query(
    `update jobs set free_at = now() + $3 * interval '1 ms',
       state = case when result_sha256 is null then 'queued' else state end,
       run_at = case when result_sha256 is null then null else run_at end,
       progress = case when result_sha256 is null then 0 else progress end, message = '', passes = passes + $4::integer
     where id = $1 and attempt = $2 and state = 'running'`,
    [id, attempt, afterMs, isPass ? 1 : 0],
  );
}
