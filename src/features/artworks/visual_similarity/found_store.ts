import type { Queryable } from '../../../core/database/types.ts';

/** A work found by its id. */
export interface FoundRow {
  readonly number: number;
  readonly id: string;
}

/** Reads the works with these ids that are in the edition, by id. */
export async function readFound(
  database: Queryable,
  edition: number,
  ids: readonly string[],
): Promise<Map<string, FoundRow>> {
  const rows = await database.query<FoundRow>(
    'select number, id from artworks where added_in <= $1 and removed_in > $1 and id = any($2::text[])',
    [edition, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
