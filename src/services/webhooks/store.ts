import type { Queryable } from '../../database/contract.ts';
import type { Endpoint } from './contract.ts';

/** Registrations of one caller happen one after another until the transaction ends, so that they can be counted. */
export async function lockCaller(tx: Queryable, caller: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhooks ${caller}`]);
}

/** Answers with the endpoint as it is now kept: id and date of the first registration, everything else of this one. */
export async function saveEndpoint(tx: Queryable, endpoint: Endpoint): Promise<Endpoint> {
  const { id, caller, url, events, unknownEvents, secret, createdAt, keyId = null } = endpoint;
  const [kept] = await tx.query<{ id: string; createdAt: Date }>(
    `insert into webhook_endpoints (id, caller, url, events, unknown_events, secret, created_at, key_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (caller, url) do update
       set events = excluded.events, unknown_events = excluded.unknown_events, secret = excluded.secret,
         key_id = excluded.key_id
     returning id, created_at as "createdAt"`,
    [id, caller, url, JSON.stringify(events), JSON.stringify(unknownEvents), secret, createdAt, keyId],
  );
  return { ...endpoint, ...kept };
}

export async function countEndpoints(tx: Queryable, caller: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    'select count(*) as count from webhook_endpoints where caller = $1',
    [caller],
  );
  return row!.count;
}

/** Deletes the endpoints of keys that were revoked or have expired. */
export async function deleteEnded(database: Queryable, now: Date): Promise<number> {
  const rows = await database.query(
    `delete from webhook_endpoints e using wallet_keys k
     where e.key_id = k.id and (k.revoked_at is not null or k.expires_at <= $1) returning 1`,
    [now],
  );
  return rows.length;
}

/** False where there is none of that id. */
export async function deleteEndpoint(database: Queryable, id: string): Promise<boolean> {
  const rows = await database.query('delete from webhook_endpoints where id = $1 returning 1', [id]);
  return rows.length > 0;
}
