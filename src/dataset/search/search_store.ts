import type { Queryable } from '../../database/contract.ts';
import type { ArtworkRecord } from '../records/record.ts';

/** Records by their numbers. */
export async function readRecords(
  database: Queryable,
  numbers: readonly number[],
): Promise<Map<number, ArtworkRecord>> {
  if (numbers.length === 0) return new Map();
  const rows = await database.query<{ number: number; record: ArtworkRecord }>(
    'select number, record from artworks where number = any($1::bigint[])',
    [numbers],
  );
  return new Map(rows.map(({ number, record }) => [number, record]));
}

/** Words of the dataset that have one of these forms with a letter less: those at most two errors away, and others. */
export function nearWords(
  database: Queryable,
  shortened: readonly string[],
): Promise<{ readonly word: string; readonly works: number }[]> {
  return database.query(
    'select word, works from artwork_words where shortened && $1::text[] order by works desc limit 400',
    [shortened],
  );
}
