import type { Queryable } from '../database/types.ts';
import type { KeptAnswer } from '../idempotency/types.ts';
import { insertEvents } from '../outbox/outbox.ts';
import type { JobCaller, JobView, NewJob } from './types.ts';

/** Each function is one statement. */

/** Arbitrary number; unique among our advisory locks. */
const ACCEPTANCE_LOCK = 7_283_546_502;
export const LIVE = `('queued', 'running')`;
/** Event data of a job. A path in `url` becomes a URL when it is sent. */
export const JOB_DATA = `jsonb_build_object('job_id', id, 'tool', tool, 'url', '/api/jobs/' || id)`;

/** Location of an image of a live job. */
export interface KeptPicture {
  readonly field: string;
  readonly sha256: string;
  readonly format: string;
  readonly width: number;
  readonly height: number;
}

/** Escapes what is legal in JSON but not in jsonb: lone surrogates and the zero character, which occur in client input. */
const jsonb = (value: unknown): string =>
  JSON.stringify(value).replace(/(?<!\\)((?:\\\\)*)\\u(?:d[89a-f][0-9a-f]{2}|0000)/g, '$1\\ufffd');

export interface LiveJobs {
  readonly all: number;
  /** Jobs of the caller; `ofAddress` counts all callers at its address. */
  readonly own: number;
  readonly ofAddress: number;
}

export async function countLive(
  database: Queryable,
  { countedAs, address }: Pick<JobCaller, 'countedAs' | 'address'>,
): Promise<LiveJobs> {
  const [row] = await database.query<LiveJobs>(
    `select count(*) as all, count(*) filter (where caller = $1) as own,
       count(*) filter (where address = $2) as "ofAddress"
     from jobs where state in ${LIVE}`,
    [countedAs, address],
  );
  return row!;
}

/** Live jobs ahead of the next one of this caller. */
export async function countBefore(
  database: Queryable,
  { countedAs, address }: Pick<JobCaller, 'countedAs' | 'address'>,
): Promise<number> {
  const [row] = await database.query<{ before: number }>(
    `select count(*) as before from job_rounds j, next_round($1, $2) place
     where j.state = 'running' or j.round < place.round
       or (j.round = place.round and not (j.address = $1 and j.caller_turn > place.caller_turn))`,
    [address, countedAs],
  );
  return row!.before;
}

/** Serialises acceptance until the transaction ends, so that two jobs cannot both take the last free place. */
export const lockAcceptance = (tx: Queryable): Promise<unknown> =>
  tx.query('select pg_advisory_xact_lock($1)', [ACCEPTANCE_LOCK]);

/** Inserts a job at its queue position and moves later jobs of its address. Requires `lockAcceptance`. */
export async function insert(
  tx: Queryable,
  { id, tool, caller, warnings, held }: NewJob,
  kept: { inputSha256: string; pictures: KeptPicture[]; answer: KeptAnswer | undefined },
  times: { at: Date; expiresAt: Date },
): Promise<void> {
  const { countedAs, wallet, proof, address, requestId, trace } = caller;
  await tx.query(
    `with place as materialized (select * from next_round($6, $3)),
       room as (
         update jobs set turn = turn + 1 from place
         where address = $6 and state = 'queued' and jobs.caller_turn > place.caller_turn),
       accepted as (
         insert into jobs (id, tool, caller, wallet, proof, address, request_id, answer_principal, answer_route, answer_key,
           held, warnings, input_sha256, pictures, created_at, expires_at, trace, turn, caller_turn)
         select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
           place.round + coalesce((select begun from job_turns where tool = $2), 0), place.caller_turn from place
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
    ],
  );
}

/** False when the key is not claimed by a running call. */
export async function keepAcceptance(
  tx: Queryable,
  { principal, route, key, answerSha256 }: KeptAnswer,
  expiresAt: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update answers set answer_sha256 = $4, expires_at = $5, status = 202
     where principal = $1 and route = $2 and key = $3 and answer_sha256 is null returning 1`,
    [principal, route, key, answerSha256, expiresAt],
  );
  return rows.length === 1;
}

type Row = Omit<JobView, 'place' | 'secondsLeft'> & { readonly ahead: number };

/** `ahead`: live jobs before it. */
export async function select(database: Queryable, id: string): Promise<Row | undefined> {
  const [row] = await database.query<Row>(
    `select id, tool, wallet, proof, state, progress, message, held, result_sha256 as "resultSha256", problem,
       created_at as "createdAt", run_at as "runAt", finished_at as "finishedAt", expires_at as "expiresAt",
       case when state = 'queued' then (
         select count(*) from job_rounds before, job_rounds own
         where own.id = jobs.id and before.state = 'queued' and (before.round, before.position) < (own.round, own.position)
       ) else 0 end as ahead
     from jobs where id = $1`,
    [id],
  );
  return row;
}

/** Recent run times in seconds: the median of this tool, and of all tools. */
export async function typicalSeconds(
  database: Queryable,
  tool: string,
): Promise<{ ofTool: number | null; ofAny: number | null }> {
  const median = `percentile_cont(0.5) within group (order by extract(epoch from finished_at - run_at)::float8)`;
  const [row] = await database.query<{ ofTool: number | null; ofAny: number | null }>(
    `select
       (select ${median} from (
         select * from jobs where state = 'succeeded' and tool = $1 order by position desc limit 20) own) as "ofTool",
       (select ${median} from (
         select * from jobs where state = 'succeeded' order by position desc limit 50) others) as "ofAny"`,
    [tool],
  );
  return row!;
}

/** Queued jobs, by tool. */
export async function waiting(
  database: Queryable,
): Promise<{ tool: string; count: number; oldestSeconds: number }[]> {
  return await database.query(
    `select tool, count(*) as count, greatest(0, extract(epoch from now() - min(created_at)))::float8 as "oldestSeconds"
     from jobs where state = 'queued' group by tool order by tool`,
  );
}

interface Ending {
  readonly id: string;
  readonly at: Date;
  readonly expiresAt: Date;
  /** Absent: canceled. */
  readonly problem?: Record<string, unknown>;
  /** Only while this run owns the job; absent: whichever run owns it. */
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

/** Ends a job without success and frees its Idempotency-Key. False when it has ended already. */
export async function end(
  database: Queryable,
  { id, at, expiresAt, problem, attempt, unsettled = false }: Ending,
): Promise<boolean> {
  const [row] = await database.query<{ ended: number }>(
    `with ended as (
       update jobs set state = case when $4::jsonb is null then 'canceled' else 'failed' end, problem = $4::jsonb,
         finished_at = $2, expires_at = $3, input_sha256 = null, pictures = '[]', result_sha256 = null, message = ''
       where id = $1 and state in ${LIVE} and ($6 or result_sha256 is null) and attempt = coalesce($5, attempt)
       returning id, tool, wallet, state, problem, request_id, finished_at, answer_principal, answer_route, answer_key
     ), events as (${insertEvents(ENDED_EVENTS)}), freed as (
       delete from answers a using ended e
       where a.principal = e.answer_principal and a.route = e.answer_route and a.key = e.answer_key and a.status = 202
     )
     select count(*) as ended from ended`,
    [id, at, expiresAt, problem ? jsonb(problem) : null, attempt ?? null, unsettled],
  );
  return row!.ended === 1;
}

/** Expired live jobs: queued ones at once, running ones after their longest run time. */
export async function overdue(database: Queryable, now: Date, runningBefore: Date): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    `select id from jobs where result_sha256 is null
       and ((state = 'queued' and expires_at <= $1) or (state = 'running' and expires_at <= $2))`,
    [now, runningBefore],
  );
  return rows.map(({ id }) => id);
}

export async function voidHoldsOfNoJob(database: Queryable, now: Date, madeBefore: Date): Promise<number> {
  const [row] = await database.query<{ count: number }>('select void_holds_of_no_job($1, $2) as count', [
    now,
    madeBefore,
  ]);
  return row!.count;
}

export async function forget(database: Queryable, now: Date): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `with gone as (delete from jobs where expires_at <= $1 and state not in ${LIVE} returning 1)
     select count(*) from gone`,
    [now],
  );
  return row!.count;
}

/** Columns that reference blobs. */
export const NAMED_BLOBS = [
  { blob: 'result_sha256', from: 'jobs' },
  { blob: 'input_sha256', from: 'jobs', where: `state in ${LIVE}` },
  {
    blob: "picture ->> 'sha256'",
    from: 'jobs, jsonb_array_elements(pictures) picture',
    where: `state in ${LIVE}`,
  },
];
