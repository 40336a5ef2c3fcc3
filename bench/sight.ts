import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sharp } from '@atelier/engines/picture/sharp.ts';
import type { ScriptableDatabase } from '../src/database/contract.ts';
import { readEdition } from '../src/dataset/editions/edition_store.ts';
import { blendedSearch } from '../src/dataset/meaning/blended_search.ts';
import { packVector } from '../src/dataset/meaning/vector_index.ts';
import { writeVectors } from '../src/dataset/meaning/vector_store.ts';
import { search } from '../src/dataset/search/search.ts';
import { createSight } from '../src/dataset/sight/sight.ts';
import { createModels } from '../src/services/models/models.ts';
import { createPixels } from '../src/workers/create_pixels.ts';
import { artworkDatabases } from './support/artworks.ts';
import { median } from './support/load.ts';

const SHARED = resolve(import.meta.dirname, '../../shared/models');
const DIMENSIONS = 512;
const ROWS_AT_A_TIME = 500;
const QUERIES = [
  'red',
  'blue',
  'a dark picture',
  'a green landscape',
  'yellow flowers',
  'white horses',
  'brown and black',
  'orange sky',
];
const WORDS = ['early', 'late', 'old', 'small', 'great'];
const ROUNDS = WORDS.length;

/**
 * `npm run bench sight`: works found by words for what their pictures show, with the stand-in for the encoders and as many vectors as there are
 * works (ARTWORKS_WORKS, 53,000; ARTWORKS_DATABASES as in `search`).
 */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-sight-'));
  const models = createModels({ folder, provider: 'cpu', fetch });
  for (const file of ['clip_standin.onnx', 'clip_tokenizer/tokenizer.json'])
    await models.add(join(SHARED, file), { accept: true });
  const pixels = createPixels({ workers: 1, pixelsInFlightMax: 1e8, queueLengthMax: 64, deadlineMs: 60_000 });
  const rows: string[] = [];
  for (const { name, database } of await artworkDatabases(Number(process.env.ARTWORKS_WORKS ?? 53_000))) {
    const { number, works } = (await readEdition(database))!;
    await fillVectors(database, `seen ${(await models.embedder())!.sha256}`);
    const before = memory();
    const sight = createSight({ database, pixels, models, kept: async () => undefined });
    const loading = await timed(() =>
      sight.catchUp(number, { max: 0, signal: new AbortController().signal }),
    );
    const held = memory() - before;
    const cold = await timed(() => sight.nearText('a red picture', 100).catch(() => []));
    // The process for networks has started and has the words' encoder open.
    while ((await sight.nearText('a red picture', 100).catch(() => [])).length === 0);
    const ways: [string, (query: string) => Promise<unknown>][] = [
      ['words alone', (query) => search(database, number, { query, limit: 20 })],
      ['nearest vectors, words encoded', (query) => sight.nearText(query, 200)],
      ['words and what is seen', (query) => blendedSearch(database, number, { query, limit: 20 }, { sight })],
    ];
    for (const [way, ask] of ways) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        // Another wording each time: words that were encoded once are remembered.
        for (const query of QUERIES)
          times.push(await timed(() => ask(`${query} ${WORDS[round]} ${way.split(' ')[0]}`)));
      const slow = [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.95)]!;
      rows.push(
        `| ${name}, ${works.toLocaleString('en')} works | ${way} | ${median(times).toFixed(1)} | ${slow.toFixed(1)} |`,
      );
    }
    rows.push(`| | first question, the process not started | ${cold.toFixed(0)} | |`);
    rows.push(
      `| | reading all vectors once (${Math.round(held / 1e6)} MB are held) | ${loading.toFixed(0)} | |`,
    );
    rows.push(
      `| | one picture of 1.2 megapixels encoded | ${(await encodingMs(models, pixels)).toFixed(0)} | |`,
    );
    await database.close();
  }
  await pixels.close();
  rmSync(folder, { recursive: true });
  return [
    '## Found by what is seen',
    '',
    `${QUERIES.length * ROUNDS} questions one after the other, each in words not asked before, with the stand-in for TinyCLIP: same inputs, outputs and 512 dimensions, but next to no`,
    'arithmetic of its own. What the real encoders take comes on top and was never measured here.',
    '',
    '| database | | p50 ms | p95 ms |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

const memory = (): number => process.memoryUsage().rss;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** A vector for every work: chance, but always the same. */
async function fillVectors(database: ScriptableDatabase, model: string): Promise<void> {
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647 - 0.5;
  };
  const known = await database.query('select 1 from artwork_vectors where model = $1 limit 1', [model]);
  if (known.length > 0) return;
  const ids = await database.query<{ id: string }>('select id from artworks order by id');
  for (let at = 0; at < ids.length; at += ROWS_AT_A_TIME) {
    const rows = ids.slice(at, at + ROWS_AT_A_TIME).map(({ id }) => {
      const vector = packVector(Float32Array.from({ length: DIMENSIONS }, random));
      return { id, sha256: 'bench', vector: new Uint8Array(vector.buffer) };
    });
    await database.transaction((tx) => writeVectors(tx, model, rows));
  }
}

async function encodingMs(models: ReturnType<typeof createModels>, pixels: ReturnType<typeof createPixels>) {
  const bytes = await sharp({ create: { width: 1280, height: 960, channels: 3, background: '#876' } })
    .jpeg()
    .toBuffer();
  const network = (await models.embedder())!;
  const { signal } = new AbortController();
  const encode = () => timed(() => pixels.run('embed_picture', { bytes, network }, { pixels: 2e6, signal }));
  await encode();
  return median(await Promise.all(Array.from({ length: 5 }, encode)));
}
