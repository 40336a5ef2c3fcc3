import { csvRows } from '../readers/csv_rows.ts';
import { jsonArray } from '../readers/json_array.ts';
import type { Source } from '../readers/open_source.ts';
import {
  address,
  array,
  authorities,
  entries,
  given,
  list,
  object,
  objects,
  pixels,
  plain,
  text,
  year,
} from './clean.ts';
import { CC0, type Importer, NO_NUMBER, NOT_PUBLIC_DOMAIN } from './importer.ts';

const API = 'https://openaccess-api.clevelandart.org/api/artworks';
const NEEDED = ['id', 'share_license_status', 'title', 'creation_date', 'technique', 'creators'];

/** The Cleveland Museum of Art: data.csv or data.json of its open access data. */
export const cleveland: Importer = {
  published: {
    files: ['https://media.githubusercontent.com/media/ClevelandMuseumArt/openaccess/master/data.csv'],
    // According to the Git LFS pointer in the museum's repository.
    bytesAbout: 66_769_989,
  },
  reads: 'data.csv or data.json from https://github.com/ClevelandMuseumArt/openaccess',
  free: '`share_license_status`',
  async *rows(source: Source) {
    for await (const file of source.files()) {
      yield* /\.json$/.test(file.name) ? jsonArray(file) : csvRows(file, NEEDED);
    }
  },
  map(cells) {
    const row = withoutEmptyLists(cells);
    const number = text(row.id);
    if (!/^\d+$/.test(number)) return { leftOut: NO_NUMBER };
    if (row.share_license_status !== 'CC0') return { leftOut: NOT_PUBLIC_DOMAIN };
    const [from, to] = [year(row.creation_date_earliest), year(row.creation_date_latest)];
    const isDated = from !== null && to !== null && from <= to;
    return {
      record: {
        id: `cleveland_${number}`,
        museum: 'cleveland',
        accession_number: text(row.accession_number, 200),
        title: plain(row.title) || 'Untitled',
        other_titles: list([row.title_in_original_language, row.series], 2, 1000),
        artists: creatorsOf(row.creators),
        date: text(row.creation_date, 200),
        year_from: isDated ? from : null,
        year_to: isDated ? to : null,
        medium: text(row.technique),
        dimensions: text(row.measurements),
        classification: text(row.type, 200),
        department: text(row.department, 200),
        culture: Array.isArray(row.culture) ? list(row.culture, 3, 98).join(', ') : text(row.culture, 300),
        credit_line: text(row.creditline),
        description: plain(row.description ?? row.wall_description ?? row.digital_description, 4000),
        tags: list([row.collection, row.find_spot], 2, 100),
        ...given({
          series: text(row.series, 500),
          provenance: ownersOf(row.provenance),
          exhibitions: shownAt(row.exhibitions),
          references: citedIn(row.citations),
          same_as: authorities(wikidataOf(row.external_resources)),
        }),
        source_url: address(row.url) || `https://www.clevelandart.org/art/${number}`,
        image: pictureOf(row),
        rights: {
          status: 'cc0',
          evidence: { field: 'share_license_status', value: 'CC0' },
          url: CC0,
        },
      },
    };
  },
  live: {
    pauseMs: 500,
    read: async ({ number, get }) => cleveland.map(object((await get(`${API}/${number}`)).data)),
  },
};

/** The CSV file writes an empty list as the text "[]". */
const withoutEmptyLists = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell === '[]' ? '' : cell]));

/** "Camille Pissarro (French, 1830–1903), artist", several joined by "; ", or objects with such a description. */
function creatorsOf(value: unknown) {
  const described =
    typeof value === 'string'
      ? value.split('; ').map((part) => {
          const match = /^(.*\)|[^,]*)(?:, ([^,()]*))?$/.exec(part);
          return { description: match?.[1] ?? part, role: match?.[2] };
        })
      : array(value).map(object);
  return described
    .map(({ description, role }) => ({ ...nameAndLife(text(description, 400)), role: text(role, 100) }))
    .filter(({ name }) => name !== '')
    .slice(0, 20);
}

function nameAndLife(description: string) {
  const match =
    /^(.*?) \(([^()]*?)(?:, )?(?:c\. |active )?(?:b\. )?(\d{4})?\??(?:[–-](?:c\. )?(\d{4}))?\??\)$/.exec(
      description,
    );
  return {
    name: text(match?.[1] ?? description, 300),
    nationality: text(match?.[2], 100),
    born: year(match?.[3] ?? null),
    died: year(match?.[4] ?? null),
  };
}

/** A cell of text in the CSV file; in the API, a list of owners with years. */
const ownersOf = (value: unknown): string =>
  typeof value === 'string'
    ? entries(value)
    : joinEntries(
        array(value)
          .map(object)
          .map(({ description, date }) => [description, date]),
      );

/** A list of objects in the API; one text in older records. */
function shownAt(value: unknown): string {
  if (typeof value === 'string') return entries(value.replace(/\*\*LEGACY: ?|^CURRENT: ?/g, ''));
  const { current, legacy } = object(value);
  return joinEntries([
    ...array(current).map((one) => [object(one).description ?? object(one).title]),
    [legacy],
  ]);
}

/** A cell in the CSV file, each entry ended by two semicolons; in the API, a list with pages. */
const citedIn = (value: unknown): string =>
  typeof value === 'string'
    ? entries(
        value
          .slice(0, CELL_CHARACTERS_MAX)
          .replace(/;;\s*|;\s*$/g, '\n')
          .trim(),
      )
    : joinEntries(objects(value).map(({ citation, page_number: page }) => [citation, page]));

/** Cells of citations may have 100 kB; only as much as a record can hold is parsed. */
const CELL_CHARACTERS_MAX = 32_000;

const joinEntries = (all: readonly (readonly unknown[])[]): string =>
  entries(
    all
      .map((parts) => parts.map((part) => plain(part, 1000)).filter((part) => part !== ''))
      .map((parts) => (parts[1] ? `${parts[0]} (${parts[1]})` : (parts[0] ?? '')))
      .filter((part) => part !== '')
      .join('\n'),
  );

/** The CSV file has the notation of a Python dictionary. */
const wikidataOf = (value: unknown): unknown =>
  typeof value === 'string'
    ? /https:\/\/www\.wikidata\.org\/wiki\/Q\d{1,12}/.exec(value)?.[0]
    : array(object(value).wikidata)[0];

/** The JPEG for print. The full image is a TIFF of tens of megabytes. */
function pictureOf(row: Record<string, unknown>) {
  const print = object(object(row.images).print);
  const web = object(object(row.images).web);
  const url = address(row.image_print) || address(print.url) || address(row.image_web) || address(web.url);
  const size = print.url ? print : web;
  return url ? { kind: 'file' as const, url, width: pixels(size.width), height: pixels(size.height) } : null;
}
