import { createPixels } from '../src/workers/create_pixels.ts';
import { photo } from './support/photo.ts';

const PRODUCTS = ['tshirt', 'poster', 'canvas', 'phone_case', 'mug', 'tote_bag'] as const;
const ROUNDS = 3;

/** A mockup of each product in a process of the pool: the first of its kind there, and the best of those after it. */
export async function run(): Promise<string> {
  const bytes = await photo(1600, 1200);
  const rows: string[] = [];
  for (const product of PRODUCTS) {
    const pool = createPixels({ workers: 1, pixelsInFlightMax: 1e9, queueLengthMax: 4, deadlineMs: 120_000 });
    const once = async () => {
      const started = performance.now();
      const { bytes: made } = await pool.run(
        'mockup',
        { bytes, product, background: [245, 245, 245] },
        { pixels: 1, signal: new AbortController().signal },
      );
      return { ms: performance.now() - started, mib: made.length / 2 ** 20 };
    };
    const first = await once();
    const later: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) later.push((await once()).ms);
    await pool.close();
    rows.push(
      `| ${product} | ${first.ms.toFixed(0)} | ${Math.min(...later).toFixed(0)} | ${first.mib.toFixed(1)} |`,
    );
  }
  return [
    '## Mockups',
    '',
    `2000 × 2000 pixels from a photograph of 1600 × 1200. "First" starts a process and works out the maps of the product; "later" is the best of ${ROUNDS}.`,
    '',
    '| product | first ms | later ms | file MiB |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}
