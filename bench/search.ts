import { readEdition } from '../src/features/artworks/releases/edition_store.ts';
import { type FilterRequest, readFilters } from '../src/features/artworks/search/read_filters.ts';
import { search } from '../src/features/artworks/search/search.ts';
import { artworkDatabases } from './support/artworks.ts';
import { median } from './support/load.ts';
import { ilikeSearch, makePlainIndex, plainSearch } from './support/plain_index.ts';

/** Above this many works the slow methods get fewer queries. */
const MANY_WORKS = 500_000;

/** Typical queries: names, subjects, media, dates, rare and very common words, typos, and an empty query. */
export const QUERIES = [
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

/** Filters of clients, used in turn. */
const FILTERS: readonly FilterRequest[] = [
  { medium: 'painting' },
  { century: 17 },
  { hasImage: true, medium: 'print' },
  { medium: 'oil on canvas' },
  { licence: 'cc0', longSideMin: 1000 },
  { yearFrom: 1600, yearTo: 1850, medium: 'drawing' },
];

/** Queries that are expensive on purpose. */
const HOSTILE: readonly string[] = [
  'the of and a',
  '%_%',
  '*',
  'e',
  '👩‍🎨🖼️ портрет 自画像 صورة',
  'a b c d e f g h i j k l m n o p',
  '"the the the the the the the the"',
  '-portrait -landscape -print',
  'landscape portrait print drawing painting woman man paper van de -oil',
  'xqzzt vwkkj qqpwd landscape',
];

/**
 * `npm run bench search`: 42 queries with the service's search and two simple alternatives. ARTWORKS_WORKS
 * (53,000) sets the number of works; ARTWORKS_DATABASES (URLs or data folders, separated by commas) where
 * they are created and stored.
 */
export async function run(): Promise<string> {
  const rows: string[] = [];
  for (const { name, database } of await artworkDatabases(Number(process.env.ARTWORKS_WORKS ?? 53_000))) {
    const { number, works } = (await readEdition(database))!;
    await makePlainIndex(database);
    const ours = (query: string) => search(database, number, { query, limit: 20 });
    let turn = 0;
    const filtered = (query: string) =>
      search(database, number, { query, limit: 20, filters: readFilters(FILTERS[turn++ % FILTERS.length]!) });
    const few = works >= MANY_WORKS ? 3 : 6;
    const first = await timed(ours, 1, QUERIES);
    const what: [string, number[]][] = [
      ['search_artworks, first time', first],
      ['search_artworks', await timed(ours, 5, QUERIES)],
      ['search_artworks, with filters', await timed(filtered, 5, QUERIES)],
      ['search_artworks, filters alone', await timed(() => filtered(''), 1, QUERIES)],
      ['search_artworks, hostile queries', await timed(ours, 2, HOSTILE)],
      ['plain full-text search', await timed((query) => plainSearch(database, query), 1, QUERIES)],
      ['ILIKE', await timed((query) => ilikeSearch(database, query), 1, QUERIES.slice(0, few))],
    ];
    for (const [way, times] of what) {
      rows.push(
        `| ${name}, ${works.toLocaleString('en')} works | ${way} | ${median(times).toFixed(1)} | ${percentile95(times).toFixed(1)} | ${Math.max(...times).toFixed(0)} |`,
      );
    }
    await database.close();
  }
  return [
    '## Searching the dataset',
    '',
    `${QUERIES.length} queries one after the other, twenty results each. Ours repairs errors, counts all, has facets and reasons; "first time" reads every`,
    `list from the database, later they are kept; "with filters" has one of ${FILTERS.length} sets of filters beside each query. ${HOSTILE.length} hostile queries are stop words, wildcards, emoji, sixteen letters, nothing but exclusions. Plain`,
    'full-text search is `websearch_to_tsquery` on one `tsvector` with a GIN index, all matches ranked by `ts_rank`; `ILIKE` looks at titles and',
    'makers (the first few of the queries).',
    '',
    '| database | | p50 ms | p95 ms | slowest ms |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

async function timed(
  work: (query: string) => Promise<unknown>,
  rounds: number,
  queries: readonly string[],
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const query of queries) {
      const started = performance.now();
      await work(query);
      times.push(performance.now() - started);
    }
  }
  return times;
}

const percentile95 = (times: number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.95)]!;
