import type { Database } from '../src/database/index.ts';
import { readEdition } from '../src/services/artworks/edition_store.ts';
import { search } from '../src/services/artworks/search/search.ts';
import { artworkDatabases } from './support/artworks.ts';
import { median } from './support/load.ts';

/** Slow ways are asked less often. */
const ROUNDS = { search_artworks: 4, 'plain full-text search': 1, ILIKE: 1 };

/** What people ask for: names, subjects, media, dates, rare and very common words, errors, and nothing at all. */
const QUERIES = [
  'rembrandt',
  'vermeer',
  'van gogh',
  'hokusai wave',
  'portrait of a woman',
  'landscape',
  'portret',
  'stilleven',
  'still life with flowers',
  'etching rembrandt',
  'etching 1640s',
  'seascape',
  'ships in a storm',
  'winter landscape',
  'oil on canvas',
  'woodcut',
  'japanese woodblock',
  'cats',
  'dog and child',
  'horse',
  'amsterdam 17th century',
  'before 1500',
  'photograph 1880s',
  '"adoration of the magi"',
  'madonna and child',
  'crucifixion engraving',
  'map of the world',
  'silver bowl',
  'sword',
  'porcelain vase',
  'breitner amsterdam street',
  'jan steen',
  'frans hals',
  'avercamp ice',
  'ruisdael mill',
  'durer melencolia',
  'goltzius -portrait',
  'rembrant',
  'vermere milkmaid',
  'bruegel landscape 1500s',
  'night watch',
  'submarine',
] as const;

/** `npm run bench search`: 42 queries through our search, and the two things one would write without it. */
export async function run(): Promise<string> {
  const rows: string[] = [];
  for (const { name, database } of await artworkDatabases(53_000)) {
    const edition = (await readEdition(database))!;
    const ask = {
      search_artworks: (query: string) => search(database, edition.number, { query, limit: 20 }),
      'plain full-text search': (query: string) => plain(database, query),
      ILIKE: (query: string) => ilike(database, query),
    };
    for (const [what, work] of Object.entries(ask)) {
      const times = await timed(
        work,
        ROUNDS[what as keyof typeof ask],
        what === 'ILIKE' ? QUERIES.slice(0, 6) : QUERIES,
      );
      rows.push(
        `| ${name}, ${edition.works.toLocaleString('en')} works | ${what} | ${median(times).toFixed(1)} | ${percentile95(times).toFixed(1)} | ${Math.max(...times).toFixed(0)} |`,
      );
    }
    await database.close();
  }
  return [
    '## Searching the dataset',
    '',
    `${QUERIES.length} queries one after the other, twenty results each, warm. Ours repairs errors, counts, has facets and reasons; plain full-text search`,
    'is `websearch_to_tsquery` on the same index, all matches ranked by `ts_rank`; `ILIKE` looks at titles and makers (six of the queries).',
    '',
    '| database | | p50 ms | p95 ms | slowest ms |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

const plain = (database: Database, query: string) =>
  database.query(
    `select record from artworks where words @@ websearch_to_tsquery('english', $1) and removed_in = 2147483647
     order by ts_rank(words, websearch_to_tsquery('english', $1)) desc limit 20`,
    [query],
  );

const ilike = (database: Database, query: string) =>
  database.query(
    `select record from artworks where (record->>'title' ilike $1 or record->>'artists' ilike $1) and removed_in = 2147483647
     order by id limit 20`,
    [`%${query}%`],
  );

async function timed(
  work: (query: string) => Promise<unknown>,
  rounds: number,
  queries: readonly string[],
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const query of queries) {
      const started = performance.now();
      await work(query);
      // The first round warms up, where there are several.
      if (round > 0 || rounds === 1) times.push(performance.now() - started);
    }
    if (rounds === 1) break;
  }
  return times;
}

const percentile95 = (times: number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.95)]!;
