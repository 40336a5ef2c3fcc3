import { unpackColors } from '@atelier/engines/look/look.ts';
import type { Database } from '../src/database/contract.ts';
import { openDatabase } from '../src/database/open.ts';
import { LOOK_CANDIDATES_MAX } from '../src/dataset/limits.ts';
import { createDatabaseLooks } from '../src/dataset/looks/in_database/database_looks.ts';
import { foldLooks } from '../src/dataset/looks/in_database/fold_looks.ts';
import { createLookIndex, type LookIndex } from '../src/dataset/looks/look_index.ts';
import type { LookAsked } from '../src/dataset/looks/rank_looks.ts';
import { createParts } from '../src/dataset/search/in_database/ask_parts.ts';
import { copyOf, madeLooks } from '../tests/support/made_looks.ts';
import { writeLooks } from '../tests/support/write_looks.ts';

const QUESTIONS = Number(process.env.LOOKS_QUESTIONS ?? 100);
const WANTED = 10;
const WAIT_MS = 60_000;
const AT_A_TIME = 2000;

/**
 * `npm run bench index_looks`: looks searched in the process and in the lists of the database. LOOKS (200,000) says how many, LOOKS_QUESTIONS (100) how many are asked,
 * LOOKS_DATABASE (address or data folder; absent: in memory) where they are made and kept.
 */
export async function run(): Promise<string> {
  const place = process.env.LOOKS_DATABASE ?? 'memory';
  const isUrl = place.startsWith('postgres');
  const database = await openDatabase(isUrl ? { dataDir: 'unused', databaseUrl: place } : { dataDir: place });
  const count = Number(process.env.LOOKS ?? 200_000);
  await fill(database, count);
  const folded = await seconds(() => foldLooks(database));
  await database.query('analyze');
  const kinds = questionKinds(count);
  const parts = createParts([database], WAIT_MS);
  const inDatabase = createDatabaseLooks(database, { parts, shipped: [], report: console.error });
  const found = await askAll(inDatabase, kinds);
  const exact = await askAll(createLookIndex(database, []), kinds);
  const bytes = await bytesALook(database, count);
  await database.close();
  const rows = Object.keys(kinds).flatMap((kind) => [
    row(kind, 'process', exact.answers[kind]!, 1),
    row(kind, 'database', found.answers[kind]!, recallOf(exact.answers[kind]!, found.answers[kind]!)),
  ]);
  return [
    '## Where looks are searched',
    '',
    `${count.toLocaleString('en')} made looks around the palettes of paintings, ${QUESTIONS} questions of each kind for the ${LOOK_CANDIDATES_MAX.toLocaleString('en')} likest, ${isUrl ? 'PostgreSQL' : 'embedded database'}, one after the other.`,
    `Put into lists in ${folded.toFixed(0)} s. In the database ${bytes.looks} bytes a look, and ${bytes.lists} of colours and ${bytes.hashes} of hashes in lists. Memory the process took: ${found.mebibytes} MiB beside the database's index, ${exact.mebibytes} MiB with its own. First answer: ${found.first.toFixed(1)} s from the database, ${exact.first.toFixed(1)} s with all looks to be read.`,
    '',
    '| asked for | searched in | p50 ms | p95 ms | p99 ms | recall@10 |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

async function fill(database: Database, count: number): Promise<void> {
  const [had] = await database.query<{ looks: number }>('select looks from artwork_look_count');
  let lot = [];
  let at = 0;
  for (const look of madeLooks(count)) {
    at += 1;
    if (at > had!.looks) lot.push(look);
    if (lot.length < AT_A_TIME && at < count) continue;
    await writeLooks(database, lot);
    lot = [];
  }
}

/** By what is asked for. Pictures are others than those that are known, and copies of these. */
function questionKinds(count: number): Record<string, LookAsked[]> {
  const others = [...madeLooks(QUESTIONS, 23)];
  const paletteOf = (at: number) =>
    unpackColors(Buffer.from(others[at]!.colors, 'hex')).map(({ color }) => color);
  const known = [...madeLooks(Math.min(count, QUESTIONS))];
  return {
    'a colour': others.map((_, at) => ({ colors: [paletteOf(at)[at % 8]!] })),
    'two colours': others.map((_, at) => ({ colors: [paletteOf(at)[0]!, paletteOf(at)[1 + (at % 7)]!] })),
    'five colours': others.map((_, at) => ({ colors: paletteOf(at).slice(0, 5) })),
    'like a picture': others.map((look) => ({ like: copyOf(look, 0) })),
    'a copy, up to 15 bits off': known.map((look, at) => ({ like: copyOf(look, at % 16) })),
    'a copy, 16 to 31 bits off': known.map((look, at) => ({ like: copyOf(look, 16 + (at % 16)) })),
  };
}

interface Answer {
  readonly times: readonly number[];
  readonly found: readonly (readonly string[])[];
}

async function askAll(index: LookIndex, kinds: Record<string, LookAsked[]>) {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const first = await seconds(() => index.search({ colors: [0x20_40_80] }, { limit: LOOK_CANDIDATES_MAX }));
  const answers: Record<string, Answer> = {};
  for (const [kind, questions] of Object.entries(kinds)) {
    const times: number[] = [];
    const found: string[][] = [];
    for (const question of questions) {
      const started = performance.now();
      const { hits } = await index.search(question, { limit: LOOK_CANDIDATES_MAX });
      times.push(performance.now() - started);
      found.push(hits.slice(0, kind.startsWith('a copy') ? 1 : WANTED).map(({ id }) => id));
    }
    answers[kind] = { times, found };
  }
  globalThis.gc?.();
  return { answers, first, mebibytes: Math.round((process.memoryUsage.rss() - before) / 2 ** 20) };
}

function recallOf(exact: Answer, answer: Answer): number {
  const wanted = exact.found.reduce((sum, ids) => sum + ids.length, 0);
  const met = exact.found.reduce(
    (sum, ids, at) => sum + ids.filter((id) => answer.found[at]!.includes(id)).length,
    0,
  );
  return met / wanted;
}

function row(kind: string, place: string, { times }: Answer, recall: number): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!.toFixed(1);
  return `| ${kind} | ${place} | ${at(0.5)} | ${at(0.95)} | ${at(0.99)} | ${recall.toFixed(3)} |`;
}

async function bytesALook(database: Database, count: number) {
  const sizes = await database.query<{ of: string; bytes: number }>(
    `select case when relname like 'artwork_look_blocks%' then 'lists' when relname like 'artwork_look_hashes%' then 'hashes' else 'looks' end as of,
       sum(pg_total_relation_size(oid)) as bytes
     from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname like 'artwork_look%' group by 1`,
  );
  const of = (name: string) => Math.round((sizes.find((size) => size.of === name)?.bytes ?? 0) / count);
  return { looks: of('looks'), lists: of('lists'), hashes: of('hashes') };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
