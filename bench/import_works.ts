import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/database/open.ts';
import { createDataset } from '../src/dataset/dataset.ts';
import { readMuseum } from '../src/dataset/editions/read_museum.ts';
import { emptyReport } from '../src/dataset/editions/report.ts';
import type { MuseumName } from '../src/dataset/museums/museums.ts';
import { openSource } from '../src/dataset/reading/open_source.ts';
import { MUSEUM_FILES, museumPath } from './support/artworks.ts';
import { madeParis } from './support/made_paris.ts';

const PARIS_WORKS = 5000;

/** `npm run bench import_works`: reading the museums' own files, and importing them into the embedded database, each in a process of its own. */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const made = join(folder, 'made up.jsonl');
  writeFileSync(made, madeParis(PARIS_WORKS));
  const rows = [['paris', made], ...MUSEUM_FILES.toReversed()].map(([museum, path]) => {
    const child = [import.meta.filename, museum!, path!];
    return execFileSync(process.execPath, child, { encoding: 'utf8' }).trim();
  });
  rmSync(folder, { recursive: true });
  return [
    "## Importing the museums' files",
    '',
    'Embedded database on disk; each file in a process of its own. Memory is the highest of that process: once the file was read and an',
    'empty database opened, and at the end. Paris Musées publishes no bulk file: its works are made up in the shape of its answers.',
    '',
    '| file | rows | new works | read a second | imported a second | MiB before and at most |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** One file: reads it, then imports it, and prints its row of the table. */
async function one(museum: MuseumName, path: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const report = emptyReport();
  const started = performance.now();
  for await (const _ of readMuseum(museum, openSource(museumPath(path)), report));
  const read = performance.now() - started;
  const dataset = createDataset(await openDatabase({ dataDir: folder }));
  await dataset.status();
  const before = peakMiB();
  const began = performance.now();
  const { report: imported } = await dataset.import({
    ...{ museum, path: museumPath(path), signal: new AbortController().signal, onProgress() {} },
    mayLose: async () => true,
  });
  const all = performance.now() - began;
  await dataset.close();
  rmSync(folder, { recursive: true });
  const perSecond = (ms: number) => Math.round((report.rows / ms) * 1000).toLocaleString('en');
  console.log(
    `| ${museum}, ${path.split('/').at(-1)} | ${report.rows.toLocaleString('en')} | ${imported.added.toLocaleString('en')} | ${perSecond(read)} | ${perSecond(all)} | ${before}, ${peakMiB()} |`,
  );
}

const peakMiB = (): number => Math.round(process.resourceUsage().maxRSS / 1024);

const [museum, path] = process.argv.slice(2);
if (process.argv[1] === import.meta.filename) await one(museum as MuseumName, path!);
