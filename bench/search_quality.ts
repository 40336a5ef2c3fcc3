import { appendFileSync } from 'node:fs';
import type { ArtworkRecord } from '../src/features/artworks/records/record.ts';
import { readEdition } from '../src/features/artworks/releases/edition_store.ts';
import { search } from '../src/features/artworks/search/search.ts';
import { type Folded, foldWork, graderOf } from './museum_search/judge.ts';
import { RELEVANT } from './museum_search/measure.ts';
import { wholeMuseums } from './support/artworks.ts';
import { makePlainIndex, plainSearch } from './support/plain_index.ts';
import { HELD_BACK } from './support/search_quality/held_back.ts';
import { type Judged, KINDS } from './support/search_quality/judged.ts';
import { numbersOf } from './support/search_quality/numbers.ts';
import { SENTENCES } from './support/search_quality/sentences.ts';
import { TUNED } from './support/search_quality/tuned.ts';

const TOP = 10;

interface Score {
  readonly kind: string;
  readonly ndcg: number;
  readonly reciprocal: number;
}

type Find = (query: string) => Promise<readonly string[]>;

/**
 * `npm run bench search_quality`: nDCG@10 and mean reciprocal rank by kind of query over every record beside
 * the project, for the tuning queries and the held-back ones, and how often a museum's own number finds its
 * work. SEARCH_HALF=tuned runs the tuning queries only, SEARCH_MISSES=<file> writes their failures to a file.
 */
export async function run(): Promise<string> {
  const database = await wholeMuseums();
  const edition = (await readEdition(database))!;
  const records = (
    await database.query<{ record: ArtworkRecord }>(
      'select record from artworks where added_in <= $1 and removed_in > $1',
      [edition.number],
    )
  ).map(({ record }) => record);
  const works = records.map(foldWork);
  await makePlainIndex(database);
  const ours: Find = async (query) =>
    (await search(database, edition.number, { query, limit: TOP })).hits.map(({ record }) => record.id);
  const plain: Find = async (query) => (await plainSearch(database, query)).map(({ id }) => id).slice(0, TOP);
  const open = [
    { name: 'tuning', judged: TUNED },
    { name: 'sentences', judged: SENTENCES },
  ];
  const halves =
    process.env.SEARCH_HALF === 'tuned' ? open : [...open, { name: 'held back', judged: HELD_BACK }];
  const rows: string[] = [];
  for (const { name, judged } of halves) {
    const own = await scoresOf(ours, judged, works, judged !== HELD_BACK);
    const peer = await scoresOf(plain, judged, works, false);
    const kinds = [...KINDS, 'all'].filter((kind) => kind === 'all' || own.some((one) => one.kind === kind));
    for (const kind of kinds)
      rows.push(
        `| ${name} | ${kind} | ${own.filter((one) => kind === 'all' || one.kind === kind).length} | ${figures(own, kind)} | ${figures(peer, kind)} |`,
      );
  }
  const numbers = process.env.SEARCH_HALF ? [] : await numbersFound(ours, records);
  await database.close();
  return [
    '## Search by kind of query',
    '',
    `${records.length.toLocaleString('en')} records. Relevance is judged from the museums' own texts, never from search results. Binary gains, first ten`,
    'places; reciprocal rank of the first relevant result. Plain is `websearch_to_tsquery` with `ts_rank`. The held-back half was written before anything was',
    'tuned, by the same author.',
    '',
    '| half | kind | queries | nDCG@10 | MRR | plain nDCG@10 | plain MRR |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    'Numbers alone, a sample of each museum: how often the work comes first.',
    '',
    '| museum | accession number | `credit_id` | number of the object |',
    '|---|---|---|---|',
    ...numbers,
  ].join('\n');
}

async function scoresOf(
  find: Find,
  judged: readonly Judged[],
  works: readonly Folded[],
  noted: boolean,
): Promise<Score[]> {
  const scores: Score[] = [];
  const notes: string[] = [];
  for (const { kind, query, wanted } of judged) {
    const grade = graderOf(wanted);
    const pleasing = new Set(works.filter((work) => grade(work) >= RELEVANT).map(({ id }) => id));
    // A query without relevant records is an error of the benchmark.
    if (pleasing.size === 0) continue;
    const hits = await find(query);
    const gains = hits.map((id) => (pleasing.has(id) ? 1 : 0));
    const first = gains.indexOf(1);
    const score = {
      kind,
      ndcg: discounted(gains) / discounted(Array(Math.min(TOP, pleasing.size)).fill(1)),
      reciprocal: first < 0 ? 0 : 1 / (first + 1),
    };
    scores.push(score);
    notes.push(
      `${score.ndcg.toFixed(2)} ${score.reciprocal.toFixed(2)} of ${pleasing.size}: ${query} → ${hits.join(' ')}`,
    );
  }
  if (noted && process.env.SEARCH_MISSES) appendFileSync(process.env.SEARCH_MISSES, `${notes.join('\n')}\n`);
  return scores;
}

/** Discounted cumulative gain (Järvelin and Kekäläinen 2002). */
const discounted = (gains: readonly number[]): number =>
  gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);

function figures(scores: readonly Score[], kind: string): string {
  const some = scores.filter((one) => kind === 'all' || one.kind === kind);
  const mean = (of: (score: Score) => number) => some.reduce((sum, one) => sum + of(one), 0) / some.length;
  return `${mean(({ ndcg }) => ndcg).toFixed(2)} | ${mean(({ reciprocal }) => reciprocal).toFixed(2)}`;
}

async function numbersFound(find: Find, records: readonly ArtworkRecord[]): Promise<string[]> {
  const rows: string[] = [];
  for (const [museum, samples] of numbersOf(records)) {
    const shares: string[] = [];
    for (const sample of samples) {
      let first = 0;
      for (const { query, ids } of sample) first += ids.has((await find(query))[0] ?? '') ? 1 : 0;
      shares.push(sample.length === 0 ? '' : `${first} of ${sample.length}`);
    }
    rows.push(`| ${museum} | ${shares.join(' | ')} |`);
  }
  return rows;
}
