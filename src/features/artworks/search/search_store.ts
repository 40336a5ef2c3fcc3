import type { Queryable } from '../../../core/database/types.ts';
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

/** Ids by numbers. */
export async function readIds(database: Queryable, numbers: readonly number[]): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map();
  const rows = await database.query<{ number: number; id: string }>(
    'select number, id from artworks where number = any($1::bigint[])',
    [numbers],
  );
  return new Map(rows.map(({ number, id }) => [number, id]));
}

/**
 * The words themselves, and words of the dataset that share one of these forms with a letter removed, so at
 * most two edits away. Words of a single work are left out: they are as likely errors.
 */
export function nearWords(
  database: Queryable,
  words: readonly string[],
  shortened: readonly string[],
): Promise<{ readonly word: string; readonly works: number }[]> {
  return database.query(
    `select word, works from artwork_words where word = any($1::text[])
     union
     (select word, works from artwork_words where works > 1 and shortened && $2::text[] order by works desc limit 400)`,
    [words, shortened],
  );
}

/** Number of a work without separators, as indexed: "RP-P-1909-118" and "rp p 1909 118" have the same key. */
export const keyOfNumber = (number: string): string => number.replace(/[^a-zA-Z0-9]/g, '').toLowerCase();

export interface NumberedRecord {
  readonly number: number;
  readonly record: ArtworkRecord;
}

/** Works of an edition with one of these ids, and those whose accession number has this key. */
export async function readByNumber(
  database: Queryable,
  { edition, ids, key, limit }: { edition: number; ids: readonly string[]; key: string; limit: number },
): Promise<NumberedRecord[]> {
  return database.query<NumberedRecord>(
    `select number, record from artworks where added_in <= $1 and removed_in > $1 and number in (
       (select number from artworks where id = any($2::text[]))
       union
       (select number from artworks where $3 <> ''
          and lower(regexp_replace(record->>'accession_number', '[^a-zA-Z0-9]', '', 'g')) = $3))
     order by number limit $4`,
    [edition, ids, key, limit],
  );
}

/** Adds counts to the words of the dataset, with their forms with a letter removed. */
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
