import type { Queryable } from '../database/types.ts';
import { UNFLUSHED } from '../database/unflushed.ts';
import { LEASE_SHARE } from './limits.ts';
import type { Policy } from './types.ts';

export interface Ask {
  /** Limit and caller. */
  readonly name: string;
  readonly policy: Policy;
  /** Permits for calls that are waiting. */
  readonly needed: number;
  /** Including prefetched permits; negative to return some. */
  readonly wanted: number;
}

export interface Grant {
  readonly name: string;
  /** Granted permits; as many as fit, perhaps fewer than needed. */
  readonly granted: number;
  /** Age of the window in milliseconds, by the clock of the database. */
  readonly ageMs: number;
  readonly current: number;
  readonly previous: number;
}

/**
 * Takes or returns permits of several distinct callers in one statement. Needed permits are granted as far as they fit; of the rest
 * a small share, so that some are left for other servers. Callers are locked in order of their names, to prevent deadlocks. Windows
 * as in `shared_limiter.ts`; a clock that is set back restarts them with their calls. A crash of the database forgets the last moments.
 */
export function takeCalls(database: Queryable, asks: readonly Ask[]): Promise<Grant[]> {
  const column = (of: (ask: Ask) => string | number) => asks.map(of);
  return database.query<Grant>(
    `insert into call_windows as w (name, started, calls, calls_before, needed, granted, calls_max, seconds)
     select name, extract(epoch from now()), greatest(0, least(wanted, calls_max)), 0, needed, least(wanted, calls_max), calls_max, seconds
     from ${UNFLUSHED}, unnest($1::text[], $2::float8[], $3::float8[], $4::float8[], $5::float8[])
       as asked (name, calls_max, seconds, needed, wanted)
     order by name
     on conflict (name) do update set (started, calls, calls_before, needed, granted, calls_max, seconds) = (
       select rolled.started, greatest(0, rolled.calls + given.granted), rolled.calls_before, excluded.needed, given.granted,
         excluded.calls_max, excluded.seconds
       from (select least(w.started, excluded.started) as started) as since
       cross join lateral (select (excluded.started - since.started) / excluded.seconds as age) as passed
       cross join lateral (select
         case when age >= 2 then excluded.started when age >= 1 then since.started + excluded.seconds else since.started end as started,
         case when age >= 1 then 0 else w.calls end as calls,
         case when age >= 2 then 0 when age >= 1 then w.calls else w.calls_before end as calls_before) as rolled
       cross join lateral (select floor(excluded.calls_max - rolled.calls
         - rolled.calls_before * (1 - (excluded.started - rolled.started) / excluded.seconds)) as calls) as room
       cross join lateral (select case when excluded.granted < 0 then excluded.granted else greatest(0, least(excluded.granted,
         room.calls, greatest(excluded.needed, floor(room.calls * ${LEASE_SHARE})))) end as granted) as given)
     returning name, granted, (extract(epoch from now()) - started) * 1000 as "ageMs", calls as current, calls_before as previous`,
    [
      column(({ name }) => name),
      column(({ policy }) => policy.calls),
      column(({ policy }) => policy.perSeconds),
      column(({ needed }) => needed),
      column(({ wanted }) => wanted),
    ],
  );
}

/** Deletes expired windows, and the oldest ones beyond the maximum; returns their number. */
export async function forgetWindows(database: Queryable, rowsMax: number): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `with kept as (
       select started as oldest from call_windows order by started desc offset $1 limit 1
     ), gone as (
       delete from call_windows
       where started + 2 * seconds < extract(epoch from now()) or started <= (select oldest from kept)
       returning 1
     )
     select count(*) from gone`,
    [rowsMax],
  );
  return row!.count;
}
