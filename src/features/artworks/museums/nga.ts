import { csvRows } from '../readers/csv_rows.ts';
import type { Source } from '../readers/open_source.ts';
import type { Row } from '../readers/row.ts';
import { SourceProblem } from '../readers/source_problem.ts';
import { readTable } from '../starter/read_table.ts';
import { address, authorities, entries, given, lifeYear, list, pixels, text, year } from './clean.ts';
import { readImageService } from './image_service.ts';
import { type Asked, CC0, type Importer, type Mapped, NO_NUMBER, NOT_PUBLIC_DOMAIN } from './importer.ts';

const TABLES = ['objects', 'published_images', 'objects_constituents', 'constituents', 'objects_terms'];
const DATA = 'https://raw.githubusercontent.com/NationalGalleryOfArt/opendata/main/data';

/** National Gallery of Art: joins the tables of its open data. */
export const nga: Importer = {
  published: { files: TABLES.map((table) => `${DATA}/${table}.csv`) },
  reads: `a folder with ${TABLES.map((table) => `${table}.csv`).join(', ')} from https://github.com/NationalGalleryOfArt/opendata; objects_text_entries.csv beside them adds literature and exhibitions`,
  free: '`openaccess` of the picture, or no `maxpixels` in older files',
  rows,
  map(row) {
    const { object, image, artists, terms, texts } = row as unknown as Joined;
    const number = text(object.objectid);
    if (!/^\d+$/.test(number)) return { leftOut: NO_NUMBER };
    if (object.accessioned === '0') return { leftOut: 'not part of the collection (accessioned is 0)' };
    if (object.isvirtual === '1') return { leftOut: 'a series or an album, not a work (isvirtual is 1)' };
    if (!image) return { leftOut: NOT_PUBLIC_DOMAIN };
    const [from, to] = [year(object.beginyear), year(object.endyear)];
    const isDated = from !== null && to !== null && from <= to;
    return {
      record: {
        id: `nga_${number}`,
        museum: 'nga',
        accession_number: text(object.accessionnum, 200),
        title: text(object.title) || 'Untitled',
        artists,
        date: text(object.displaydate, 200),
        year_from: isDated ? from : null,
        year_to: isDated ? to : null,
        medium: text(object.medium),
        dimensions: text(object.dimensions),
        classification: text(object.subclassification, 200) || text(object.classification, 200),
        department: text(object.departmentabbr, 200),
        culture: text(artists[0]?.nationality, 300),
        credit_line: text(object.creditline),
        tags: list(terms, 50, 100),
        ...given({
          series: text(object.series, 500) || text(object.portfolio, 500),
          provenance: entries(object.provenancetext),
          exhibitions: texts.exhibitions.join(' • '),
          references: texts.references.join(' • '),
          same_as: authorities(object.wikidataid),
        }),
        source_url: `https://www.nga.gov/collection/art-object-page.${number}.html`,
        image: { kind: 'iiif', url: image.url, width: image.width, height: image.height },
        rights: { status: 'cc0', evidence: image.evidence, url: CC0 },
      },
    };
  },
  live: { pauseMs: 500, gives: 'the picture', read: readPicture },
};

const IIIF = 'https://api.nga.gov/iiif';
/**
 * Images that are not open access are smaller than this (640 px, by its data); a larger limit is that of its
 * image server.
 */
const SHOWN_ONLY_PIXELS = 1000;

/**
 * The gallery has no API for records, only for images, by an image number, which the starter catalogue
 * contains. So the stored record is kept and gets the gallery's image.
 */
async function readPicture({ record, number, get }: Asked): Promise<Mapped> {
  const picture = (await readTable('nga')).find((row) => row.number === number)?.picture;
  if (!picture) return { leftOut: 'its image number is unknown' };
  const url = `${IIIF}/${picture}`;
  const { width, height, widthMax } = await readImageService(get, url);
  if (widthMax !== undefined && widthMax < Math.min(width, SHOWN_ONLY_PIXELS))
    return {
      leftOut: `the gallery limits its image to a width of ${widthMax} px, as for images that are not free`,
    };
  return { record: { ...record, image: { kind: 'iiif', url, width, height } } };
}

interface Picture {
  readonly url: string;
  readonly rank: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly evidence: { readonly field: string; readonly value: string };
}

interface Artist {
  readonly name: string;
  readonly role: string;
  readonly nationality: string;
  readonly born: number | null;
  readonly died: number | null;
  readonly same_as?: string[] | undefined;
}

interface Joined {
  readonly object: Record<string, unknown>;
  readonly image: Picture | undefined;
  readonly artists: Artist[];
  readonly terms: string[];
  readonly texts: Texts;
}

/** Books and exhibitions of a work, one entry each. */
interface Texts {
  readonly references: string[];
  readonly exhibitions: string[];
}

/** `texttype` of objects_text_entries.csv. */
const TEXT_TYPES: Readonly<Record<string, keyof Texts>> = {
  bibliography: 'references',
  exhibition_history: 'exhibitions',
};
const TEXT_CHARACTERS_MAX = 4000;

/**
 * Texts of the works with a free image, up to the limits of a record. The table (objectid, text, texttype,
 * year) is optional: earlier downloads lack it.
 */
async function readTexts(
  source: Source,
  isWanted: (object: string) => boolean,
  problems: Row[],
): Promise<Map<string, Texts>> {
  const texts = new Map<string, Texts>();
  const file = source.beside('objects_text_entries.csv');
  if (!file) return texts;
  for await (const row of csvRows(file, ['objectid', 'text', 'texttype'])) {
    if ('problem' in row) {
      problems.push(row);
      continue;
    }
    const { objectid, text: said, texttype } = row.value as Record<string, string>;
    const field = TEXT_TYPES[texttype!];
    const entry = field && isWanted(objectid!) ? entries(said, 1000) : '';
    if (!field || entry === '') continue;
    const own = texts.get(objectid!) ?? { references: [], exhibitions: [] };
    texts.set(objectid!, own);
    if ([...own[field], entry].join(' • ').length <= TEXT_CHARACTERS_MAX) own[field].push(entry);
  }
  return texts;
}

/**
 * Holds the small tables in memory (120,000 images, 50,000 artists at the real size) and streams the objects.
 */
async function* rows(source: Source): AsyncGenerator<Row> {
  const problems: Row[] = [];
  const table = (name: string, needed: readonly string[]) => tableRows(source, name, needed, problems);
  const images = new Map<string, Picture>();
  for await (const row of table('published_images', ['uuid', 'iiifurl', 'maxpixels', 'depictstmsobjectid'])) {
    const picture = openPicture(row);
    const number = row.depictstmsobjectid!;
    if (picture && picture.rank < (images.get(number)?.rank ?? Number.POSITIVE_INFINITY))
      images.set(number, picture);
  }
  const people = new Map<string, Omit<Artist, 'role'>>();
  for await (const row of table('constituents', ['constituentid', 'forwarddisplayname'])) {
    people.set(row.constituentid!, {
      name: text(row.forwarddisplayname, 300) || text(row.preferreddisplayname, 300),
      nationality: text(row.nationality, 100),
      born: lifeYear(row.beginyear),
      died: lifeYear(row.endyear),
      ...given({ same_as: authorities(row.ulanid, row.wikidataid) }),
    });
  }
  const makers = new Map<string, { order: number; artist: Artist }[]>();
  for await (const row of table('objects_constituents', ['objectid', 'constituentid', 'roletype'])) {
    const person = people.get(row.constituentid!);
    // Owners and donors are listed as well, and some constituents no longer exist.
    if (row.roletype !== 'artist' || !person?.name || /^anonymous/i.test(person.name)) continue;
    const artist = { ...person, role: text(row.role, 100) };
    const others = makers.get(row.objectid!) ?? [];
    makers.set(row.objectid!, [...others, { order: Number(row.displayorder), artist }]);
  }
  const terms = new Map<string, string[]>();
  for await (const row of table('objects_terms', ['objectid', 'term', 'termtype'])) {
    if (row.termtype === 'Systematic Catalogue Volume') continue;
    const others = terms.get(row.objectid!);
    if (others) others.push(row.term!);
    else terms.set(row.objectid!, [row.term!]);
  }
  const texts = await readTexts(source, (number) => images.has(number), problems);
  yield* problems.splice(0);
  const objects = source.beside('objects.csv');
  if (!objects) throw new SourceProblem(`${source.path} contains no objects.csv. Required: ${nga.reads}.`);
  for await (const row of csvRows(objects, ['objectid', 'title', 'accessionnum', 'attribution'])) {
    if ('problem' in row) {
      yield row;
      continue;
    }
    const number = String(row.value.objectid);
    const listed = (makers.get(number) ?? []).sort((a, b) => a.order - b.order).map(({ artist }) => artist);
    const value: Joined = {
      object: row.value,
      image: images.get(number),
      artists: listed.length > 0 ? listed.slice(0, 20) : parseAttribution(row.value.attribution),
      terms: terms.get(number) ?? [],
      texts: texts.get(number) ?? { references: [], exhibitions: [] },
    };
    yield { where: row.where, value: value as unknown as Record<string, unknown> };
  }
}

async function* tableRows(
  source: Source,
  name: string,
  needed: readonly string[],
  problems: Row[],
): AsyncGenerator<Record<string, string>> {
  const file = source.beside(`${name}.csv`);
  if (!file) throw new SourceProblem(`${source.path} contains no ${name}.csv. Required: ${nga.reads}.`);
  for await (const row of csvRows(file, needed)) {
    if ('problem' in row) problems.push(row);
    else yield row.value as Record<string, string>;
  }
}

/**
 * An open-access image. Newer files state it (`openaccess`); in older ones an image is open if no `maxpixels`
 * limits it, as the gallery's data dictionary distinguishes fair use from open access.
 */
function openPicture(row: Record<string, string>): Picture | undefined {
  const evidence =
    row.openaccess === undefined
      ? row.maxpixels === '' && { field: 'published_images.maxpixels', value: '(empty: not limited)' }
      : row.openaccess === '1' && { field: 'published_images.openaccess', value: '1' };
  const url = address(row.iiifurl);
  if (!evidence || !url || !row.depictstmsobjectid) return undefined;
  const isPrimary = row.viewtype === 'primary' || row.viewtype === '';
  return {
    url,
    rank: (isPrimary ? 0 : 1_000_000) + (Number(row.sequence) || 0),
    width: pixels(row.width),
    height: pixels(row.height),
    evidence,
  };
}

function parseAttribution(attribution: unknown): Artist[] {
  const name = text(attribution, 300);
  return name && !/^anonymous/i.test(name)
    ? [{ name, role: '', nationality: '', born: null, died: null }]
    : [];
}
