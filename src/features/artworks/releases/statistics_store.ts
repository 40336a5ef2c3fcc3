import type { Queryable } from '../../../core/database/types.ts';

/** Works of an edition with the same museum, status and evidence. */
export interface RightsGroup {
  readonly museum: string;
  readonly status: string;
  /** Field of the museum's data; null for the starter catalogue. */
  readonly field: string | null;
  readonly works: number;
  readonly pictures: number;
  readonly withoutMaker: number;
  readonly withoutDate: number;
  readonly withoutMedium: number;
  readonly withoutDescription: number;
  readonly yearFrom: number | null;
  readonly yearTo: number | null;
  /** Dates on which the museum's data was read; null for the starter catalogue. */
  readonly seenFirst: string | null;
  readonly seenLast: string | null;
  /** Size of the records as JSON, in bytes. */
  readonly bytes: number;
}

/** Scans every work of an edition once. */
export function readRights(database: Queryable, edition: number): Promise<RightsGroup[]> {
  return database.query<RightsGroup>(
    `select museum, record->'rights'->>'status' as status, record->'rights'->'evidence'->>'field' as field,
       count(*) as works, count(*) filter (where has_image) as pictures,
       count(*) filter (where record->'artists' = '[]') as "withoutMaker",
       count(*) filter (where year_from is null) as "withoutDate",
       count(*) filter (where record->>'medium' = '') as "withoutMedium",
       count(*) filter (where record->>'description' = '') as "withoutDescription",
       min(year_from) as "yearFrom", max(year_to) as "yearTo",
       min(seen_on) filter (where record->'rights'->>'evidence' is not null)::text as "seenFirst",
       max(seen_on) filter (where record->'rights'->>'evidence' is not null)::text as "seenLast",
       sum(octet_length(record::text)) as bytes
     from artworks where added_in <= $1 and removed_in > $1
     group by 1, 2, 3 order by 1, 2, 3`,
    [edition],
  );
}

export interface Withdrawal {
  readonly id: string;
  readonly withdrawnAt: Date;
  readonly reason: string;
  readonly edition: number;
}

/** Withdrawn works, newest first. */
export function readWithdrawals(database: Queryable, limit: number): Promise<Withdrawal[]> {
  return database.query<Withdrawal>(
    `select id, withdrawn_at as "withdrawnAt", reason, edition from artwork_withdrawals
     order by withdrawn_at desc, id limit $1`,
    [limit],
  );
}

/** Number of works withdrawn from an edition after its publication. */
export async function countWithdrawn(database: Queryable, edition: number): Promise<number> {
  const [row] = await database.query<{ works: number }>(
    `select count(*) as works from artwork_withdrawals join artworks using (id)
     where edition > $1 and added_in <= $1 and removed_in > $1`,
    [edition],
  );
  return row!.works;
}

/** Whether a work was withdrawn after the publication of an edition. */
export async function isWithdrawnSince(database: Queryable, edition: number): Promise<boolean> {
  const [row] = await database.query<{ is: boolean }>(
    'select exists (select 1 from artwork_withdrawals where edition > $1) as is',
    [edition],
  );
  return row!.is;
}
