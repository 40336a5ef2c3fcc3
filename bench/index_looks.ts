import { openDatabase } from '../src/database/open.ts';
import { LOOK_CANDIDATES_MAX } from '../src/dataset/limits.ts';
import { createLookIndex } from '../src/dataset/looks/look_index.ts';
import { median } from './support/load.ts';

const ROUNDS = 10;
const COLORS = 8;

/** `npm run bench index_looks`: looks in the memory of a process. LOOKS (200,000) says how many; their colours and hashes are chance. */
export async function run(): Promise<string> {
  const count = Number(process.env.LOOKS ?? 200_000);
  let state = 11;
  const bytes = (length: number) =>
    Buffer.from(
      Uint8Array.from({ length }, () => {
        state = (state * 48_271) % 2_147_483_647;
        return state & 255;
      }),
    ).toString('hex');
  const rows = Array.from({ length: count }, (_, at) => ({
    ...{ id: `rijks_${at}`, quality: 100, pdq: bytes(32), colors: bytes(5 * COLORS) },
  }));
  const database = await openDatabase({ dataDir: 'memory' });
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const index = createLookIndex(database, rows);
  await index.size();
  globalThis.gc?.();
  const grown = process.memoryUsage.rss() - before;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    await index.search({ colors: [0x20_40_80 + 9973 * round] }, { limit: LOOK_CANDIDATES_MAX });
    times.push(performance.now() - started);
  }
  await database.close();
  return [
    '## Looks in memory',
    '',
    `${count.toLocaleString('en')} looks of chance, of ${COLORS} colours each, and ${ROUNDS} searches for one colour.`,
    '',
    '| looks | bytes a look in memory | search, median ms | slowest ms |',
    '|---|---|---|---|',
    `| ${count.toLocaleString('en')} | ${Math.round(grown / count)} | ${median(times).toFixed(0)} | ${Math.max(...times).toFixed(0)} |`,
  ].join('\n');
}
