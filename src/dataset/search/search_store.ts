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

/** Counts more works to words of the dataset, with their forms with a letter less. */
export async function insertWords(
  database: Queryable,
  words: readonly { word: string; works: number; shortened: readonly string[] }[],
): Promise<void> {
  await database.query(
    `insert into artwork_words (word, works, shortened)
     select word, works, shortened from jsonb_to_recordset($1::jsonb) as row (word text, works integer, shortened text[])
     on conflict (word) do update set works = artwork_words.works + excluded.works`,
    [JSON.stringify(words)],
  );
}
