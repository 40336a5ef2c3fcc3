import type { Queryable } from '../../database/contract.ts';

const LATER = `clock_timestamp() + $3 * interval '1 millisecond'`;

/** Takes a museum, or keeps it, for so many milliseconds. False where another server has it. */
export async function holdMuseum(
  database: Queryable,
  { museum, holder, forMs }: { museum: string; holder: string; forMs: number },
): Promise<boolean> {
  const rows = await database.query(
    `insert into museum_pulls (museum, holder, held_until) values ($1, $2, ${LATER})
     on conflict (museum) do update set holder = excluded.holder, held_until = excluded.held_until
     where museum_pulls.holder = excluded.holder or museum_pulls.held_until < clock_timestamp()
     returning museum`,
    [museum, holder, forMs],
  );
  return rows.length > 0;
}

/** Lets go of a museum, for anybody to take after so many milliseconds. */
export async function releaseMuseum(
  database: Queryable,
  { museum, holder, afterMs }: { museum: string; holder: string; afterMs: number },
): Promise<void> {
  await database.query(
    `update museum_pulls set holder = '', held_until = ${LATER} where museum = $1 and holder = $2`,
    [museum, holder, afterMs],
  );
}
