import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { PUBLIC_DOMAIN_MARK } from '../museums/importer.ts';
import { type MuseumName, STARTER_MUSEUMS } from '../museums/museums.ts';
import { type ArtworkRecord, type ArtworkRecordInput, parseRecord } from '../records/record.ts';
import { type Edition, readEdition, readImportedMuseums } from '../releases/edition_store.ts';
import { importWorks } from '../releases/import_works.ts';
import { type Row, readTable } from './read_table.ts';

/**
 * The starter catalogue: fifty well-known works of each museum, written from general knowledge, so that
 * search works on a new server without a network. One table per museum, and one of the artists. Works of
 * Paris have names instead of numbers, because that museum publishes no list of numbers.
 * @throws Error if a line does not fit its table
 */
export async function loadStarter(): Promise<ArtworkRecord[]> {
  const rows = await readTable('artists');
  const artists = new Map(rows.map((row) => [row.name, artistOf(row)]));
  const works = await Promise.all(
    STARTER_MUSEUMS.map(async (museum) =>
      (await readTable(museum)).map((row) => parseRecord(workOf(museum, row, artists))),
    ),
  );
  return works.flat();
}

type Artist = NonNullable<ArtworkRecordInput['artists']>[number];

const yearOf = (text = ''): number | null => (text === '' ? null : Number(text));

const listOf = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

const artistOf = ({ name = '', nationality = '', born, died }: Row): Artist => ({
  name,
  nationality,
  born: yearOf(born),
  died: yearOf(died),
});

function workOf(museum: MuseumName, row: Row, artists: ReadonlyMap<string | undefined, Artist>) {
  const { number = '', title = '', date = '', medium = '', kind = '', tags = '', artist = '' } = row;
  const [from, to] = row.years!.split('..');
  return {
    id: `${museum}_${number}`,
    museum,
    accession_number: row.accession ?? '',
    title,
    artists: listOf(artist, ';').map((name) => artists.get(name) ?? unknownArtist(name)),
    date,
    year_from: yearOf(from),
    year_to: yearOf(to ?? from),
    medium,
    classification: kind,
    department: row.museum ?? '',
    tags: listOf(tags, ','),
    highlight: true,
    source_url: PAGES[museum]!(number, row),
    rights: { status: 'public_domain', evidence: null, url: PUBLIC_DOMAIN_MARK },
  };
}

function unknownArtist(name: string): never {
  throw new Error(`artists.txt lacks ${name}`);
}

/** URL of a work's page at each museum of the starter catalogue. */
const PAGES: Partial<Record<MuseumName, (number: string, row: Row) => string>> = {
  met: (number) => `https://www.metmuseum.org/art/collection/search/${number}`,
  chicago: (number) => `https://www.artic.edu/artworks/${number}`,
  nga: (number) => `https://www.nga.gov/collection/art-object-page.${number}.html`,
  rijks: (number) => `https://www.rijksmuseum.nl/en/collection/${number}`,
  smithsonian: (number) => `https://www.si.edu/object/${number}`,
  cleveland: (_, { accession }) => `https://www.clevelandart.org/art/${accession}`,
  paris: (_, { title }) =>
    `https://www.parismuseescollections.paris.fr/en/search?keywords=${encodeURIComponent(title!)}`,
};

const TRIES = 50;
const WAIT_MS = 100;

/**
 * Publishes the starter catalogue as the first edition. Of servers that start at once on one database, one
 * writes it and the others wait.
 * @throws AtelierError busy while the very first import runs
 */
export async function installStarter(database: Database): Promise<void> {
  for (let tries = 1; (await readEdition(database)) === undefined; tries += 1) {
    try {
      await importWorks(
        database,
        async function* (report) {
          for (const record of await loadStarter()) {
            report.rows += 1;
            yield record;
          }
        },
        {
          museum: 'starter',
          source: 'the starter catalogue of this program',
          now: () => new Date(),
          signal: new AbortController().signal,
          onProgress() {},
        },
      );
    } catch (error) {
      if (!(error instanceof AtelierError && error.code === 'busy') || tries === TRIES) throw error;
      await wait(WAIT_MS);
    }
  }
}

/** The published edition; installs the starter catalogue if there is none. */
export function currentEdition(database: Database): {
  edition(): Promise<Edition>;
  /** Museums represented only by the starter catalogue. */
  starterOnly(): Promise<MuseumName[]>;
} {
  let installing: Promise<void> | undefined;
  const edition = async () => {
    const current = await readEdition(database);
    if (current) return current;
    installing ??= installStarter(database).finally(() => {
      installing = undefined;
    });
    await installing;
    return (await readEdition(database))!;
  };
  const starterOnly = async () => {
    const imported = new Set(await readImportedMuseums(database));
    return STARTER_MUSEUMS.filter((name) => !imported.has(name));
  };
  return { edition, starterOnly };
}
