import { jsonArray } from '../readers/json_array.ts';
import {
  array,
  joined,
  lifeYear,
  list,
  namedMakers,
  object,
  objects,
  pictureAt,
  sides,
  text,
  yearSpan,
} from './clean.ts';
import { type Importer, NO_NUMBER, NOT_PUBLIC_DOMAIN, statedRights } from './importer.ts';

const SITE = 'https://kokoelma.kansallisgalleria.fi';

/**
 * Finnish National Gallery (Ateneum, Kiasma, Sinebrychoff): all its objects in one list. It has no API for
 * single works.
 */
export const fng: Importer = {
  published: { files: [`${SITE}/api/v1/objects`], bytesAbout: 275_000_000 },
  reads: `${SITE}/api/v1/objects, saved as a file`,
  free: '`license` of a picture (`multimedia`)',
  async *rows(source) {
    for await (const file of source.files()) yield* jsonArray(file);
  },
  map(row) {
    const number = text(row.objectId, 12);
    if (!/^\d+$/.test(number)) return { leftOut: NO_NUMBER };
    if (inEnglish(row.category) !== 'artwork') return { leftOut: 'not a work of art (category)' };
    const [free] = objects(row.multimedia).flatMap((one) => {
      const rights = statedRights('multimedia.license', one.license);
      return rights ? [{ rights, image: imageOf(one) }] : [];
    });
    if (!free) return { leftOut: NOT_PUBLIC_DOMAIN };
    const { en, fi, sv } = object(row.title);
    const titles = list([en, fi, sv], 3, 1000);
    return {
      record: {
        id: `fng_${number}`,
        museum: 'fng',
        accession_number: text(row.inventoryNumber, 200),
        title: titles[0] ?? 'Nimetön',
        other_titles: titles.slice(1),
        artists: makersOf(row.people),
        date: joined([row.yearFrom, row.yearTo], 2, 20, '–'),
        ...yearSpan(row.yearFrom, row.yearTo ?? row.yearFrom),
        medium: joined([...words(row.technique), ...words(row.materials)], 10, 90),
        dimensions: dimensionsOf(row.dimensions),
        classification: joined(words(row.classifications), 2, 99),
        department: text(row.responsibleOrganisation, 200),
        credit_line: inEnglish(row.collection),
        tags: list([...words(row.keywords), ...words(row.styles)], 50, 100),
        source_url: `${SITE}/en/object/${number}`,
        image: free.image,
        rights: free.rights,
      },
    };
  },
};

/** The English text of { en, fi, sv }. */
const inEnglish = (value: unknown): string => {
  const { en, fi, sv } = object(value);
  return text(en) || text(fi) || text(sv);
};

/** Several words are a list of objects; a single word is not in a list. */
const words = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(inEnglish);

/** Artists first, then copyists and persons shown. */
function makersOf(value: unknown) {
  const people = objects(value);
  const artists = people.filter(({ role }) => /^artist/i.test(inEnglish(role)));
  const makers = (artists.length > 0 ? artists : people).map((person) => ({
    name: joined([person.firstName, person.familyName], 2, 149, ' '),
    role: inEnglish(person.role).slice(0, 100),
    born: lifeYear(person.birthYear),
    died: lifeYear(person.deathYear),
  }));
  return namedMakers(makers);
}

const dimensionsOf = (value: unknown): string =>
  objects(value)
    .map(({ measurements, unit }) => `${sides(array(measurements))} ${text(unit, 6)}`)
    .filter((size) => /\d/.test(size))
    .join('; ')
    .slice(0, 1000);

/** Its largest JPEG; URLs are keyed by width in px. */
function imageOf({ jpg, id, image_version: version }: Record<string, unknown>) {
  const widths = Object.entries(object(jpg)).sort(([a], [b]) => Number(b) - Number(a));
  const known = `${SITE}/media-assets/${Number(version) || 1}/jpg/1000/${text(id, 12)}.jpg`;
  return pictureAt('', widths[0]?.[1] ?? (/^\d+$/.test(text(id)) && known));
}
