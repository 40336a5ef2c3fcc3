import { openDatabase } from '../src/database/open.ts';
import { followVectors } from '../src/dataset/meaning/follow_vectors.ts';
import { createCellSearch } from '../src/dataset/meaning/in_database/cell_search.ts';
import { foldVectors } from '../src/dataset/meaning/in_database/fold_vectors.ts';
import { packVector } from '../src/dataset/meaning/vector_index.ts';
import { writeVectors } from '../src/dataset/meaning/vector_store.ts';
import { createParts } from '../src/dataset/search/in_database/ask_parts.ts';
import { clusteredVectors } from '../tests/support/clustered_vectors.ts';

const MODEL = 'bench of indexes';
const DIMENSIONS = 512;
const CLUSTERS = 1000;
const QUESTIONS = 100;
const WANTED = 10;
const WAIT_MS = 60_000;
const AT_A_TIME = 2000;

/**
 * `npm run bench index_vectors`: vectors compared in the process and in the cells of the database. VECTORS (100,000) says how many,
 * VECTORS_DATABASE (address or data folder; absent: in memory) where they are made and kept.
 */
export async function run(): Promise<string> {
  const place = process.env.VECTORS_DATABASE ?? 'memory';
  const isUrl = place.startsWith('postgres');
  const database = await openDatabase(isUrl ? { dataDir: 'unused', databaseUrl: place } : { dataDir: place });
  const count = Number(process.env.VECTORS ?? 100_000);
  const made = clusteredVectors(count + QUESTIONS, { dimensions: DIMENSIONS, clusters: CLUSTERS });
  const questions = made.splice(count);
  const [had] = await database.query<{ vectors: number }>(
    'select count(*) as vectors from artwork_vectors where model = $1',
    [MODEL],
  );
  const written = await seconds(async () => {
    for (let at = had!.vectors; at < count; at += AT_A_TIME) {
      const rows = made.slice(at, at + AT_A_TIME).map((vector, beside) => ({
        ...{ id: `w${at + beside}`, sha256: 'x' },
        vector: new Uint8Array(packVector(vector).buffer),
      }));
      await writeVectors(database, MODEL, rows);
    }
  });
  made.length = 0;
  const folded = await seconds(() => foldVectors(database, MODEL));
  await database.query('analyze');
  const inDatabase = createCellSearch(database, {
    parts: createParts([database], WAIT_MS),
    model: MODEL,
    report: console.error,
  });
  const cells = await asked(inDatabase, questions);
  const exact = await asked(followVectors(database, MODEL), questions);
  const recall =
    exact.found.reduce((sum, ids, at) => sum + ids.filter((id) => cells.found[at]!.includes(id)).length, 0) /
    (WANTED * QUESTIONS);
  const [size] = await database.query<{ vectors: number; blocks: number }>(
    `select sum(pg_total_relation_size(oid)) filter (where relname = 'artwork_vectors') as vectors,
       sum(pg_total_relation_size(oid)) filter (where relname like 'artwork_vector_blocks%') as blocks
     from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
  );
  await database.close();
  const row = (name: string, { first, times }: Asked, more: string) => {
    const sorted = [...times].sort((a, b) => a - b);
    const at = (part: number) =>
      sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!.toFixed(1);
    return `| ${count.toLocaleString('en')} | ${name} | ${(first / 1000).toFixed(1)} | ${at(0.5)} | ${at(0.95)} | ${at(0.99)} | ${more} |`;
  };
  return [
    '## Where vectors are compared',
    '',
    `${QUESTIONS} questions for the ${WANTED} nearest of vectors of ${DIMENSIONS} dimensions around ${CLUSTERS.toLocaleString('en')} centres, ${isUrl ? 'PostgreSQL' : 'embedded database'}, one after the other.`,
    `Written in ${written.toFixed(0)} s (${had!.vectors.toLocaleString('en')} were there), put into cells in ${folded.toFixed(0)} s.`,
    '',
    '| vectors | compared in | first answer s | p50 ms | p95 ms | p99 ms | recall@10 | bytes a vector in the database |',
    '|---|---|---|---|---|---|---|---|',
    row('process', exact, `1 | ${Math.round(size!.vectors / count)}`),
    row('database', cells, `${recall.toFixed(3)} | ${Math.round((size!.vectors + size!.blocks) / count)}`),
  ].join('\n');
}

interface Asked {
  /** Milliseconds to the first answer, with all that has to be read before. */
  readonly first: number;
  readonly times: readonly number[];
  readonly found: readonly (readonly string[])[];
}

async function asked(
  follow: ReturnType<typeof followVectors> | ReturnType<typeof createCellSearch>,
  questions: readonly Float32Array[],
): Promise<Asked> {
  const times: number[] = [];
  const found: string[][] = [];
  let first = 0;
  for (const question of [questions[0]!, ...questions]) {
    const started = performance.now();
    const near = await (await follow())!.nearest(question, WANTED);
    if (first === 0) first = performance.now() - started;
    else {
      times.push(performance.now() - started);
      found.push(near.map(({ id }) => id));
    }
  }
  return { first, times, found };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
