import { ASYNC_COMMIT } from '../database/async_commit.ts';
import type { Queryable } from '../database/types.ts';
import { PARTS } from './limits.ts';

/** One caller and kind of files. */
export interface Caller {
  readonly name: string;
  readonly bytesMax: number;
  readonly partSeconds: number;
}

export interface Ask extends Caller {
  /** Requested bytes, and the smallest file among them. */
  readonly wanted: number;
  readonly smallest: number;
  /** Bytes to add without a limit, or to subtract, in this slice or the newest. */
  readonly owed: number;
  readonly owedPart: number | undefined;
}

export interface Grant {
  readonly name: string;
  /** Granted bytes: all requested ones; otherwise as many as fit if the smallest file fits; otherwise 0. */
  readonly granted: number;
  /** Free quota before the request; negative if it is exceeded. */
  readonly room: number;
  /** The slice they were added to. */
  readonly part: number;
}

/** The current slice and the earlier ones. */
const COUNTED = PARTS + 1;

/**
 * Checks and adds bytes for several distinct callers in one statement, under row locks, so that concurrent servers do not exceed the quota;
 * a database crash loses the latest counts. Callers are locked in order of their names, to prevent deadlocks. Slices are numbered by the
 * clock of the database. If the clock is set back, they are renumbered with their bytes; a statement that waited may be one slice behind.
 * "offset 0" prevents repeated computation of sums, a third of the time.
 */
export function countBytes(database: Queryable, asks: readonly Ask[]): Promise<Grant[]> {
  const column = (of: (ask: Ask) => string | number | null) => asks.map(of);
  return database.query<Grant>(
    `insert into kept_bytes as k (name, part, seconds, parts, wanted, smallest, bytes_max, granted, owed, owed_part)
     select name, part, seconds, array_prepend(given.bytes + more, array_fill(0::float8, array[${PARTS}])), wanted, smallest, bytes_max, given.bytes,
       owed, least(part, owed_part)
     from ${ASYNC_COMMIT}, unnest($1::text[], $2::float8[], $3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::bigint[])
       as asked (name, bytes_max, seconds, wanted, smallest, owed, owed_part)
     cross join lateral (select floor(extract(epoch from now()) / seconds)::bigint as part, greatest(0, owed) as more) as at_once
     cross join lateral (select case when bytes_max - more >= smallest then least(wanted, bytes_max - more) else 0 end as bytes) as given
     order by name
     on conflict (name) do update set (part, seconds, parts, wanted, smallest, bytes_max, granted, owed, owed_part) = (
       select newest.part, excluded.seconds, array_prepend(corrected.parts[1] + given.bytes, corrected.parts[2:${COUNTED}]), excluded.wanted,
         excluded.smallest, excluded.bytes_max, given.bytes, excluded.owed, excluded.owed_part
       from (select case when k.part = excluded.part + 1 then k.part else excluded.part end as part) as newest
       cross join lateral (select (array_fill(0::float8, array[least(${COUNTED}, newest.part - least(k.part, newest.part))::int])
         || k.parts)[1:${COUNTED}] as parts) as rolled
       cross join lateral (select array(
         select greatest(0, bytes + case when age = newest.part - excluded.owed_part + 1 then excluded.owed else 0 end)
         from unnest(rolled.parts) with ordinality as each (bytes, age) order by age) as parts offset 0) as corrected
       cross join lateral (select excluded.bytes_max - (select sum(bytes) from unnest(corrected.parts) as each (bytes)) as bytes offset 0) as room
       cross join lateral (select case when room.bytes >= excluded.smallest then least(excluded.wanted, room.bytes) else 0 end as bytes) as given)
     returning name, granted, part, bytes_max - (select sum(bytes) from unnest(parts) as each (bytes)) + granted as room`,
    [
      column(({ name }) => name),
      column(({ bytesMax }) => bytesMax),
      column(({ partSeconds }) => partSeconds),
      column(({ wanted }) => wanted),
      column(({ smallest }) => smallest),
      column(({ owed }) => owed),
      column(({ owedPart = null }) => owedPart),
    ],
  );
}

/** Deletes callers whose files have all expired, and the least recent ones beyond the maximum; returns their number. */
export async function forgetKept(database: Queryable, rowsMax: number): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    // Skips locked rows: their transaction may be waiting for one of the others.
    `with expired as (
       select name from kept_bytes where (part + ${COUNTED}) * seconds <= extract(epoch from now()) for update skip locked
     ), beyond as (
       select name from kept_bytes order by part * seconds, name
       limit greatest(0, (select count(*) from kept_bytes) - $1) for update skip locked
     ), gone as (
       delete from kept_bytes where name in (select name from expired union select name from beyond) returning 1
     )
     select count(*) from gone`,
    [rowsMax],
  );
  return row!.count;
}
