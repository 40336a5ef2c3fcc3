import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readEdition } from '../src/dataset/editions/edition_store.ts';
import { QUERIES } from './search.ts';
import { artworkDatabases } from './support/artworks.ts';
import type { Asked, Told } from './support/ask_index.ts';

const ROUNDS = 2;
const CHILD = join(import.meta.dirname, 'support/ask_index.ts');

/**
 * `npm run bench indexes`: the index of words in the process and in the database. ARTWORKS_WORKS says how many works, ARTWORKS_DATABASES the
 * addresses of PostgreSQL servers where they are made and kept.
 */
export async function run(): Promise<string> {
  const rows: string[] = [];
  const places = process.env.ARTWORKS_DATABASES?.split(',').filter((url) => url.startsWith('postgres'));
  if (!places?.length) throw new Error('ARTWORKS_DATABASES has to name a PostgreSQL server.');
  const databases = await artworkDatabases(Number(process.env.ARTWORKS_WORKS ?? 53_000));
  for (const [at, { database }] of databases.entries()) {
    const { works } = (await readEdition(database))!;
    const asked = { url: places[at]!, rounds: ROUNDS, questions: QUERIES.map((query) => ({ query })) };
    const truth = await askIn({ ...asked, place: 'process' });
    const other = await askIn({ ...asked, place: 'database' });
    const [{ inProcess, inDatabase } = { inProcess: 0, inDatabase: 0 }] = await database.query<{
      inProcess: number;
      inDatabase: number;
    }>(
      `select sum(pg_total_relation_size(oid)) filter (where relname in ('artwork_postings', 'artwork_segments')) as "inProcess",
         sum(pg_total_relation_size(oid)) filter (where relname like 'artwork_text%') as "inDatabase"
       from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
    );
    const agreement = `${share(recall(truth, other))} / ${share(gain(truth, other))} / ${share(sameTotals(truth, other))}`;
    rows.push(rowOf(works, 'process', truth, { agreement: '', bytes: inProcess }));
    rows.push(rowOf(works, 'database', other, { agreement, bytes: inDatabase }));
    await database.close();
  }
  return [
    '## Where the index of words is',
    '',
    `${QUERIES.length} queries one after the other, ten results each, ${ROUNDS} rounds after one that is not counted, each place in a process of its own. Agreement with the`,
    'process: of its ten works how many are among the ten; NDCG@10, where its first work counts ten and its last one; and how many totals are the same.',
    '',
    '| works | index in | p50 ms | p95 ms | p99 ms | recall@10 / NDCG@10 / same totals | memory it takes | bytes in the database a work |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

async function askIn(asked: Asked): Promise<Told> {
  const child = fork(CHILD, { execArgv: ['--expose-gc'] });
  child.send(asked);
  const exit = once(child, 'exit');
  const [told] = (await Promise.race([once(child, 'message'), exit])) as [Told | number];
  if (typeof told !== 'object') throw new Error(`The process that searches has ended with ${told}.`);
  await exit;
  console.error(`${asked.place}: the first answer came after ${told.seconds.toFixed(1)} s`);
  return told;
}

function rowOf(
  works: number,
  place: string,
  { times, bytes }: Told,
  kept: { agreement: string; bytes: number },
): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!.toFixed(1);
  return `| ${works.toLocaleString('en')} | ${place} | ${at(0.5)} | ${at(0.95)} | ${at(0.99)} | ${kept.agreement} | ${(bytes / 2 ** 20).toFixed(0)} MiB | ${Math.round(kept.bytes / works)} |`;
}

/** Of each query, over all that find anything. */
const mean = (truth: Told, other: Told, of: (at: number) => number): number => {
  const some = truth.found.flatMap(({ ids }, at) => (ids.length > 0 && other.found[at] ? [of(at)] : []));
  return some.reduce((sum, one) => sum + one, 0) / some.length;
};

const recall = (truth: Told, other: Told) =>
  mean(truth, other, (at) => {
    const { ids } = truth.found[at]!;
    return ids.filter((id) => other.found[at]!.ids.includes(id)).length / ids.length;
  });

const gain = (truth: Told, other: Told) =>
  mean(truth, other, (at) => {
    const { ids } = truth.found[at]!;
    const worth = (id: string) => (ids.includes(id) ? ids.length - ids.indexOf(id) : 0);
    const sum = (list: readonly string[]) =>
      list.reduce((all, id, place) => all + worth(id) / Math.log2(place + 2), 0);
    return sum(other.found[at]!.ids) / sum(ids);
  });

const sameTotals = (truth: Told, other: Told) =>
  mean(truth, other, (at) => Number(truth.found[at]!.total === other.found[at]!.total));

const share = (part: number): string => part.toFixed(2);
