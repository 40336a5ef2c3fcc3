import type { Database } from '../../src/database/index.ts';

/** What one would write without a search of one's own: a column of words and a GIN index on it. Made once and kept. */
export async function makePlainIndex(database: Database): Promise<void> {
  const [table] = await database.query<{ name: string | null }>(
    `select to_regclass('plain_index')::text as name`,
  );
  if (table!.name !== null) return;
  await database.query(
    `create table plain_index as select number, to_tsvector('english', concat_ws(' ', record->>'title', record->>'artists',
       record->>'medium', record->>'classification', record->>'culture', record->>'tags', record->>'description',
       record->>'date')) as words
     from artworks where removed_in = 2147483647`,
  );
  await database.query('create index on plain_index using gin (words) with (fastupdate = off)');
  await database.query('analyze plain_index');
}

/** All matches ranked by ts_rank, twenty shown. */
export const plainSearch = (database: Database, query: string) =>
  database.query<{ id: string }>(
    `select id, record from (
       select number, ts_rank(words, websearch_to_tsquery('english', $1)) as rank from plain_index
       where words @@ websearch_to_tsquery('english', $1) order by rank desc limit 20) as best
     join artworks using (number) order by rank desc`,
    [query],
  );

/** Titles and makers that have the query as it is written. */
export const ilikeSearch = (database: Database, query: string) =>
  database.query(
    `select record from artworks where (record->>'title' ilike $1 or record->>'artists' ilike $1) and removed_in = 2147483647
     order by number limit 20`,
    [`%${query}%`],
  );
