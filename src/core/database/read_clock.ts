import type { Queryable } from './types.ts';

/** Shared clock of all servers of a database. */
export async function readClock(database: Queryable): Promise<Date> {
  const [row] = await database.query<{ at: Date }>('select clock_timestamp() as at');
  return row!.at;
}
