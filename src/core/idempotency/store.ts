import { CALLS_OF_PROCESS } from '../cluster/members/call_id.ts';
import type { Queryable } from '../database/types.ts';
import type { AnswerClaim } from './types.ts';

export interface FoundAnswer {
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

/** Claims the key when it is free, its claim has lapsed or its response has expired; else returns its state. Undefined: retry. */
export async function claim(
  database: Queryable,
  { principal, route, key, bodySha256, runningUntil, calls = CALLS_OF_PROCESS }: AnswerClaim,
  now: Date,
): Promise<'claimed' | FoundAnswer | undefined> {
  const [row] = await database.query<FoundAnswer & { claimed: boolean }>(
    `with claimed as (
       insert into answers as a (principal, route, key, body_sha256, expires_at, calls) values ($1, $2, $3, $4, $5, $7)
       on conflict (principal, route, key) do update
         set body_sha256 = excluded.body_sha256, answer_sha256 = null, status = 200, expires_at = excluded.expires_at,
           calls = excluded.calls
         where a.expires_at <= $6
       returning 1
     )
     select true as claimed, null as "bodySha256", null as "answerSha256", 200 as status from claimed
     union all
     select false, body_sha256, answer_sha256, status from answers
     where (principal, route, key) = ($1, $2, $3) and not exists (select from claimed)`,
    [principal, route, key, bodySha256, runningUntil, now, calls],
  );
  return row?.claimed ? 'claimed' : row;
}

/** Only a running call can store a response. */
export async function keep(
  database: Queryable,
  { principal, route, key, answerSha256 }: Place & { answerSha256: string },
  expiresAt: Date,
): Promise<void> {
  await database.query(
    `update answers set answer_sha256 = $4, expires_at = $5
     where principal = $1 and route = $2 and key = $3 and answer_sha256 is null`,
    [principal, route, key, answerSha256, expiresAt],
  );
}

/**
 * A stored response stays: its call was paid, whatever failed afterwards. So does the claim of a later call that took over from a
 * suspended server: it has another lapse time.
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

export async function abandonAll(database: Queryable): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'with gone as (delete from answers where answer_sha256 is null returning 1) select count(*) from gone',
  );
  return row!.count;
}

export async function releaseCalls(database: Queryable, calls: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'with gone as (delete from answers where calls = $1 and answer_sha256 is null returning 1) select count(*) from gone',
    [calls],
  );
  return row!.count;
}

export async function sweep(database: Queryable, now: Date): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'with gone as (delete from answers where expires_at <= $1 returning 1) select count(*) from gone',
    [now],
  );
  return row!.count;
}

/** Columns that reference blobs. */
export const NAMED_BLOBS = [{ blob: 'answer_sha256', from: 'answers' }];
