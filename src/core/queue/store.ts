import { ASYNC_COMMIT } from '../database/async_commit.ts';
import type { Queryable } from '../database/types.ts';
import type { ClaimedResponse, StoredResponse } from '../idempotency/types.ts';
import { insertEvents } from '../outbox/outbox.ts';
import {
  DEAD_BYTES_MAX,
  DEAD_BYTES_OF_ADDRESS_MAX,
  DEAD_INPUTS_MAX,
  HEADS_OF_TOOL,
  JOB_DELAY_MS_MAX,
  JOB_LIFETIME_MS,
  PARAMS_CHARACTERS_MAX,
  POSITIONS_COUNTED_MAX,
} from './limits.ts';
import type { ClaimedRow, ClaimOptions, JobCaller, JobView, NewJob, Run, StoredInput } from './types.ts';

/** Each function is one statement. */

export const LIVE = `('queued', 'running')`;
/** Event data of a job. A path in `url` becomes a URL when it is sent. */
export const JOB_DATA = `jsonb_build_object('job_id', id, 'tool', tool, 'url', '/api/jobs/' || id)`;

/** Escapes what is legal in JSON but not in jsonb: lone surrogates and NUL, which occur in client input. */
const jsonb = (value: unknown): string =>
  JSON.stringify(value).replace(/(?<!\\)((?:\\\\)*)\\u(?:d[89a-f][0-9a-f]{2}|0000)/g, '$1\\ufffd');

/** Live jobs of a caller; `ofAddress` counts all callers at its address. */
export interface LiveJobs {
  readonly own: number;
  readonly ofAddress: number;
}

export async function countLive(
  database: Queryable,
  { countedAs, address }: Pick<JobCaller, 'countedAs' | 'address'>,
): Promise<LiveJobs> {
  const [row] = await database.query<LiveJobs>(
    `select (select count(*) from jobs where state in ${LIVE} and caller = $1) as own,
       (select count(*) from jobs where state in ${LIVE} and address = $2) as "ofAddress"`,
    [countedAs, address],
  );
  return row!;
}

/** All live jobs. */
export async function countAll(database: Queryable): Promise<number> {
  const [row] = await database.query<{ all: number }>(
    `select count(*) as all from jobs where state in ${LIVE}`,
  );
  return row!.all;
}

/**
 * The round of the next job of this caller, the running jobs, and the queued jobs ahead of it; null if too many are queued to count them.
 */
export async function findPlace(
  database: Queryable,
  { countedAs, address, proof }: Pick<JobCaller, 'countedAs' | 'address' | 'proof'>,
): Promise<{ round: number; running: number; ahead: number | null }> {
  const [row] = await database.query<{ round: number; running: number; ahead: number | null }>(
    `select place.round, (select count(*) from jobs where state = 'running') as running,
       case when ${IS_SHORT} then (
         select count(*) from job_rounds j where j.state = 'queued' and (j.round < place.round
           or j.round = place.round and not (j.address = $1 and j.caller_turn > place.caller_turn))
       ) end as ahead
     from next_round($1, $2, $3) place`,
    [address, countedAs, proof?.key?.id ?? null],
  );
  return row!;
}

/** Whether few enough jobs are queued to count positions. */
const IS_SHORT = `(select count(*) from (
  select from jobs where state = 'queued' limit ${POSITIONS_COUNTED_MAX + 1}) few) <= ${POSITIONS_COUNTED_MAX}`;

/**
 * Serialises acceptance per address and per caller until the transaction ends, so that two jobs cannot both take the last free slot. Always
 * locked in this order, which prevents deadlocks.
 */
export const lockAcceptance = (
  tx: Queryable,
  { countedAs, address }: Pick<JobCaller, 'countedAs' | 'address'>,
): Promise<unknown> =>
  tx.query(
    `select pg_advisory_xact_lock(hashtextextended('jobs from ' || $1 || ' in ' || current_schema(), 0)),
       pg_advisory_xact_lock(hashtextextended('jobs of ' || $2 || ' in ' || current_schema(), 0))`,
    [address, countedAs],
  );

/** Inserts a job at its queue position and moves later jobs of its address. Requires `lockAcceptance`. */
export async function insert(
  tx: Queryable,
  { id, tool, caller, input, warnings, held, megapixels, expectedSeconds }: NewJob,
  kept: StoredInput & { answer: StoredResponse | undefined },
  times: { at: Date; expiresAt: Date },
): Promise<void> {
  const { countedAs, wallet, proof, address, requestId, trace } = caller;
  await tx.query(
    `with place as materialized (select * from next_round($6, $3, $5::jsonb -> 'key' ->> 'id')),
       room as (
         update jobs set turn = turn + 1 from place
         where place.is_new and address = $6 and state = 'queued' and jobs.caller_turn > place.caller_turn),
       accepted as (
         insert into jobs (id, tool, caller, wallet, proof, address, request_id, answer_principal, answer_route, answer_key,
           held, warnings, input_sha256, pictures, created_at, expires_at, trace, megapixels, expected_seconds, params, turn, caller_turn, input_bytes)
         select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
           place.round + coalesce((select begun from job_turns where tool = $2), 0), place.caller_turn, $21 from place
         returning id, tool, wallet, created_at)
     ${insertEvents(`select wallet, 'job.queued', ${JOB_DATA}, created_at from accepted where wallet is not null`)}`,
    [
      id,
      tool,
      countedAs,
      wallet,
      proof && jsonb(proof),
      address,
      requestId,
      kept.answer?.principal,
      kept.answer?.route,
      kept.answer?.key,
      held,
      jsonb(warnings),
      kept.inputSha256,
      jsonb(kept.pictures),
      times.at,
      times.expiresAt,
      trace && jsonb(trace),
      megapixels,
      expectedSeconds,
      JSON.stringify(input).length <= PARAMS_CHARACTERS_MAX ? jsonb(input) : undefined,
      kept.bytes,
    ],
  );
}

/** False when this call no longer has the key. */
export async function keepAcceptance(
  tx: Queryable,
  { principal, route, key, answerSha256, calls }: ClaimedResponse,
  expiresAt: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update answers set answer_sha256 = $4, expires_at = $5, status = 202
     where principal = $1 and route = $2 and key = $3 and calls = $6 and answer_sha256 is null returning 1`,
    [principal, route, key, answerSha256, expiresAt, calls],
  );
  return rows.length === 1;
}

export interface JobRow extends Omit<JobView, 'place' | 'secondsLeft' | 'isLate'> {
  /** Queued jobs before it; null if too many are queued to count them. */
  readonly ahead: number | null;
  readonly round: number;
  readonly position: number;
  readonly megapixels: number | null;
  readonly expectedSeconds: number | null;
}

/** A job by its id, with its queue position. */
export async function select(database: Queryable, id: string): Promise<JobRow | undefined> {
  const [row] = await database.query<JobRow>(
    `select id, tool, wallet, proof, state, progress, message, held, result_sha256 as "resultSha256", problem,
       created_at as "createdAt", run_at as "runAt", finished_at as "finishedAt", expires_at as "expiresAt",
       megapixels, expected_seconds as "expectedSeconds", position, own.round,
       case when state <> 'queued' then 0 when ${IS_SHORT} then (
         select count(*) from job_rounds before
         where before.state = 'queued' and (before.round, before.position) < (own.round, jobs.position)
       ) end as ahead
     from jobs cross join lateral (
       select jobs.turn - coalesce((select begun from job_turns b where b.tool = jobs.tool), 0) as round
     ) own
     where id = $1`,
    [id],
  );
  return row;
}

/** The input of a job, without images; null for a long input. */
export async function paramsOf(
  database: Queryable,
  id: string,
): Promise<Record<string, unknown> | null | undefined> {
  const [row] = await database.query<{ params: Record<string, unknown> | null }>(
    'select params from jobs where id = $1',
    [id],
  );
  return row?.params;
}

/** Ids of the latest jobs of a wallet, newest first. */
export const selectRecentOf = async (database: Queryable, wallet: string, limit: number): Promise<string[]> =>
  (
    await database.query<{ id: string }>(
      'select id from jobs where wallet = $1 order by position desc limit $2',
      [wallet, limit],
    )
  ).map(({ id }) => id);

/** Recent run times in seconds: the median of this tool, of similar size if there are any, and of all tools. */
export async function typicalSeconds(
  database: Queryable,
  { tool, megapixels }: { tool: string; megapixels?: number | null | undefined },
): Promise<{ ofTool: number | null; ofAny: number | null }> {
  const median = `percentile_cont(0.5) within group (order by extract(epoch from finished_at - run_at)::float8)`;
  const [row] = await database.query<{ ofTool: number | null; ofAny: number | null }>(
    `select
       coalesce((select ${median} from (
         select * from jobs where state = 'succeeded' and tool = $1
           and megapixels between $2::real / ${ALIKE} and $2::real * ${ALIKE} order by position desc limit 20) alike),
       (select ${median} from (
         select * from jobs where state = 'succeeded' and tool = $1 order by position desc limit 20) own)) as "ofTool",
       (select ${median} from (
         select * from jobs where state = 'succeeded' order by position desc limit 50) others) as "ofAny"`,
    [tool, megapixels],
  );
  return row!;
}

/** Runs are of similar size between half and double the pixels. */
const ALIKE = 2;

interface Ended {
  readonly id: string;
  readonly at: Date;
  readonly expiresAt: Date;
  /** Absent: canceled. */
  readonly problem?: Record<string, unknown>;
  /** Only while this run owns the job; absent: regardless of the run. */
  readonly attempt?: number;
  /** Even if a response is stored: its hold has ended, so it cannot be settled. */
  readonly unsettled?: boolean;
}

const ENDED_EVENTS = `
  select wallet, 'job.' || state, ${JOB_DATA} || case when state = 'failed' then jsonb_build_object('code', problem -> 'code') else '{}' end, finished_at
  from ended where wallet is not null
  union all
  select wallet, 'tool.failed',
    jsonb_build_object('tool', tool, 'code', problem -> 'code', 'request_id', request_id, 'job_id', id), finished_at
  from ended where wallet is not null and state = 'failed'`;

/**
 * Ends a job without success and frees its Idempotency-Key. A job that failed for a reason of the server becomes a dead letter, and its
 * input stays for a retry while there is space. False if it has ended already.
 */
export async function end(
  database: Queryable,
  { id, at, expiresAt, problem, attempt, unsettled = false }: Ended,
): Promise<boolean> {
  const [row] = await database.query<{ ended: number }>(
    `with kept as materialized (
       select count(d.id) as jobs, coalesce(sum(d.input_bytes), 0) as bytes,
         coalesce(sum(d.input_bytes) filter (where d.address = j.address), 0) as of_address, j.input_bytes as own
       from jobs j left join jobs d on d.is_dead and d.input_bytes > 0 where $7 and j.id = $1 group by j.input_bytes
     ), keeps as (
       select coalesce((select jobs < ${DEAD_INPUTS_MAX} and bytes + own <= ${DEAD_BYTES_MAX}
         and of_address + own <= ${DEAD_BYTES_OF_ADDRESS_MAX} from kept), false) as input
     ), ended as (
       update jobs set state = case when $4::jsonb is null then 'canceled' else 'failed' end, problem = $4::jsonb,
         finished_at = $2, expires_at = $3, is_dead = $7, result_sha256 = null, message = '',
         input_sha256 = case when keeps.input then input_sha256 end,
         pictures = case when keeps.input then pictures else '[]' end,
         input_bytes = case when keeps.input then input_bytes else 0 end
       from keeps
       where id = $1 and state in ${LIVE} and ($6 or result_sha256 is null) and attempt = coalesce($5, attempt)
       returning id, tool, wallet, state, problem, request_id, finished_at, answer_principal, answer_route, answer_key
     ), events as (${insertEvents(ENDED_EVENTS)}), freed as (
       delete from answers a using ended e
       where a.principal = e.answer_principal and a.route = e.answer_route and a.key = e.answer_key and a.status = 202
     )
     select count(*) as ended from ended`,
    [id, at, expiresAt, problem ? jsonb(problem) : null, attempt ?? null, unsettled, isOfServer(problem)],
  );
  return row!.ended === 1;
}

/** 5xx: the cause is the server, or a service it depends on, not the input. */
const isOfServer = (problem: Record<string, unknown> | undefined): boolean => Number(problem?.status) >= 500;

/** Expired live jobs: queued ones at once, running ones after their longest run time. */
export async function overdue(database: Queryable, now: Date, runningBefore: Date): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    `select id from jobs where result_sha256 is null
       and ((state = 'queued' and expires_at <= $1) or (state = 'running' and expires_at <= $2))`,
    [now, runningBefore],
  );
  return rows.map(({ id }) => id);
}

/** Voids holds created before `madeBefore` whose job was never stored; returns their number. */
export async function voidOrphanedHolds(database: Queryable, now: Date, madeBefore: Date): Promise<number> {
  const [row] = await database.query<{ count: number }>('select void_holds_of_no_job($1, $2) as count', [
    now,
    madeBefore,
  ]);
  return row!.count;
}

/** Deletes expired jobs; returns their number. */
export async function forget(database: Queryable, now: Date): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `with gone as (delete from jobs where expires_at <= $1 and state not in ${LIVE} returning 1)
     select count(*) from gone`,
    [now],
  );
  return row!.count;
}

const HAS_INPUT = `(state in ${LIVE} or is_dead)`;

/** Columns that reference blobs. */
export const NAMED_BLOBS = [
  { blob: 'result_sha256', from: 'jobs' },
  { blob: 'input_sha256', from: 'jobs', where: HAS_INPUT },
  {
    blob: "picture ->> 'sha256'",
    from: 'jobs, jsonb_array_elements(pictures) picture',
    where: HAS_INPUT,
  },
];

/** Queued jobs of one tool in one round. */
export interface Round {
  readonly tool: string;
  /** Distance from the current round of the tool. */
  readonly round: number;
  readonly count: number;
  /** Positions. */
  readonly first: number;
  readonly last: number;
  /** Age of the oldest. */
  readonly oldestSeconds: number;
}

export interface WaitingTool {
  readonly tool: string;
  readonly count: number;
  /** Age of the oldest. */
  readonly oldestSeconds: number;
}

/** The rounds of all tools, and the number of running jobs. Reads the index `queued_jobs` and one row per round. */
export async function readRounds(
  database: Queryable,
): Promise<{ rounds: readonly Round[]; running: number }> {
  const [rounds, [row]] = await Promise.all([
    database.query<Round>(
      `select r.tool, r.turn - coalesce(b.begun, 0) as round, r.count, r.first, r.last,
         greatest(0, extract(epoch from now() - r.created_at))::float8 as "oldestSeconds"
       from (
         select tool, turn, count(*) as count, min(position) as first, max(position) as last,
           min(created_at) as created_at
         from jobs where state = 'queued' group by tool, turn
       ) r left join job_turns b on b.tool = r.tool`,
    ),
    database.query<{ running: number }>(`select count(*) as running from jobs where state = 'running'`),
  ]);
  return { rounds, running: row!.running };
}

/** Dead letters: jobs that failed for a reason of the server, until they are retried, dismissed or deleted. */

export type RetryOutcome = 'retried' | 'no input' | 'unknown';

/**
 * Queues a dead letter again under its id, as the last job of its caller. It is free: its hold was released, and its caller was told that
 * there was no charge. Of several concurrent retries, one succeeds. Call it in a transaction.
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

/** Dismisses all jobs of a tool that failed with this code. @returns their number */
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

/** Runs of jobs. Each function is one statement. The attempt is a fencing token: only the latest run may write. */

/**
 * Claims the next job for a new run and sets its lease; an earlier run whose lease lapsed counts as a crash. Undefined if there is none.
 * Examines the first jobs of each tool only, and skips jobs that another process is claiming.
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
      JOB_DELAY_MS_MAX,
      HEADS_OF_TOOL,
    ],
  );
  return row;
}

/** Requeues all running jobs. Call it only if their processes are known to be dead. */
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
     from ${ASYNC_COMMIT} where id = $1 and attempt = $2 and state = 'running' returning 1`,
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

/** Once settled, any run may mark it. False if it has ended or has no response. */
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
export async function requeue(
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
