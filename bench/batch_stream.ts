import { generateKeyPairSync } from 'node:crypto';
import { createArtworks } from '../src/dataset/artworks.ts';
import { streamResponse } from '../src/http/stream_response.ts';
import { openArtworkBatch } from '../src/operations/files/open_artwork_batch.ts';
import type { StreamAnswer } from '../src/operations/operation.ts';
import { createLinks } from '../src/services/links/links.ts';
import { artworkDatabases } from './support/artworks.ts';

const WORKS = 53_000;

/** `npm run bench batch_stream`: 53,000 works as JSON Lines, streamed, beside the same rows read whole. */
export async function run(): Promise<string> {
  const rows: string[] = [];
  for (const { name, database } of await artworkDatabases(WORKS)) {
    const links = createLinks({ publicUrl: 'http://127.0.0.1', secret: 'x'.repeat(32) });
    const { privateKey: key } = generateKeyPairSync('ed25519');
    type Parts = Parameters<typeof createArtworks>[0];
    const artworks = createArtworks({ database, folder: '', links, key, reach: {} } as unknown as Parts);
    const { first, last, edition } = await artworks.bounds({ limit: WORKS });
    const page = { edition: `${edition.number}`, from: first!, to: last! };
    const { url } = artworks.batchLink(page);
    const { exp, sig } = Object.fromEntries(new URL(url).searchParams) as { exp: string; sig: string };
    const link = { ...page, has_image: '' as const, exp, sig, after: '' };

    const streamed = await measured(async (watch) => {
      // biome-ignore lint/suspicious/noExplicitAny: an operation reads no more of its call than its input
      const answer = (await openArtworkBatch.run(link, { artworks }, undefined as any)) as StreamAnswer;
      let bytes = 0;
      for await (const chunk of streamResponse(answer, { isHead: false }).body!) {
        bytes += chunk.length;
        watch();
      }
      return bytes;
    });
    const whole = await measured(async (watch) => {
      const { works } = await artworks.page({ limit: WORKS });
      watch();
      const text = works.map((work) => JSON.stringify(work)).join('\n');
      watch();
      return Buffer.byteLength(text);
    });
    rows.push(row(name, 'streamed, 250 at a time, with signed links', streamed));
    rows.push(row(name, 'read whole, without links', whole));
    await database.close();
  }
  return [
    '## Batches as JSON Lines',
    '',
    `${WORKS.toLocaleString('en')} works. Memory is what the heap and its buffers grew by at most while it ran.`,
    '',
    '| database | how | MB | works a second | MiB at most |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

interface Measured {
  readonly bytes: number;
  readonly ms: number;
  readonly peak: number;
}

async function measured(work: (watch: () => void) => Promise<number>): Promise<Measured> {
  globalThis.gc?.();
  const held = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = held();
  let peak = 0;
  const started = performance.now();
  const bytes = await work(() => {
    peak = Math.max(peak, held() - before);
  });
  return { bytes, ms: performance.now() - started, peak };
}

const row = (database: string, how: string, { bytes, ms, peak }: Measured): string =>
  `| ${database} | ${how} | ${Math.round(bytes / 1e6)} | ${Math.round((WORKS / ms) * 1000).toLocaleString('en')} | ${Math.round(peak / 2 ** 20)} |`;
