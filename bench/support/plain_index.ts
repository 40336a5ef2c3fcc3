import type { Database } from '../../src/core/database/types.ts';

/** Long statements are cancelled. */
const WORKS_A_STATEMENT = 20_000;

/** The simplest search in PostgreSQL: a column of words and a GIN index on it. Built once and kept. */
export async function makePlainIndex(database: Database): Promise<void> {
  await database.query(
    'create table if not exists plain_index (number bigint primary key, words tsvector not null)',
  );
  await database.query(
    'create index if not exists plain_index_words on plain_index using gin (words) with (fastupdate = off)',
  );
  for (;;) {
    const added = await database.query(
      `insert into plain_index select number, to_tsvector('english', concat_ws(' ', record->>'title', record->>'artists',
         record->>'medium', record->>'classification', record->>'culture', record->>'tags', record->>'description',
         record->>'date'))
       from artworks where number > (select coalesce(max(number), 0) from plain_index) order by number limit $1
       returning number`,
      [WORKS_A_STATEMENT],
    );
    if (added.length < WORKS_A_STATEMENT) break;
  }
  await database.query('analyze plain_index');
}

/** All matches ranked by ts_rank, twenty returned. */
export const plainSearch = (database: Database, query: string) =>
  database.query<{ id: string }>(
    `select id, record from (
       select number, ts_rank(words, websearch_to_tsquery('english', $1)) as rank from plain_index
       where words @@ websearch_to_tsquery('english', $1) order by rank desc limit 20) as best
     join artworks using (number) order by rank desc`,
    [query],
  );

/** Titles and makers that contain the query literally. */
export const ilikeSearch = (database: Database, query: string) =>
  database.query(
    `select record from artworks where (record->>'title' ilike $1 or record->>'artists' ilike $1) and removed_in = 2147483647
     order by number limit 20`,
    [`%${query}%`],
  );
