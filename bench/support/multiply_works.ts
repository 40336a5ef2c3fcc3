import type { Database } from '../../src/core/database/types.ts';
import { readEdition } from '../../src/features/artworks/releases/edition_store.ts';
import { deleteOldIndexes } from '../../src/features/artworks/search/index_store.ts';
import { indexMuseum } from '../../src/features/artworks/search/open_index.ts';

/** Long statements are cancelled. */
const WORKS_A_STATEMENT = 20_000;

/**
 * Creates many works from real ones, each combining the title, makers and subjects of several works of its
 * museum, and builds their index. Existing works are kept, so that a database can be reused.
 */
export async function multiplyWorks(database: Database, works: number): Promise<void> {
  const edition = (await readEdition(database))!;
  const [have] = await database.query<{ all: number; real: number }>(
    `select count(*) as all, count(*) filter (where id !~ 'x[0-9]+$') as real from artworks`,
  );
  const { all, real } = have!;
  if (all >= works) return;
  await database.query('drop table if exists real_works');
  await database.query(
    `create table real_works as select id, museum, seen_on, record, year_from, year_to, has_image,
       row_number() over (order by number) - 1 as nth, row_number() over (partition by museum order by number) - 1 as at,
       count(*) over (partition by museum) as works
     from artworks where id !~ 'x[0-9]+$'`,
  );
  await database.query('create unique index on real_works (nth)');
  await database.query('create unique index on real_works (museum, at)');
  await database.query('analyze real_works');
  for (let from = all; from < works; from += WORKS_A_STATEMENT) {
    await database.query(
      `insert into artworks (id, museum, added_in, sha256, seen_on, record, year_from, year_to, has_image)
       select concat(real.id, 'x', round), real.museum, $1, md5(concat(real.id, round)), real.seen_on,
         real.record || jsonb_build_object('id', concat(real.id, 'x', round), 'highlight', false,
           'title', titled.record->'title', 'artists', made.record->'artists', 'tags', about.record->'tags',
           'description', about.record->'description'),
         real.year_from, real.year_to, real.has_image
       from (select made % $4 as nth, made / $4 as round from generate_series($2::bigint, $3::bigint - 1) as made) as numbers
       join real_works as real using (nth)
       join real_works as titled on titled.museum = real.museum and titled.at = (real.at + round * 7919) % real.works
       join real_works as made on made.museum = real.museum and made.at = (real.at + round * 3571) % real.works
       join real_works as about on about.museum = real.museum
         and about.at = (real.at * 31 + round * 104729) % real.works`,
      [edition.number, from, Math.min(works, from + WORKS_A_STATEMENT), real],
    );
  }
  await database.query('drop table real_works');
  await database.query('update artwork_editions set works = $2 where number = $1', [edition.number, works]);
  await database.query('analyze artworks');
  const museums = await database.query<{ museum: string }>('delete from artwork_indexes returning museum');
  for (const { museum } of museums) {
    await indexMuseum(database, museum, edition.number);
    await deleteOldIndexes(database, museum, edition.number);
  }
}
