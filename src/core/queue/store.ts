import type { Queryable } from '../database/types.ts';
import type { ClaimedAnswer, KeptAnswer } from '../idempotency/types.ts';
import { insertEvents } from '../outbox/outbox.ts';
import type { StoredInput } from './engine.ts';
import {
  DEAD_BYTES_MAX,
  DEAD_BYTES_OF_ADDRESS_MAX,
  DEAD_INPUTS_MAX,
  PARAMS_CHARACTERS_MAX,
  PLACES_COUNTED_MAX,
} from './limits.ts';
import type { JobCaller, JobView, NewJob } from './types.ts';

/** Each function is one statement. */

export const LIVE = `('queued', 'running')`;
/** Event data of a job. A path in `url` becomes a URL when it is sent. */
export const JOB_DATA = `jsonb_build_object('job_id', id, 'tool', tool, 'url', '/api/jobs/' || id)`;

/** Escapes what is legal in JSON but not in jsonb: lone surrogates and the zero character, which occur in client input. */
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
 * The round of the next job of this caller, the running jobs, and the queued jobs ahead of it; null where too many are queued to count
 * them.
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

/** So few jobs are queued that places are counted. */
const IS_SHORT = `(select count(*) from (
  select from jobs where state = 'queued' limit ${PLACES_COUNTED_MAX + 1}) few) <= ${PLACES_COUNTED_MAX}`;

/**
 * Serialises acceptance of one address and of one caller until the transaction ends, so that two jobs cannot both take the last free
 * place. Always in this order, so that there are no deadlocks.
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
  kept: StoredInput & { answer: KeptAnswer | undefined },
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
  { principal, route, key, answerSha256, calls }: ClaimedAnswer,
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
  /** Of a queued job: queued jobs before it; null where too many are queued to count them. */
  readonly ahead: number | null;
  readonly round: number;
  readonly position: number;
  readonly megapixels: number | null;
  readonly expectedSeconds: number | null;
}

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

/** The input of a job, without images; null where it was long. */
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

/** Recent run times in seconds: the median of this tool, of similar size where there were any, and of all tools. */
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

/**
 * Ends a job without success and frees its Idempotency-Key. One that failed for a reason of the server becomes a dead letter, and
 * its input stays for a retry while there is room. False when it has ended already.
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

/** 5xx: not the input but the server, or a service it depends on, is the reason. */
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
