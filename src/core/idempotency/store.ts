import { ASYNC_COMMIT } from '../database/async_commit.ts';
import type { Queryable } from '../database/types.ts';
import type { ClaimedResponse, IdempotencyClaim } from './types.ts';

export interface FoundResponse {
  readonly bodySha256: string;
  /** null: the call is still running. */
  readonly answerSha256: string | null;
  /** HTTP status of the response. */
  readonly status: number;
}

interface Place {
  readonly principal: string;
  readonly route: string;
  readonly key: string;
}

/**
 * Claims distinct keys, in that order. Each key is claimed if it is free, its claim has lapsed or its response has expired; otherwise its
 * state is returned. Undefined: retry. A database crash may lose a claim; its call then cannot store a response.
 */
export async function claim(
  database: Queryable,
  claims: readonly IdempotencyClaim[],
  now: Date,
): Promise<('claimed' | FoundResponse | undefined)[]> {
  const rows = await database.query<
    { claimed: boolean; bodySha256: string | null } & Omit<FoundResponse, 'bodySha256'>
  >(
    `with asked as (
       select * from rows from (jsonb_to_recordset($1) as (principal text, route text, key text, "bodySha256" text,
         "runningUntil" timestamptz, calls text)) with ordinality
         as asked (principal, route, key, "bodySha256", "runningUntil", calls, position)
     ), claimed as (
       insert into answers as a (principal, route, key, body_sha256, expires_at, calls)
         select principal, route, key, "bodySha256", "runningUntil", calls from ${ASYNC_COMMIT}, asked order by position
       on conflict (principal, route, key) do update
         set body_sha256 = excluded.body_sha256, answer_sha256 = null, status = 200, expires_at = excluded.expires_at,
           calls = excluded.calls
         where a.expires_at <= $2
       returning principal, route, key
     )
     select c.key is not null as claimed, f.body_sha256 as "bodySha256", f.answer_sha256 as "answerSha256", f.status
     from asked left join claimed c using (principal, route, key) left join answers f using (principal, route, key)
     order by position`,
    [JSON.stringify(claims), now],
  );
  return rows.map(({ claimed, bodySha256, ...found }) =>
    claimed ? 'claimed' : bodySha256 === null ? undefined : { ...found, bodySha256 },
  );
}

/** Stores responses, in that order. False for one whose call no longer holds the key. */
export async function keep(
  database: Queryable,
  kept: readonly ClaimedResponse[],
  expiresAt: Date,
): Promise<boolean[]> {
  const rows = await database.query<{ isKept: boolean }>(
    `with asked as (
       select * from rows from (jsonb_to_recordset($1) as (principal text, route text, key text, "answerSha256" text,
         calls text)) with ordinality as asked (principal, route, key, "answerSha256", calls, position)
     ), kept as (
       update answers a set answer_sha256 = asked."answerSha256", expires_at = $2 from asked
       where (a.principal, a.route, a.key, a.calls) = (asked.principal, asked.route, asked.key, asked.calls)
         and a.answer_sha256 is null
       returning position
     )
     select position in (select position from kept) as "isKept" from asked order by position`,
    [JSON.stringify(kept), expiresAt],
  );
  return rows.map(({ isKept }) => isKept);
}

/**
 * A stored response stays: its call was paid, whatever failed afterwards. So does the claim of a later call that took over from a suspended
 * server: it has another lapse time.
 */
export async function abandon(
  database: Queryable,
  { principal, route, key, runningUntil }: Place & { runningUntil: Date },
): Promise<void> {
  await database.query(
    `delete from answers
     where principal = $1 and route = $2 and key = $3 and expires_at = $4 and answer_sha256 is null`,
    [principal, route, key, runningUntil],
  );
}

/** Deletes the claims of all unfinished calls; returns their number. */
export async function abandonAll(database: Queryable): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'with gone as (delete from answers where answer_sha256 is null returning 1) select count(*) from gone',
  );
  return row!.count;
}

/** Ids of unfinished calls with this prefix. */
export async function openCalls(database: Queryable, prefix: string): Promise<string[]> {
  const rows = await database.query<{ calls: string }>(
    'select calls from answers where starts_with(calls, $1) and answer_sha256 is null',
    [prefix],
  );
  return rows.map(({ calls }) => calls);
}

/** Deletes the claims of calls with this id or prefix; returns their number. */
export async function releaseCalls(database: Queryable, calls: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'with gone as (delete from answers where starts_with(calls, $1) and answer_sha256 is null returning 1) select count(*) from gone',
    [calls],
  );
  return row!.count;
}

/** Deletes expired claims and responses; returns their number. */
export async function sweep(database: Queryable, now: Date): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'with gone as (delete from answers where expires_at <= $1 returning 1) select count(*) from gone',
    [now],
  );
  return row!.count;
}

/** Columns that reference blobs. */
export const NAMED_BLOBS = [{ blob: 'answer_sha256', from: 'answers' }];
