import type { Queryable } from '../../../core/database/types.ts';
import { FETCH_SILENCE_MS } from './limits.ts';
import type { FetchRequest } from './types.ts';

/** Leases of downloads expire by the clock of the database. */

const IS_LIVE = `state in ('waiting', 'running')`;
const SILENT = `(state = 'running' and signed_at < clock_timestamp() - interval '${FETCH_SILENCE_MS} milliseconds')`;

/** Requests a download. False where one is in progress. @throws an SQL error (unique) for concurrent requests */
export async function insertFetch(
  tx: Queryable,
  { name, at, who }: { name: string; at: Date; who: string },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into fetches (name, state, asked_at, who)
     select $1, 'waiting', $2, $3 where not exists (select from fetches where ${IS_LIVE})
     on conflict (name) do update set state = excluded.state, asked_at = excluded.asked_at, who = excluded.who,
       holder = null, signed_at = null, is_unwanted = false, fraction = 0, said = '', ended_at = null
     returning name`,
    [name, at, who],
  );
  return rows.length > 0;
}

/** Requested downloads, newest first. */
export const selectFetches = (database: Queryable): Promise<FetchRequest[]> =>
  database.query<FetchRequest>(
    `select name, case when ${SILENT} then 'waiting' else state end as state, is_unwanted as "isUnwanted", fraction, said, who,
       asked_at as "askedAt", ended_at as "endedAt" from fetches order by asked_at desc, name`,
  );

/** Ends a waiting download, or requests the cancellation of a running one. False where it has ended. */
export async function endFetch(tx: Queryable, name: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `update fetches set is_unwanted = true,
       state = case when state = 'waiting' or ${SILENT} then 'stopped' else state end,
       ended_at = case when state = 'waiting' or ${SILENT} then $2::timestamptz end
     where name = $1 and ${IS_LIVE} and not is_unwanted returning name`,
    [name, at],
  );
  return rows.length > 0;
}

/** Claims the waiting download; undefined where there is none, or another server was faster. */
export async function takeFetch(database: Queryable, holder: string): Promise<string | undefined> {
  const [row] = await database.query<{ name: string }>(
    `update fetches set state = 'running', holder = $1, signed_at = clock_timestamp()
     where state = 'waiting' or ${SILENT} returning name`,
    [holder],
  );
  return row?.name;
}

interface Held {
  readonly name: string;
  readonly holder: string;
}

/** Renews the lease and records the progress. @returns whether the claim is still valid and not canceled */
export async function signFetch(
  database: Queryable,
  { name, holder, fraction, said }: Held & { fraction: number; said: string },
): Promise<boolean> {
  const [row] = await database.query<{ isUnwanted: boolean }>(
    `update fetches set signed_at = clock_timestamp(), fraction = $3, said = $4
     where name = $1 and holder = $2 and state = 'running' returning is_unwanted as "isUnwanted"`,
    [name, holder, fraction, said],
  );
  return row?.isUnwanted === false;
}

/** Ends a claim: the download has ended, or waits for another server. A canceled one does not wait. */
export async function leaveFetch(
  database: Queryable,
  { name, holder, state, said }: Held & { state: 'done' | 'failed' | 'waiting'; said: string },
): Promise<void> {
  await database.query(
    `update fetches set state = case when is_unwanted and $3 <> 'done' then 'stopped' else $3 end, said = $4, holder = null,
       fraction = case when $3 = 'done' then 1 else fraction end,
       ended_at = case when $3 = 'waiting' and not is_unwanted then null else clock_timestamp() end
     where name = $1 and holder = $2 and state = 'running'`,
    [name, holder, state, said],
  );
}
