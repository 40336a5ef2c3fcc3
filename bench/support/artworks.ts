import { resolve } from 'node:path';
import { openDatabase } from '../../src/core/database/open_database.ts';
import type { ScriptableDatabase } from '../../src/core/database/types.ts';
import type { MuseumName } from '../../src/features/artworks/museums/museums.ts';
import { openSource } from '../../src/features/artworks/readers/open_source.ts';
import { importWorks } from '../../src/features/artworks/releases/import_works.ts';
import { readMuseum } from '../../src/features/artworks/releases/read_museum.ts';
import { multiplyWorks } from './multiply_works.ts';

const SHARED = resolve(import.meta.dirname, '../../../shared/museums');

/** The museums' own files beside the project, by number of rows. */
export const MUSEUM_FILES: readonly (readonly [MuseumName, string])[] = [
  ['met', 'scale/met-api-objects.jsonl.gz'],
  ['rijks', 'scale/rijks-oai_dc-pages.tar.gz'],
  ['met', 'met/MetObjects.csv.gz'],
  ['chicago', 'chicago/artic-api-data.tar.bz2'],
  ['nga', 'nga'],
  ['smithsonian', 'smithsonian'],
  ['cleveland', 'cleveland/data.csv.gz'],
];

export const museumPath = (path: string): string => resolve(SHARED, path);

/**
 * The databases named in ARTWORKS_DATABASES (URLs or data folders, separated by commas), else one in memory,
 * with this many works. Missing works are created, a million in some minutes, and kept.
 */
export async function artworkDatabases(
  works: number,
): Promise<{ name: string; database: ScriptableDatabase }[]> {
  const places = process.env.ARTWORKS_DATABASES?.split(',') ?? ['memory'];
  const databases = [];
  for (const place of places) {
    const isUrl = place.startsWith('postgres');
    const database = await openDatabase(
      isUrl ? { dataDir: 'unused', databaseUrl: place } : { dataDir: place },
    );
    const [row] = await database.query<{ count: number }>('select count(*) as count from artworks');
    if (row!.count === 0) await importReal(database);
    await multiplyWorks(database, works);
    await database.query('analyze');
    databases.push({ name: isUrl ? 'PostgreSQL' : 'embedded', database });
  }
  return databases;
}

const REAL_WORKS = 53_000;

/**
 * All works of the files beside the project, in the database of MUSEUMS_DATABASE (URL or data folder) or in
 * memory; created once and kept.
 */
export async function wholeMuseums(): Promise<ScriptableDatabase> {
  const place = process.env.MUSEUMS_DATABASE ?? 'memory';
  const database = await openDatabase(
    place.startsWith('postgres') ? { dataDir: 'unused', databaseUrl: place } : { dataDir: place },
  );
  const [row] = await database.query<{ count: number }>('select count(*) as count from artworks');
  if (row!.count === 0) await importReal(database, MUSEUM_FILES, Number.POSITIVE_INFINITY);
  await database.query('analyze');
  return database;
}

/** Records of some files, up to a maximum. */
const importReal = (
  database: ScriptableDatabase,
  files: typeof MUSEUM_FILES = MUSEUM_FILES.slice(0, 2),
  worksMax = REAL_WORKS,
) =>
  importWorks(
    database,
    async function* (report) {
      let works = 0;
      for (const [museum, path] of files) {
        for await (const record of readMuseum(museum, openSource(museumPath(path)), report)) {
          if (works === worksMax) return;
          works += 1;
          yield record;
        }
      }
    },
    {
      museum: 'met',
      source: 'real records',
      now: () => new Date(),
      signal: new AbortController().signal,
      onProgress() {},
    },
  );
