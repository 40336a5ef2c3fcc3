import { jsonLines } from '../readers/lines.ts';
import {
  array,
  given,
  joined,
  list,
  nameAndYears,
  namedMakers,
  object,
  objects,
  pictureAt,
  plain,
  text,
} from './clean.ts';
import { type Importer, NO_NUMBER, NOT_PUBLIC_DOMAIN, statedRights } from './importer.ts';
import { yearsIn } from './years.ts';

const API = 'https://api.wellcomecollection.org/catalogue/v2/works';
const INCLUDED = 'items,subjects,genres,contributors,production,partOf';
// Pictures, digital images and objects. Most of the library is books and archives.
const WORKS_OF_ART = ['k', 'q', 'r'];

/** Wellcome Collection, London: the daily snapshot of its catalogue, one work per line. */
export const wellcome: Importer = {
  published: {
    files: ['https://data.wellcomecollection.org/catalogue/v2/works.json.gz'],
    bytesAbout: 485_000_000,
  },
  reads: 'works.json.gz from https://developers.wellcomecollection.org/docs/datasets, one work a line',
  free: '`license` of a digital copy (`items.locations`) that is open',
  async *rows(source) {
    for await (const file of source.files()) yield* jsonLines(file);
  },
  map(row) {
    const number = text(row.id, 20);
    if (!/^[a-z0-9]+$/.test(number) || row.type !== 'Work') return { leftOut: NO_NUMBER };
    const kind = object(row.workType);
    if (!WORKS_OF_ART.includes(text(kind.id)))
      return { leftOut: 'neither an image nor an object (workType)' };
    const { rights, image } = reproductionOf(row);
    if (!rights) return { leftOut: NOT_PUBLIC_DOMAIN };
    const date = joined(labelsIn(row.production, 'dates'), 2, 99);
    const physical = text(row.physicalDescription, 2000).split(/\s*;\s+/);
    const isSize = (part: string) => /\d\s*(?:mm|cm|m|in)\b/.test(part);
    const series = objects(row.partOf).find(({ type }) => type === 'Series');
    return {
      record: {
        id: `wellcome_${number}`,
        museum: 'wellcome',
        accession_number: text(row.referenceNumber, 200),
        title: plain(row.title) || 'Untitled',
        other_titles: list(row.alternativeTitles, 10, 1000),
        artists: namedMakers(objects(row.contributors).map(makerOf)),
        date,
        ...yearsIn(date),
        medium: text(physical.filter((part) => !isSize(part)).join('; ')),
        dimensions: text(physical.filter(isSize).join('; ')),
        classification: text(labelsOf(row.genres)[0], 200) || text(kind.label, 200),
        department: text(kind.label, 200),
        culture: joined(labelsIn(row.production, 'places'), 3, 99),
        credit_line: 'Wellcome Collection',
        description: plain(row.description, 4000),
        tags: list([...labelsOf(row.subjects), ...labelsOf(row.genres)], 50, 100),
        ...given({ series: text(series?.title, 500) }),
        source_url: `https://wellcomecollection.org/works/${number}`,
        image,
        rights,
      },
    };
  },
  live: {
    pauseMs: 1000,
    read: async ({ number, get }) => wellcome.map(await get(`${API}/${number}?include=${INCLUDED}`)),
  },
};

const labelsOf = (values: unknown): unknown[] => objects(values).map(({ label }) => label);
const labelsIn = (values: unknown, field: string): unknown[] =>
  objects(values).flatMap((value) => labelsOf(value[field]));

const makerOf = ({ agent, roles }: Record<string, unknown>) => ({
  ...nameAndYears(object(agent).label),
  role: text(labelsOf(roles)[0], 100),
});

const PICTURE = /^https:\/\/iiif\.wellcomecollection\.org\/(?:image|thumbs)\/([\w.%-]+)\//;

/** The first digital copy that is free and open; for works with many pages, their representative image. */
function reproductionOf(row: Record<string, unknown>) {
  const copies = objects(row.items).flatMap(({ locations }) => array(locations));
  const free = [...copies, row.thumbnail].map(object).flatMap(({ license, url, accessConditions }) => {
    const rights = statedRights('items.locations.license.id', object(license).id);
    const isClosed = objects(accessConditions).some(({ status }) => (object(status).id ?? 'open') !== 'open');
    return rights && !isClosed ? [{ rights, picture: PICTURE.exec(text(url))?.[1] }] : [];
  });
  const shown = free.find(({ picture }) => picture) ?? free[0];
  const image = shown?.picture && pictureAt(`https://iiif.wellcomecollection.org/image/${shown.picture}`, '');
  return { rights: shown?.rights, image: image || null };
}
