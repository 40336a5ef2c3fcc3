import type { Database, Queryable } from '../../../database/index.ts';
import type { ArtworkRecord } from '../record.ts';
import { tsquerySql } from './query_sql.ts';
import { TOP } from './searchable.ts';

/** What one search asks of the index. */
export interface Match {
  readonly edition: number;
  /** A tsquery as text; empty: everything. */
  readonly query: string;
  /** Its words alone, without marks: what is ranked by. */
  readonly words: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface Hit {
  readonly record: ArtworkRecord;
  /** Weight classes in which something was found: A title, B makers, C medium and subjects, D the rest. */
  readonly classes: string;
}

/** Wordings as a tsquery in PostgreSQL's own writing; empty where nothing is left to look for. */
export async function readQuery(
  database: Queryable,
  groups: readonly (readonly string[])[],
  excluded: readonly string[],
): Promise<string> {
  if (groups.length === 0) return '';
  const { text, values } = tsquerySql([...groups, ...excluded.map((wording) => [wording])]);
  const [row] = await database.query<{ queries: (string | null)[] }>(text, values);
  const parts = row!.queries.map((query, at) => query && `${at < groups.length ? '' : '!'}(${query})`);
  return parts.slice(0, groups.length).some(Boolean) ? parts.filter(Boolean).join(' & ') : '';
}

/**
 * Searches in a transaction in which the index is used. PostgreSQL would read the whole table for a common word: it thinks
 * that looking into a work costs little, and that it may stop early.
 */
export const searching = <T>(database: Database, work: (tx: Queryable) => Promise<T>): Promise<T> =>
  database.transaction(async (tx) => {
    await tx.query('set local enable_seqscan = off');
    return work(tx);
  });

/** Both conditions, as a tsquery: the query and any of the marks. A mark is never typed by anybody: it is a name of ours. */
export function withMark(query: string, ...marks: readonly string[]): string {
  const any = marks.map((mark) => `'${mark}'`).join(' | ');
  return query ? `(${query}) & (${any})` : any;
}

const MATCHES = `added_in <= $1 and removed_in > $1 and ($2 = '' or words @@ $2::tsquery)
  and ($3::integer is null or year_to >= $3) and ($4::integer is null or year_from <= $4)`;

const valuesOf = ({ edition, query, from, to }: Match) => [edition, query, from ?? null, to ?? null];

/**
 * The best works, out of no more than `candidates`. Works at the top are ranked first, so a word found in every second
 * record costs no more than a rare one.
 */
export function readHits(
  database: Queryable,
  match: Match,
  { limit, candidates }: { limit: number; candidates: number },
): Promise<Hit[]> {
  return database.query<Hit>(
    `with found as materialized (
       select number, words from artworks where ${MATCHES} limit $5
     ), best as (
       select number, words,
         ts_rank('{0.05, 0.3, 1.0, 0.8}', words, $7::tsquery, 1) * case when words @@ '''${TOP}''' then 1.5 else 1 end as score
       from found order by score desc, number limit $6
     )
     select record, concat(
         case when ts_filter(best.words, '{a}') @@ $7::tsquery then 'A' end,
         case when ts_filter(best.words, '{b}') @@ $7::tsquery then 'B' end,
         case when ts_filter(best.words, '{c}') @@ $7::tsquery then 'C' end) as classes
     from best join artworks using (number) order by score desc, number`,
    [...valuesOf(match), candidates, limit, match.words],
  );
}

export interface Counted {
  readonly museum: string;
  readonly century: number | null;
  readonly works: number;
}

/** Works by museum and century, of no more than `max`. */
export function countMatches(database: Queryable, match: Match, max: number): Promise<Counted[]> {
  return database.query<Counted>(
    `select museum, (year_from + year_to + 198) / 200 as century, count(*) as works
     from (select museum, year_from, year_to from artworks where ${MATCHES} limit $5) as found
     group by 1, 2`,
    [...valuesOf(match), max],
  );
}

/** Words of the catalogue that are at most two errors from this one. */
export function nearWords(
  database: Queryable,
  shortened: readonly string[],
): Promise<{ word: string; works: number }[]> {
  return database.query(
    `select word, works from artwork_words where shortened && $1::text[] order by works desc limit 200`,
    [shortened],
  );
}

/** Those of the words that the catalogue has. */
export async function knownWords(database: Queryable, words: readonly string[]): Promise<Set<string>> {
  const rows = await database.query<{ word: string }>(
    'select word from artwork_words where word = any($1::text[])',
    [words],
  );
  return new Set(rows.map(({ word }) => word));
}
