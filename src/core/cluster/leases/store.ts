import type { Queryable } from '../../database/types.ts';
import { LEASE_MS_MAX } from './limits.ts';

const LATER = `clock_timestamp() + $3 * interval '1 millisecond'`;

interface Held {
  readonly name: string;
  readonly holder: string;
}

/**
 * Acquires or renews the lease for this number of milliseconds. False if another server holds it, or if it is not due and `evenIfDone` is
 * not set.
 */
export async function hold(
  database: Queryable,
  { name, holder, forMs, evenIfDone }: Held & { forMs: number; evenIfDone: boolean },
): Promise<boolean> {
  const rows = await database.query(
    `insert into leases (name, holder, held_until) values ($1, $2, ${LATER})
     on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
     where leases.holder = excluded.holder or leases.held_until < clock_timestamp()
       or ($4 and leases.holder = '') or leases.held_until > clock_timestamp() + $5 * interval '1 millisecond'
     returning name`,
    [name, holder, forMs, evenIfDone, LEASE_MS_MAX],
  );
  return rows.length > 0;
}

/** Releases the lease; another server may acquire it after this number of milliseconds. */
export async function release(
  database: Queryable,
  { name, holder, afterMs }: Held & { afterMs: number },
): Promise<void> {
  if (afterMs <= 0)
    await database.query('delete from leases where name = $1 and holder = $2', [name, holder]);
  else
    await database.query(
      `update leases set holder = '', held_until = ${LATER} where name = $1 and holder = $2`,
      [name, holder, afterMs],
    );
}

/** Deletes leases of servers that died long ago; returns their number. */
export async function forgetOld(database: Queryable): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `with gone as (delete from leases where held_until < clock_timestamp() - interval '1 day' returning 1)
     select count(*) from gone`,
  );
  return row!.count;
}
