import type { Queryable } from '../../core/database/types.ts';
import type { Asker, Endpoint, NewEndpoint } from './types.ts';

const COLUMNS = `id, url, events, unknown_events as "unknownEvents", state, disabled_because as "disabledBecause",
  disabled_at as "disabledAt", failing_since as "failingSince", delivered_at as "deliveredAt", dropped, dropped_at as "droppedAt",
  created_at as "createdAt"`;

/** Serialises registrations until the transaction ends, so that the count is exact. */
export async function lockRegistrations(tx: Queryable): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('webhooks', 0))`);
}

interface Saving extends NewEndpoint {
  readonly id: string;
  readonly secret: string;
  readonly at: Date;
  /** Until then, the previous secret also signs. */
  readonly earlierUntil: Date;
}

/** Adds or updates an endpoint; an update keeps its id and registration date. */
export async function saveEndpoint(tx: Queryable, endpoint: Saving): Promise<Endpoint> {
  const { id, caller, awaited, isProved, url, events, unknownEvents, secret, at, keyId } = endpoint;
  const [saved] = await tx.query<Endpoint>(
    `insert into webhook_endpoints as e
       (id, caller, url, events, unknown_events, secret, created_at, key_id, is_proved, awaited)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (caller, url) do update
       set events = excluded.events, unknown_events = excluded.unknown_events, secret = excluded.secret,
         key_id = excluded.key_id, is_proved = excluded.is_proved, awaited = excluded.awaited,
         earlier_secret = e.secret, earlier_until = $11, state = 'active', disabled_because = null, disabled_at = null,
         failing_since = null
     returning ${COLUMNS}`,
    [
      id,
      caller,
      url,
      JSON.stringify(events),
      JSON.stringify(unknownEvents),
      secret,
      at,
      keyId ?? null,
      isProved ?? false,
      awaited ?? null,
      endpoint.earlierUntil,
    ],
  );
  return saved!;
}

/** Number of endpoints of this client, of all clients without a wallet, and in total. */
export async function countEndpoints(
  tx: Queryable,
  caller: string,
): Promise<{ own: number; ofAddresses: number; all: number }> {
  const [row] = await tx.query<{ own: number; ofAddresses: number; all: number }>(
    `select (select count(*) from webhook_endpoints where caller = $1) as own,
       (select count(*) from webhook_endpoints where caller not like '0x%') as "ofAddresses",
       (select count(*) from webhook_endpoints) as all`,
    [caller],
  );
  return row!;
}

/**
 * Endpoints that the requester may see, oldest first.
 * @param id only this one
 */
export function selectEndpoints(
  database: Queryable,
  { wallet, keyId, secret }: Asker,
  { id, now }: { id?: string; now: Date },
): Promise<Endpoint[]> {
  return database.query<Endpoint>(
    `select ${COLUMNS} from webhook_endpoints
     where ($1::text is null or id = $1)
       and (account = $2 and ($3::text is null or key_id = $3)
         or $4::text in (secret, case when earlier_until > $5 then earlier_secret end))
     order by created_at, id limit 1000`,
    [id ?? null, wallet ?? null, keyId ?? null, secret ?? null, now],
  );
}

export async function rotateSecret(
  database: Queryable,
  { id, secret, earlierUntil }: { id: string; secret: string; earlierUntil: Date },
): Promise<void> {
  await database.query(
    'update webhook_endpoints set earlier_secret = secret, earlier_until = $3, secret = $2 where id = $1',
    [id, secret, earlierUntil],
  );
}

/** Enables an endpoint. False where its wallet is locked and its ownership is not proved. */
export async function enableEndpoint(database: Queryable, id: string, isProved: boolean): Promise<boolean> {
  const rows = await database.query(
    `update webhook_endpoints e set state = 'active', disabled_because = null, disabled_at = null, failing_since = null,
       is_proved = is_proved or $2
     where id = $1 and (is_proved or $2 or not exists (
       select from wallet_owners o where o.wallet = e.account and o.locked_at is not null)) returning 1`,
    [id, isProved],
  );
  return rows.length > 0;
}

/** Deletes an endpoint. False where the id is unknown. */
export async function deleteEndpoint(database: Queryable, id: string): Promise<boolean> {
  const rows = await database.query('delete from webhook_endpoints where id = $1 returning 1', [id]);
  return rows.length > 0;
}

/** Deletes the endpoints of revoked and expired keys, and those disabled before a date. */
export async function deleteEnded(database: Queryable, now: Date, disabledBefore: Date): Promise<number> {
  const rows = await database.query(
    `delete from webhook_endpoints e
     where e.state = 'disabled' and e.disabled_at <= $2 or exists (
       select from wallet_keys k where k.id = e.key_id and (k.revoked_at is not null or k.expires_at <= $1)) returning 1`,
    [now, disabledBefore],
  );
  return rows.length;
}

export async function disableEndpoint(
  database: Queryable,
  { id, because, at }: { id: string; because: string; at: Date },
): Promise<void> {
  await database.query('select disable_webhook($1, $2, $3)', [id, because, at]);
}
