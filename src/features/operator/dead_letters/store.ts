import type { Queryable } from '../../../core/database/types.ts';
import type { DeadDelivery, DeadJob, DeadKind } from './types.ts';

const KIND_OF_JOB = `j.tool || ':' || coalesce(j.problem ->> 'code', '')`;
/** A delivery is settled once it was sent again or dismissed. */
const IS_DEAD = `d.state = 'failed' and d.settled_at is null`;

/** Dead jobs, newest first. @param kind default: all */
export const selectJobs = (
  database: Queryable,
  { now, limit, kind }: { now: Date; limit: number; kind?: string | undefined },
): Promise<DeadJob[]> =>
  database.query<DeadJob>(
    `select j.id, j.tool, coalesce(j.problem ->> 'code', '') as code,
       left(coalesce(j.problem ->> 'detail', ''), 1000) as detail, j.wallet, j.attempt as attempts,
       j.created_at as "acceptedAt", j.finished_at as "failedAt", j.expires_at as "expiresAt",
       j.input_sha256 is not null as "canRetry"
     from jobs j where j.is_dead and j.expires_at > $1 and ($3::text is null or ${KIND_OF_JOB} = $3)
     order by j.finished_at desc, j.position desc limit $2`,
    [now, limit, kind ?? null],
  );

export const selectDeliveries = (
  database: Queryable,
  { limit, kind }: { limit: number; kind?: string | undefined },
): Promise<DeadDelivery[]> =>
  database.query<DeadDelivery>(
    `select d.id, d.endpoint_id as endpoint, d.host, e.state = 'disabled' as "isDisabled", v.type, e.account as wallet,
       jsonb_array_length(d.attempts) as attempts, (d.attempts -> -1 ->> 'status')::integer as status,
       d.attempts -> -1 ->> 'error' as error, d.ended_at as "failedAt"
     from webhook_deliveries d join webhook_events v on v.id = d.event_id join webhook_endpoints e on e.id = d.endpoint_id
     where ${IS_DEAD} and ($2::text is null or d.endpoint_id = $2)
     order by d.ended_at desc, d.position desc limit $1`,
    [limit, kind ?? null],
  );

/** Kinds of dead letters, most frequent first. */
export const selectKinds = (database: Queryable, now: Date, limit: number): Promise<DeadKind[]> =>
  database.query<DeadKind>(
    `select * from (
       select ${KIND_OF_JOB} as kind, count(*) as count, count(j.input_sha256) as retryable, max(j.finished_at) as "newestAt"
       from jobs j where j.is_dead and j.expires_at > $1 group by 1
       union all
       select d.endpoint_id, count(*), count(*), max(d.ended_at) from webhook_deliveries d where ${IS_DEAD} group by 1
     ) kinds order by count desc, kind limit $2`,
    [now, limit],
  );

/** Ids of jobs of a kind that can be retried, oldest first. */
export const selectRetryable = async (
  database: Queryable,
  { now, limit, kind }: { now: Date; limit: number; kind: string },
): Promise<string[]> =>
  (
    await database.query<{ id: string }>(
      `select j.id from jobs j where j.is_dead and j.expires_at > $1 and ${KIND_OF_JOB} = $3 and j.input_sha256 is not null
       order by j.position limit $2`,
      [now, limit, kind],
    )
  ).map(({ id }) => id);

export async function countRetryable(database: Queryable, now: Date, kind: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select (select count(*) from jobs j where j.is_dead and j.expires_at > $1 and ${KIND_OF_JOB} = $2
         and j.input_sha256 is not null)
       + (select count(*) from webhook_deliveries d where ${IS_DEAD} and d.endpoint_id = $2) as count`,
    [now, kind],
  );
  return row!.count;
}

/** Sends the notifications of abandoned deliveries again, as new deliveries under the same webhook-id. @returns their number */
export async function resend(
  database: Queryable,
  { by, limit, now }: { by: { id: string } | { endpoint: string }; limit: number; now: Date },
): Promise<number> {
  const rows = await database.query(
    `with dead as (
       select d.id from webhook_deliveries d where ${IS_DEAD} and ($1::text is null or d.id = $1)
         and ($2::text is null or d.endpoint_id = $2)
       order by d.position limit $3 for update skip locked
     ), settled as (
       update webhook_deliveries d set settled_at = $4 from dead where d.id = dead.id
       returning d.event_id, d.endpoint_id, d.host, d.caller, d.position
     )
     insert into webhook_deliveries (event_id, endpoint_id, host, caller, due_at, created_at)
       select event_id, endpoint_id, host, caller, $4, $4 from settled order by position
     returning 1`,
    [...targetOf(by), limit, now],
  );
  return rows.length;
}

/** Marks deliveries as settled. @returns their number */
export async function dismissDeliveries(
  database: Queryable,
  by: { id: string } | { endpoint: string },
  now: Date,
): Promise<number> {
  const rows = await database.query(
    `update webhook_deliveries d set settled_at = $3 where ${IS_DEAD} and ($1::text is null or d.id = $1)
       and ($2::text is null or d.endpoint_id = $2) returning 1`,
    [...targetOf(by), now],
  );
  return rows.length;
}

const targetOf = (by: { id: string } | { endpoint: string }): [string | null, string | null] =>
  'id' in by ? [by.id, null] : [null, by.endpoint];
