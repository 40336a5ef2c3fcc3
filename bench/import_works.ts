import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/database/index.ts';
import { createDataset } from '../src/services/artworks/dataset.ts';
import { readMuseum } from '../src/services/artworks/read_museum.ts';
import { openSource } from '../src/services/artworks/reading/open_source.ts';
import { emptyReport } from '../src/services/artworks/report.ts';
import { MUSEUM_FILES, museumPath } from './support/artworks.ts';

/** `npm run bench import_works`: reading the museums' own files, and importing them into the embedded database. */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const dataset = createDataset(await openDatabase({ dataDir: folder }));
  const rows: string[] = [];
  for (const [museum, path] of MUSEUM_FILES.toReversed()) {
    const report = emptyReport();
    const started = performance.now();
    let peak = 0;
    for await (const _ of readMuseum(museum, openSource(museumPath(path)), report)) {
      peak = Math.max(peak, process.memoryUsage.rss());
    }
    const read = performance.now() - started;
    const { report: imported } = await dataset.import({
      museum,
      path: museumPath(path),
      signal: new AbortController().signal,
      onProgress() {
        peak = Math.max(peak, process.memoryUsage.rss());
      },
    });
    const all = performance.now() - started - read;
    const perSecond = (ms: number) => Math.round((report.rows / ms) * 1000).toLocaleString('en');
    rows.push(
      `| ${museum}, ${path.split('/').at(-1)} | ${report.rows.toLocaleString('en')} | ${imported.added.toLocaleString('en')} | ${perSecond(read)} | ${perSecond(all)} | ${Math.round(peak / 2 ** 20)} |`,
    );
  }
  await dataset.close();
  rmSync(folder, { recursive: true });
  return [
    "## Importing the museums' files",
    '',
    'Embedded database on disk; memory is the highest of the whole process, the database included, which all rows share.',
    '',
    '| file | rows | new works | read a second | imported a second | MiB at most |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
