import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/database/open.ts';
import { createDataset } from '../src/dataset/dataset.ts';
import type { MuseumName } from '../src/dataset/museums/museums.ts';
import { newSchema } from '../tests/support/new_schema.ts';
import { MUSEUM_FILES, museumPath } from './support/artworks.ts';
import { madeParis } from './support/made_paris.ts';

const PARIS_WORKS = 5000;

/**
 * `npm run bench import_works`: reading the museums' own files, and importing them into the embedded database and, where
 * TEST_DATABASE_URL names a server, into a schema of its own on PostgreSQL, each in a process of its own.
 */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const made = join(folder, 'made up.jsonl');
  writeFileSync(made, madeParis(PARIS_WORKS));
  const serverUrl = process.env.TEST_DATABASE_URL;
  const rows = [];
  for (const [museum, path] of [['paris', made], ...MUSEUM_FILES.toReversed()]) {
    const schema = serverUrl === undefined ? undefined : await newSchema(serverUrl);
    for (const url of schema ? ['', schema.url] : ['']) {
      const child = [import.meta.filename, museum!, path!, url];
      rows.push(execFileSync(process.execPath, child, { encoding: 'utf8' }).trim());
    }
    await schema?.drop();
  }
  rmSync(folder, { recursive: true });
  return [
    "## Importing the museums' files",
    '',
    'Into an empty database, up to the edition that can be searched; each file in a process of its own. Memory is the highest of that',
    'process, which PostgreSQL’s is not part of: once an empty database was opened, and at the end. CPU is of the process, its threads included. Paris Musées publishes no bulk file: its works are made up in the shape of its answers.',
    '',
    '| file | database | rows | new works | works a second | CPU µs a work | MiB before and at most |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** Imports one file and prints its row of the table. */
async function one(museum: MuseumName, path: string, databaseUrl: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const dataset = createDataset(await openDatabase({ dataDir: folder, ...(databaseUrl && { databaseUrl }) }));
  await dataset.status();
  const before = peakMiB();
  const began = performance.now();
  const cpu = process.cpuUsage();
  const { report } = await dataset.import({
    ...{ museum, path: museumPath(path), signal: new AbortController().signal, onProgress() {} },
    mayLose: async () => true,
  });
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  await dataset.close();
  rmSync(folder, { recursive: true });
  const shown = (number: number) => Math.round(number).toLocaleString('en');
  console.log(
    `| ${museum}, ${path.split('/').at(-1)} | ${databaseUrl ? 'PostgreSQL' : 'embedded'} | ${shown(report.rows)} | ${shown(report.added)} | ${shown((report.added / ms) * 1000)} | ${shown((user + system) / report.added)} | ${before}, ${peakMiB()} |`,
  );
}

const peakMiB = (): number => Math.round(process.resourceUsage().maxRSS / 1024);

const [museum, path, url] = process.argv.slice(2);
if (process.argv[1] === import.meta.filename) await one(museum as MuseumName, path!, url!);
