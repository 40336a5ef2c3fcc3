import type { Queryable } from '../../../database/contract.ts';
import { MUSEUM_NAMES, type MuseumName } from '../../museums/museums.ts';
import type { ArtworkRecord } from '../../records/record.ts';
import type { Language } from '../fields.ts';
import { PARTS, partOf } from './parts.ts';
import type { TextRow } from './text_rows.ts';

/** Changes whenever the same works would give other rows. */
export const TEXT_VERSION = 1;

/**
 * Writes works into their parts; those that are there already, of this version, are left. The rows of the works are held meanwhile, so that
 * none leaves its edition in between unseen.
 * @returns the numbers of those that were written
 */
export async function writeTexts(tx: Queryable, rows: readonly TextRow[]): Promise<Set<number>> {
  const written = new Set<number>();
  for (const [part, some] of Map.groupBy(rows, ({ number }) => partOf(number))) {
    const table = `artwork_texts_${part}`;
    const done = await tx.query<{ number: number }>(
      `insert into ${table} (number, added_in, removed_in, museum, version, year_from, year_to, standing, traits, long_side, words, places)
       select row.number, works.added_in, works.removed_in, row.museum, $2, row.year_from, row.year_to, standing, traits, long_side,
         words::tsvector, places::tsvector
       from jsonb_to_recordset($1::jsonb) as row (number bigint, museum text, year_from smallint, year_to smallint,
         standing smallint, traits integer, long_side integer, words text, places text)
       join artworks as works on works.number = row.number for share of works
       on conflict (number) do update set version = excluded.version, removed_in = excluded.removed_in, standing = excluded.standing,
         traits = excluded.traits, long_side = excluded.long_side, year_from = excluded.year_from, year_to = excluded.year_to,
         words = excluded.words, places = excluded.places
       where ${table}.version <> excluded.version
       returning number`,
      [JSON.stringify(some), TEXT_VERSION],
    );
    for (const { number } of done) written.add(number);
  }
  return written;
}

/** Counts more works to words. In their order: whoever else counts waits instead of both waiting for each other. */
export async function countWords(
  tx: Queryable,
  language: Language,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  const words = [...counts.keys()].sort();
  await tx.query(
    `insert into artwork_text_words as known (version, language, word, works)
     select $1, $2, word, works from unnest($3::text[], $4::integer[]) as row (word, works)
     on conflict (version, language, word) do update set works = known.works + excluded.works`,
    [TEXT_VERSION, language, words, words.map((word) => counts.get(word)!)],
  );
}

/** How many works have each of the words, by language. */
export function readCounts(
  database: Queryable,
  languages: readonly Language[],
  words: readonly string[],
): Promise<{ language: Language; word: string; works: number }[]> {
  return database.query(
    `select language, word, works from artwork_text_words
     where version = $1 and language = any($2::text[]) and word = any($3::text[])`,
    [TEXT_VERSION, languages, words],
  );
}

/** Works of a museum in an edition, added after another one, that no part has, with numbers after one and up to another. */
export function readMissing(
  database: Queryable,
  asked: Record<'edition' | 'since' | 'after' | 'upTo', number> & { museum: string },
): Promise<{ number: number; record: ArtworkRecord }[]> {
  const has = Array.from(
    { length: PARTS },
    (_, part) =>
      `when ${part} then exists (select from artwork_texts_${part} as had where had.number = works.number and had.version = $6)`,
  );
  return database.query(
    `select number, record from artworks as works
     where added_in <= $1 and removed_in > $1 and added_in > $2 and museum = $3 and number > $4 and number <= $5
       and not (case number % ${PARTS} ${has.join(' ')} end)
     order by number`,
    [asked.edition, asked.since, asked.museum, asked.after, asked.upTo, TEXT_VERSION],
  );
}

/** The lowest and highest number of the works added after one edition and up to another; zeros where there are none. */
export async function readNumbers(
  database: Queryable,
  { since, edition }: { since: number; edition: number },
): Promise<{ first: number; last: number }> {
  const [row] = await database.query<{ first: number; last: number }>(
    'select coalesce(min(number), 0) as first, coalesce(max(number), 0) as last from artworks where added_in > $1 and added_in <= $2',
    [since, edition],
  );
  return row!;
}

/** Museums of whom an edition has works that nobody has seen to be in their parts: those added after `since`. */
export function readIncomplete(
  database: Queryable,
  edition: number,
): Promise<{ museum: MuseumName; since: number }[]> {
  return database.query(
    `select museum, case when done.version = $3 then done.edition else 0 end as since from unnest($2::text[]) as museum
     left join artwork_text_editions as done using (museum)
     where exists (select from artworks where artworks.museum = museum.museum and added_in <= $1
       and added_in > case when done.version = $3 then done.edition else 0 end)`,
    [edition, MUSEUM_NAMES, TEXT_VERSION],
  );
}

/** All works of a museum up to this edition are in their parts. */
export async function markComplete(database: Queryable, museum: string, edition: number): Promise<void> {
  await database.query(
    `insert into artwork_text_editions as done (museum, version, edition) values ($1, $2, $3)
     on conflict (museum) do update set version = excluded.version, edition = excluded.edition
       where done.version <> excluded.version or done.edition < excluded.edition`,
    [museum, TEXT_VERSION, edition],
  );
}

/** Works an edition adds with lower numbers than this: they were written by an import that was cut short. */
export function readEarlier(
  database: Queryable,
  {
    edition,
    museum,
    before,
    after,
    limit,
  }: Record<'edition' | 'before' | 'after' | 'limit', number> & {
    museum: string;
  },
): Promise<{ number: number; record: ArtworkRecord }[]> {
  return database.query(
    `select number, record from artworks where added_in = $1 and museum = $2 and number > $3 and number < $4
     order by number limit $5`,
    [edition, museum, after, before, limit],
  );
}

type Answered = Pick<TextRow, 'number' | 'traits' | 'long_side' | 'year_from' | 'year_to'>;

/** What a museum has answered about a work since, in place of what the edition has. */
export async function updateAnswered(database: Queryable, rows: readonly Answered[]): Promise<void> {
  for (const [part, some] of Map.groupBy(rows, ({ number }) => partOf(number))) {
    await database.query(
      `update artwork_texts_${part} as known set traits = row.traits, long_side = row.long_side, year_from = row.year_from, year_to = row.year_to
       from jsonb_to_recordset($1::jsonb) as row (number bigint, traits integer, long_side integer, year_from smallint, year_to smallint)
       where known.number = row.number and (known.traits, known.long_side, known.year_from, known.year_to)
         is distinct from (row.traits, row.long_side, row.year_from, row.year_to)`,
      [JSON.stringify(some)],
    );
  }
}
