import { csvRows } from '../readers/csv_rows.ts';
import { jsonLines } from '../readers/lines.ts';
import type { Source } from '../readers/open_source.ts';
import type { ArtworkRecordInput } from '../records/record.ts';
import { address, array, authorities, given, lifeYear, list, object, split, text, year } from './clean.ts';
import { CC0, type Importer, type Mapped, NO_NUMBER, NOT_PUBLIC_DOMAIN } from './importer.ts';

const API = 'https://collectionapi.metmuseum.org/public/collection/v1/objects';
/** Required columns of MetObjects.csv. Others may be missing, as in the file of 2017. */
const NEEDED = ['Object ID', 'Is Public Domain', 'Title', 'Object Date', 'Link Resource'];

/** The Metropolitan Museum of Art: MetObjects.csv, or API responses as JSON Lines. */
export const met: Importer = {
  published: {
    files: ['https://media.githubusercontent.com/media/metmuseum/openaccess/master/MetObjects.csv'],
    // According to the Git LFS pointer in the museum's repository, data of June 2023.
    bytesAbout: 317_650_992,
  },
  reads:
    'MetObjects.csv from https://github.com/metmuseum/openaccess, or answers of its API, one a line (.jsonl)',
  free: '`Is Public Domain` (CSV), `isPublicDomain`',
  async *rows(source: Source) {
    for await (const file of source.files()) {
      yield* /\.jsonl$/.test(file.name) ? jsonLines(file) : csvRows(file, NEEDED);
    }
  },
  map: (row) => ('objectID' in row ? fromApi(row) : fromCsv(row)),
  // The museum asks for at most 80 requests per second.
  live: {
    pauseMs: 250,
    read: async ({ number, get }) => fromApi(await get(`${API}/${number}`)),
    pictureIn: ({ primaryImage }) => address(primaryImage),
  },
};

/** The CSV file has no image addresses. The API is queried when a client requests the work. */
function fromCsv(row: Record<string, unknown>): Mapped {
  const number = text(row['Object ID']);
  if (!/^\d+$/.test(number)) return { leftOut: NO_NUMBER };
  if (row['Is Public Domain'] !== 'True') return { leftOut: NOT_PUBLIC_DOMAIN };
  const parts = (column: string) => split(row[column]);
  const [roles, nations, births, deaths, ulan, wikidata] = [
    'Artist Role',
    'Artist Nationality',
    'Artist Begin Date',
    'Artist End Date',
    'Artist ULAN URL',
    'Artist Wikidata URL',
  ].map(parts) as [string[], string[], string[], string[], string[], string[]];
  const artists = parts('Artist Display Name')
    .map((name, at) => ({
      name: text(name, 300),
      role: text(roles[at], 100),
      nationality: text(nations[at], 100),
      ...life(births[at], deaths[at]),
      ...given({ same_as: authorities(ulan[at], wikidata[at]) }),
    }))
    .filter(({ name }) => name !== '');
  return {
    record: {
      ...parseShared(number, {
        title: row.Title,
        objectName: row['Object Name'],
        medium: row.Medium,
        dimensions: row.Dimensions,
        classification: row.Classification,
        department: row.Department,
        credit: row['Credit Line'],
        accession: row['Object Number'],
        date: row['Object Date'],
        from: row['Object Begin Date'],
        to: row['Object End Date'],
        culture: [row.Culture, row.Period, row.Dynasty],
        tags: [...split(row.Tags), row.City, row.Country],
        portfolio: row.Portfolio,
        wikidata: row['Object Wikidata URL'],
      }),
      artists: artists.slice(0, 20),
      highlight: row['Is Highlight'] === 'True',
      source_url: address(row['Link Resource']) || page(number),
      image: { kind: 'lookup', url: `${API}/${number}` },
      rights: rights('Is Public Domain', 'True'),
    },
  };
}

function fromApi(row: Record<string, unknown>): Mapped {
  const number = text(row.objectID);
  if (!/^\d+$/.test(number)) return { leftOut: NO_NUMBER };
  if (row.isPublicDomain !== true) return { leftOut: NOT_PUBLIC_DOMAIN };
  const picture = address(row.primaryImage);
  const name = text(row.artistDisplayName, 300);
  return {
    record: {
      ...parseShared(number, {
        title: row.title,
        objectName: row.objectName,
        medium: row.medium,
        dimensions: row.dimensions,
        classification: row.classification,
        department: row.department,
        credit: row.creditLine,
        accession: row.accessionNumber,
        date: row.objectDate,
        from: row.objectBeginDate,
        to: row.objectEndDate,
        culture: [row.culture, row.period, row.dynasty],
        // Null, words, or objects with a term, depending on the year of the response.
        tags: [...array(row.tags).map((tag) => object(tag).term ?? tag), row.city, row.country],
        portfolio: row.portfolio,
        wikidata: row.objectWikidata_URL,
      }),
      artists: name
        ? [
            {
              name,
              role: text(row.artistRole, 100),
              nationality: text(row.artistNationality, 100),
              ...life(row.artistBeginDate, row.artistEndDate),
              ...given({ same_as: authorities(row.artistULAN_URL, row.artistWikidata_URL) }),
            },
          ]
        : [],
      highlight: row.isHighlight === true,
      source_url: address(row.objectURL) || page(number),
      image: picture ? { kind: 'file', url: picture } : null,
      rights: rights('isPublicDomain', 'true'),
    },
  };
}

interface Cells {
  readonly [cell: string]: unknown;
  readonly culture: readonly unknown[];
  readonly tags: readonly unknown[];
}

function parseShared(
  number: string,
  cells: Cells,
): Omit<ArtworkRecordInput, 'artists' | 'source_url' | 'image' | 'rights' | 'highlight'> {
  const [from, to] = [year(cells.from), year(cells.to)];
  // An unknown date is written as 0 to 0.
  const isKnown = from !== null && to !== null && from <= to && !(from === 0 && to === 0);
  const [title, objectName] = [text(cells.title), text(cells.objectName, 200)];
  return {
    id: `met_${number}`,
    museum: 'met',
    accession_number: text(cells.accession, 200),
    title: title || objectName || 'Untitled',
    date: text(cells.date, 200),
    year_from: isKnown ? from : null,
    year_to: isKnown ? to : null,
    medium: text(cells.medium),
    dimensions: text(cells.dimensions),
    classification: text(cells.classification, 200) || objectName,
    department: text(cells.department, 200),
    culture: list(cells.culture, 3, 100).join(', ').slice(0, 300),
    credit_line: text(cells.credit),
    tags: list(cells.tags, 50, 100),
    ...given({ series: text(cells.portfolio, 500), same_as: authorities(cells.wikidata) }),
  };
}

const life = (born: unknown, died: unknown) => ({
  born: lifeYear(born),
  died: Number(died) === 9999 ? null : lifeYear(died),
});

const page = (number: string) => `https://www.metmuseum.org/art/collection/search/${number}`;

const rights = (field: string, value: string) => ({
  status: 'cc0' as const,
  evidence: { field, value },
  url: CC0,
});
