import type { Queryable } from '../../../core/database/types.ts';

/** A page of terms as it was read. */
export interface Terms {
  readonly museum: string;
  readonly url: string;
  /** sha256 of the page. */
  readonly sha256: string;
  /** When this version of the page was first and last seen. */
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

export async function writeTerms(
  database: Queryable,
  { museum, url, sha256, now }: Pick<Terms, 'museum' | 'url' | 'sha256'> & { now: Date },
): Promise<void> {
  await database.query(
    `insert into museum_terms (museum, url, sha256, first_seen_at, last_seen_at) values ($1, $2, $3, $4, $4)
     on conflict (museum, url, sha256) do update set last_seen_at = excluded.last_seen_at`,
    [museum, url, sha256, now],
  );
}

/** The latest version of each museum's page of terms. */
export function readTerms(database: Queryable): Promise<Terms[]> {
  return database.query<Terms>(
    `select distinct on (museum) museum, url, sha256, first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt"
     from museum_terms order by museum, last_seen_at desc`,
  );
}
