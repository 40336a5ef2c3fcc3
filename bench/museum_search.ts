import type { ArtworkRecord } from '../src/features/artworks/records/record.ts';
import { readEdition } from '../src/features/artworks/releases/edition_store.ts';
import { search } from '../src/features/artworks/search/search.ts';
import { foldWork, type Grade, graderOf, readQueries } from './museum_search/judge.ts';
import { scoreOf, scoreTable } from './museum_search/measure.ts';
import { wholeMuseums } from './support/artworks.ts';
import { makePlainIndex, plainSearch } from './support/plain_index.ts';

/**
 * `npm run bench museum_search`: the public benchmark on every record beside the project, without the limits
 * of a server: search, compared with plain full text search.
 */
export async function run(): Promise<string> {
  const database = await wholeMuseums();
  const edition = (await readEdition(database))!;
  const rows = await database.query<{ record: ArtworkRecord }>(
    'select record from artworks where added_in <= $1 and removed_in > $1',
    [edition.number],
  );
  const works = rows.map(({ record }) => foldWork(record));
  await makePlainIndex(database);
  const judged = readQueries().map((query) => {
    const grade = graderOf(query.relevant);
    return { query, grades: new Map<string, Grade>(works.map((work) => [work.id, grade(work)])) };
  });
  const asked = judged.filter(({ grades }) => [...grades.values()].some((grade) => grade > 0));
  const tableOf = async (find: (words: string) => Promise<readonly string[]>) => {
    const scores = new Map<string, ReturnType<typeof scoreOf>>();
    for (const { query, grades } of asked) scores.set(query.id, scoreOf(grades, await find(query.query)));
    return scoreTable(
      asked.map(({ query }) => query),
      scores,
    );
  };
  const own = await tableOf(async (query) =>
    (await search(database, edition.number, { query, limit: 10 })).hits.map(({ record }) => record.id),
  );
  const plain = await tableOf(async (query) => (await plainSearch(database, query)).map(({ id }) => id));
  await database.close();
  return [
    '## Public benchmark of museum search',
    '',
    `${works.length.toLocaleString('en')} records, grades 0 to 3 by the rules of bench/museum_search.`,
    '',
    own,
    '',
    'Plain full text (`websearch_to_tsquery` with `ts_rank`):',
    '',
    plain,
  ].join('\n');
}
