import { resolve } from 'node:path';
import type { ScriptableDatabase } from '../../src/database/connection.ts';
import { openDatabase } from '../../src/database/index.ts';
import type { MuseumName } from '../../src/museums.ts';
import { importWorks } from '../../src/services/artworks/import_works.ts';
import { readMuseum } from '../../src/services/artworks/read_museum.ts';
import { openSource } from '../../src/services/artworks/reading/open_source.ts';
import type { ArtworkRecord } from '../../src/services/artworks/record.ts';
import { emptyReport } from '../../src/services/artworks/report.ts';

const SHARED = resolve(import.meta.dirname, '../../../shared/museums');

/** The museums' own files beside the project, by how many rows they have. */
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

/** The databases named in ARTWORKS_DATABASES (addresses or data folders, with commas), else one in memory, filled. */
export async function artworkDatabases(
  works: number,
): Promise<{ name: string; database: ScriptableDatabase }[]> {
  const places = process.env.ARTWORKS_DATABASES?.split(',') ?? ['memory'];
  return Promise.all(
    places.map(async (place) => {
      const isUrl = place.startsWith('postgres');
      const database = await openDatabase(
        isUrl ? { dataDir: 'unused', databaseUrl: place } : { dataDir: place },
      );
      const [row] = await database.query<{ count: number }>('select count(*) as count from artworks');
      if (row!.count === 0) await fill(database, works);
      await database.query('analyze artworks');
      return { name: isUrl ? 'PostgreSQL' : 'embedded', database };
    }),
  );
}

/** Real records first; then made-up ones, each with the title, subjects and description of other real ones. */
async function fill(database: ScriptableDatabase, works: number): Promise<void> {
  const real: ArtworkRecord[] = [];
  for (const [museum, path] of MUSEUM_FILES.slice(0, 2)) {
    for await (const record of readMuseum(museum, openSource(museumPath(path)), emptyReport()))
      real.push(record);
  }
  await importWorks(
    database,
    async function* (report) {
      for (let at = 0; at < works; at += 1) {
        const round = Math.floor(at / real.length);
        const one = real[at % real.length]!;
        const title = real[(at + round * 7919) % real.length]!;
        const subject = real[(at * 31 + round * 104_729) % real.length]!;
        report.rows += 1;
        yield round === 0
          ? one
          : {
              ...one,
              id: `${one.id}x${round}`,
              title: title.title,
              tags: subject.tags,
              description: subject.description,
              highlight: false,
            };
      }
    },
    {
      museum: 'met',
      source: 'made up from real records',
      now: () => new Date(),
      signal: new AbortController().signal,
      onProgress() {},
    },
  );
}
