import { createReadStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Endpoint, search } from './endpoint.ts';
import { foldWork, type Grade, graderOf, type Query, readQueries, type Work } from './judge.ts';
import { type Score, scoreOf, scoreTable } from './measure.ts';

const HELP = `Measures a search of museum works. Needs Node 22.18 or later and nothing else.

  node run.ts --atelier http://127.0.0.1:8080
  node run.ts --corpus artworks.jsonl --url 'https://museum.example/search?q={query}' --ids 'data[].id' --id 'chicago_{id}'

  --atelier URL   an Atelier server: its newest records, its search
  --corpus FILE   the records that are searched, one JSON object a line: file or address
  --url URL       the search; {query} stands for the words
  --body JSON     sent by POST; {query} stands for the words
  --header TEXT   "Name: value", as often as needed
  --ids PATH      where the ids are in the answer: results[].credit_id
  --id FORM       how an id is written in the corpus: chicago_{id} (default {id})
  --museum NAME   judge only records whose id begins with NAME_
  --pause MS      between two requests (default 0)
  --out FOLDER    writes qrels.txt and run.txt (TREC) and scores.json`;

type Judged = ReadonlyMap<string, Grade>;

const { values: options } = parseArgs({
  options: {
    atelier: { type: 'string' },
    corpus: { type: 'string' },
    url: { type: 'string' },
    body: { type: 'string' },
    header: { type: 'string', multiple: true, default: [] },
    ids: { type: 'string' },
    id: { type: 'string', default: '{id}' },
    museum: { type: 'string' },
    pause: { type: 'string', default: '0' },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help || !(options.atelier || (options.corpus && options.url && options.ids))) {
  console.log(HELP);
  process.exit(options.help ? 0 : 2);
}
await measure();

async function measure(): Promise<void> {
  const queries = readQueries();
  const { corpus, endpoint } = await setUp();
  const { judged, works } = await judge(queries, corpus);
  const asked = queries.filter(({ id }) => judged.get(id)!.size > 0);
  const runs = new Map<string, string[]>();
  for (const { id, query } of asked) {
    runs.set(id, await search(endpoint, query));
    await wait(Number(options.pause));
  }
  const scores = new Map(asked.map(({ id }) => [id, scoreOf(judged.get(id)!, runs.get(id)!)]));
  console.log(
    `${works.toLocaleString('en')} records, ${asked.length} queries\n\n${scoreTable(asked, scores)}`,
  );
  const skipped = queries.length - asked.length;
  if (skipped > 0) console.log(`\n${skipped} queries have no relevant work in this corpus and were skipped.`);
  if (options.out) writeFiles(options.out, { judged, runs, scores });
}

/** Location of the records, and the endpoint of the search. */
async function setUp(): Promise<{ corpus: string; endpoint: Endpoint }> {
  const headers = Object.fromEntries(
    options.header.map((line) => [line.split(':')[0]!.trim(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  if (!options.atelier) {
    const { corpus, url, body, ids, id: form } = options;
    return { corpus: corpus!, endpoint: { url: url!, body, headers, ids: ids!, form } };
  }
  const base = options.atelier.replace(/\/$/, '');
  const card = await fetch(`${base}/api/compliance/open-museums/croissant.json`);
  const { distribution } = (await card.json()) as { distribution: { contentUrl: string }[] };
  return {
    corpus: options.corpus ?? base + new URL(distribution[0]!.contentUrl).pathname,
    endpoint: {
      url: `${base}/api/tools/search_artworks`,
      body: `{"query": "{query}", "museum": "${options.museum ?? ''}", "limit": 10}`,
      headers,
      ids: 'results[].credit_id',
      form: '{id}',
    },
  };
}

/** Grades above 0 of every record for every query, in one pass. */
async function judge(queries: readonly Query[], corpus: string) {
  const graders = queries.map(({ id, relevant }) => ({ id, grade: graderOf(relevant) }));
  const judged = new Map(queries.map(({ id }) => [id, new Map<string, Grade>()]));
  let works = 0;
  for await (const line of createInterface({ input: await openCorpus(corpus) })) {
    if (line.trim() === '') continue;
    const sent = JSON.parse(line) as Work & { record?: Work };
    const work = foldWork(sent.record ?? sent);
    if (options.museum && !work.id.startsWith(`${options.museum}_`)) continue;
    works += 1;
    for (const { id, grade } of graders) {
      const found = grade(work);
      if (found > 0) judged.get(id)!.set(work.id, found);
    }
  }
  return { judged, works };
}

async function openCorpus(place: string): Promise<NodeJS.ReadableStream> {
  if (!/^https?:/.test(place)) return createReadStream(place);
  const response = await fetch(place);
  if (!response.ok || !response.body) throw new Error(`${place} was answered with ${response.status}.`);
  return Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
}

/** Writes the formats of trec_eval and ir_measures, and the scores of each query. */
function writeFiles(
  folder: string,
  {
    judged,
    runs,
    scores,
  }: {
    judged: ReadonlyMap<string, Judged>;
    runs: ReadonlyMap<string, readonly string[]>;
    scores: ReadonlyMap<string, Score>;
  },
): void {
  mkdirSync(folder, { recursive: true });
  const qrels = [...judged].flatMap(([query, works]) =>
    [...works].map(([id, grade]) => `${query} 0 ${id} ${grade}\n`),
  );
  const run = [...runs].flatMap(([query, ids]) =>
    [...new Set(ids)].map((id, at) => `${query} Q0 ${id} ${at + 1} ${(1 / (at + 1)).toFixed(6)} search\n`),
  );
  writeFileSync(join(folder, 'qrels.txt'), qrels.join(''));
  writeFileSync(join(folder, 'run.txt'), run.join(''));
  writeFileSync(join(folder, 'scores.json'), `${JSON.stringify(Object.fromEntries(scores), null, 2)}\n`);
}
