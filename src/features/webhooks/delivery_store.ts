import type { Queryable } from '../../core/database/types.ts';
import {
  AT_ONCE_IN_LANE,
  AT_ONCE_OF_CALLER,
  AT_ONCE_TO_HOST,
  ENDPOINTS_A_STEP,
  EVENTS_A_STEP,
  LOG_OF_ENDPOINT_MAX,
  SWEEP_MAX,
  WAITING_MAX,
  WAITING_OF_CALLER_MAX,
} from './limits.ts';
import type { Backlog, Delivery, DeliveryPage, DomainEvent, LoggedAttempt } from './types.ts';

/** Stores an event. */

export async function insertDomainEvent(
  database: Queryable,
  { wallet, type, data }: DomainEvent,
  at: Date,
): Promise<void> {
  await database.query('select tell_webhooks($1, $2, $3, $4)', [wallet, type, JSON.stringify(data), at]);
}

/** Stores a test event for one endpoint, independent of its subscriptions; returns its id. */
export async function insertTest(database: Queryable, endpointId: string, at: Date): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    `insert into webhook_events (endpoint_id, type, data, at)
     values ($1, 'webhook.test', jsonb_build_object('webhook_id', $1::text), $2) returning id`,
    [endpointId, at],
  );
  return row!.id;
}

/** Fans out a batch of events. Returns their number; a full batch means that more may be left. */
export async function fanOutEvents(database: Queryable, now: Date): Promise<number> {
  const [row] = await database.query<{ looked: number }>(
    'select spread_webhook_events($1, $2, $3, $4, $5) as looked',
    [now, EVENTS_A_STEP, ENDPOINTS_A_STEP, WAITING_MAX, WAITING_OF_CALLER_MAX],
  );
  return row!.looked;
}

/** Whether events wait for fan-out, and when the next delivery is due. */
export async function peekDue(database: Queryable): Promise<{ hasNews: boolean; nextDue: Date | null }> {
  const [row] = await database.query<{ hasNews: boolean; nextDue: Date | null }>(
    `select exists (select from webhook_events where spread_at is null) as "hasNews",
       (select min(due_at) from webhook_deliveries where state = 'pending') as "nextDue"`,
  );
  return row!;
}

export async function selectBacklog(database: Queryable, now: Date): Promise<Backlog> {
  const [row] = await database.query<Backlog>(
    `select waiting.*, endpoints.* from
       (select count(*) as pending, greatest(0, coalesce(extract(epoch from $1 - min(due_at)), 0))::float8 as "overdueSeconds"
        from webhook_deliveries where state = 'pending') waiting,
       (select count(*) filter (where state = 'active' and failing_since is null) as active,
          count(*) filter (where state = 'active' and failing_since is not null) as failing,
          count(*) filter (where state = 'disabled') as disabled from webhook_endpoints) endpoints`,
    [now],
  );
  return row!;
}

/** A claimed delivery, ready to send. */
export interface Claimed {
  readonly id: string;
  readonly attempt: number;
  readonly eventId: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly at: Date;
  readonly endpointId: string;
  readonly url: string;
  readonly host: string;
  readonly caller: string;
  readonly secret: string;
  /** The previous secret, while it still signs. */
  readonly earlierSecret: string | null;
  readonly failingSince: Date | null;
}

export interface Claiming {
  readonly now: Date;
  /** Lease: no other server claims these deliveries before then. */
  readonly leaseUntil: Date;
  /** Free slots, and those for failing endpoints. */
  readonly places: number;
  readonly placesOfFailing: number;
  /** Deliveries in flight on this server: by host, by client, and by both, separated by a space. */
  readonly underWay: {
    readonly hosts: Readonly<Record<string, number>>;
    readonly callers: Readonly<Record<string, number>>;
    readonly lanes: Readonly<Record<string, number>>;
  };
}

/**
 * Claims due deliveries. Of every lane (the deliveries of one client to one host), reads only the oldest, up to its free slots, so
 * that a long lane does not starve the others.
 */
export function claimDue(database: Queryable, claiming: Claiming): Promise<Claimed[]> {
  const { now, leaseUntil, places, placesOfFailing, underWay } = claiming;
  return database.query<Claimed>(
    `with recursive lanes as (
       (select host, caller from webhook_deliveries where state = 'pending' order by host, caller limit 1)
       union all
       select n.host, n.caller from lanes l cross join lateral (
         select d.host, d.caller from webhook_deliveries d
         where d.state = 'pending' and (d.host, d.caller) > (l.host, l.caller) order by d.host, d.caller limit 1) n
     ), due as (
       select d.id, d.due_at, d.endpoint_id, e.failing_since is not null as is_failing, l.host, l.caller
       from lanes l cross join lateral (
         select w.id, w.due_at, w.endpoint_id from webhook_deliveries w
         where w.state = 'pending' and w.host = l.host and w.caller = l.caller and w.due_at <= $1
         order by w.due_at limit ${AT_ONCE_IN_LANE} for update skip locked) d
       join webhook_endpoints e on e.id = d.endpoint_id
       where (e.paused_until is null or e.paused_until <= $1) and not exists (
         select from wallet_keys k where k.id = e.key_id and (k.revoked_at is not null or k.expires_at <= $1))
     ), placed as (
       select id, due_at, is_failing,
         row_number() over (partition by host order by due_at) + coalesce(($5::jsonb ->> host)::integer, 0) as of_host,
         row_number() over (partition by caller order by due_at) + coalesce(($6::jsonb ->> caller)::integer, 0) as of_caller,
         row_number() over (partition by host, caller order by due_at)
           + coalesce(($7::jsonb ->> (host || ' ' || caller))::integer, 0) as of_lane,
         row_number() over (partition by is_failing order by due_at) as of_kind
       from due
     ), chosen as (
       select id from placed
       where of_host <= ${AT_ONCE_TO_HOST} and of_caller <= ${AT_ONCE_OF_CALLER}
         and of_lane <= case when is_failing then 1 else ${AT_ONCE_IN_LANE} end and (not is_failing or of_kind <= $4)
       order by due_at limit $3
     )
     update webhook_deliveries d set attempt = attempt + 1, due_at = $2
     from chosen c, webhook_events v, webhook_endpoints e
     where d.id = c.id and v.id = d.event_id and e.id = d.endpoint_id
     returning d.id, d.attempt, v.id as "eventId", v.type, v.data, v.at, e.id as "endpointId", e.url, d.host, d.caller, e.secret,
       case when e.earlier_until > $1 then e.earlier_secret end as "earlierSecret", e.failing_since as "failingSince"`,
    [
      now,
      leaseUntil,
      places,
      placesOfFailing,
      ...[underWay.hosts, underWay.callers, underWay.lanes].map((counts) => JSON.stringify(counts)),
    ],
  );
}

export interface Ending {
  readonly id: string;
  readonly attempt: number;
  readonly state: Delivery['state'];
  readonly logged: LoggedAttempt;
  readonly dueAt: Date;
  readonly pausedUntil: Date | null;
  readonly now: Date;
}

/** Records an attempt and the state of its endpoint; does nothing where another server has claimed the delivery since. */
export async function endAttempt(database: Queryable, ending: Ending): Promise<void> {
  const { id, attempt, state, logged, dueAt, pausedUntil, now } = ending;
  await database.query(
    `with ended as (
       update webhook_deliveries set state = $3, attempts = attempts || $4::jsonb, due_at = $5,
         ended_at = case when $3 <> 'pending' then $7::timestamptz end
       where id = $1 and attempt = $2 and state = 'pending' returning endpoint_id
     )
     update webhook_endpoints e set
       failing_since = case when $3 = 'delivered' then null else coalesce(e.failing_since, $7) end,
       delivered_at = case when $3 = 'delivered' then $7 else e.delivered_at end,
       paused_until = $6
     from ended where e.id = ended.endpoint_id
       and ($3 <> 'delivered' or e.failing_since is not null or e.delivered_at is null or e.delivered_at < $7 - interval '1 minute')`,
    [id, attempt, state, JSON.stringify([logged]), dueAt, pausedUntil, now],
  );
}

/** Requeues the delivery without counting an attempt: this server is shutting down. */
export async function requeueDelivery(
  database: Queryable,
  id: string,
  attempt: number,
  now: Date,
): Promise<void> {
  await database.query(
    `update webhook_deliveries set attempt = attempt - 1, due_at = $3
     where id = $1 and attempt = $2 and state = 'pending'`,
    [id, attempt, now],
  );
}

const DELIVERY = `d.id, d.position, d.event_id as "eventId", v.type, d.state, d.attempts, d.created_at as "createdAt",
  case when d.state = 'pending' then d.due_at end as "dueAt", d.ended_at as "endedAt"`;

/** Deliveries of an endpoint, newest first. */
export function selectDeliveries(
  database: Queryable,
  endpointId: string,
  { limit, before }: DeliveryPage,
): Promise<Delivery[]> {
  return database.query<Delivery>(
    `select ${DELIVERY} from webhook_deliveries d join webhook_events v on v.id = d.event_id
     where d.endpoint_id = $1 and ($2::bigint is null or d.position < $2) order by d.position desc limit $3`,
    [endpointId, before ?? null, limit],
  );
}

/** Adds a delivery that repeats an earlier one. Undefined where the endpoint has no such delivery. */
export async function insertReplay(
  database: Queryable,
  { endpointId, id, now }: { endpointId: string; id: string; now: Date },
): Promise<Delivery | undefined> {
  const [row] = await database.query<Delivery>(
    `with settled as (
       update webhook_deliveries set settled_at = $3
       where endpoint_id = $1 and id = $2 and state = 'failed' and settled_at is null
     ), d as (
       insert into webhook_deliveries (event_id, endpoint_id, host, caller, due_at, created_at)
       select event_id, endpoint_id, host, caller, $3, $3 from webhook_deliveries where endpoint_id = $1 and id = $2
       returning *
     )
     select ${DELIVERY} from d join webhook_events v on v.id = d.event_id`,
    [endpointId, id, now],
  );
  return row;
}

/** Moves due times after `latest` to now: they were written before a clock was set back. */
export async function bringForward(database: Queryable, now: Date, latest: Date): Promise<void> {
  await database.query(`update webhook_deliveries set due_at = $1 where state = 'pending' and due_at > $2`, [
    now,
    latest,
  ]);
}

/** Deletes finished deliveries of busy endpoints except the newest; returns their events. */
export async function trimLogs(database: Queryable, busySince: Date): Promise<string[]> {
  const rows = await database.query<{ eventId: string }>(
    `delete from webhook_deliveries where id in (
       select old.id from (select distinct endpoint_id from webhook_deliveries where created_at > $1) busy
       cross join lateral (
         select d.id from webhook_deliveries d where d.endpoint_id = busy.endpoint_id and d.state <> 'pending'
         order by d.position desc offset ${LOG_OF_ENDPOINT_MAX} limit ${SWEEP_MAX}) old
       limit ${SWEEP_MAX})
     returning event_id as "eventId"`,
    [busySince],
  );
  return rows.map(({ eventId }) => eventId);
}

/** Deletes events without deliveries. */
export async function deleteIdle(database: Queryable, ids: readonly string[]): Promise<void> {
  await database.query(
    `delete from webhook_events e where id = any($1::text[])
       and not exists (select from webhook_deliveries d where d.event_id = e.id)`,
    [ids],
  );
}

/** Deletes old events with all their deliveries, unless one is pending. */
export async function deleteOld(database: Queryable, before: Date): Promise<number> {
  const rows = await database.query(
    `delete from webhook_events where id in (
       select id from webhook_events e where at <= $1 and spread_at is not null and not exists (
         select from webhook_deliveries d where d.event_id = e.id and d.state = 'pending')
       order by at limit ${SWEEP_MAX}) returning 1`,
    [before],
  );
  return rows.length;
}
