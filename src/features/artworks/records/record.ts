import { z } from 'zod';
import { PLACE_KINDS } from '../limits.ts';
import { MUSEUM_NAMES } from '../museums/museums.ts';

/** The database holds neither U+0000 nor lone surrogates, which museums and texts cut inside a pair may have. */
const text = (charactersMax: number) =>
  z
    .string()
    .overwrite((value) => value.replaceAll('\0', '').toWellFormed())
    .trim()
    .max(charactersMax);
const web = z.url({ protocol: /^https?$/ }).max(2000);

/** Year of the common era; years before it are negative, as the museums write them. */
const year = z.int().min(-20_000).max(3000);

/** What a person or work is in Wikidata or, of persons, in the Union List of Artist Names. */
const authorities = z
  .array(z.string().regex(/^https:\/\/(www\.wikidata\.org\/wiki\/Q\d{1,12}|vocab\.getty\.edu\/ulan\/\d{9})$/))
  .min(1)
  .max(2)
  .optional();

/** Two digits, letters, digits; names in brackets; keys: "25F36(SWAN)", "11H(JOHN THE BAPTIST)", "31A(+5)". */
export const ICONCLASS_NOTATION = /^\d{1,2}[A-Z]{0,2}\d{0,20}(?:\([^()]{1,60}\)\d{0,20}){0,4}$/;

const artist = z.strictObject({
  /** As people say it: "Rembrandt van Rijn", not "Rijn, Rembrandt van". */
  name: text(300).min(1),
  /** What the museum says the person did, in its own words ("Artist", "Publisher", "prentmaker"). Empty: not said. */
  role: text(100).default(''),
  nationality: text(100).default(''),
  born: year.nullable().default(null),
  died: year.nullable().default(null),
  /** As the museum says. Absent: it does not. */
  same_as: authorities,
});

const image = z.strictObject({
  /**
   * `file`: the picture's own address. `iiif`: base of a IIIF image service, to which region and size are added.
   * `lookup`: a record of the museum's API that names the picture.
   */
  kind: z.enum(['file', 'iiif', 'lookup']),
  url: web,
  /** Pixels of the original, where the museum says. */
  width: z.int().positive().nullable().default(null),
  height: z.int().positive().nullable().default(null),
});

const rights = z.strictObject({
  /** What was found: a work in the public domain, or one the museum dedicates to it (CC0). */
  status: z.enum(['public_domain', 'cc0']),
  /** Where the museum says so: the field of its own data and the value read there. Null: taken from general knowledge. */
  evidence: z.strictObject({ field: text(200).min(1), value: text(300).min(1) }).nullable(),
  /** The licence or mark. */
  url: web,
});

/**
 * One work of one museum: what importers produce, the starter catalogue holds and `batch_download` returns. Missing text is "", missing
 * numbers and objects are null. The language is the museum's own.
 */
export const artworkRecord = z.strictObject({
  /** `<museum>_<the museum's own public number>`: met_436535, rijks_SK-C-5, smithsonian_saam_1967.90.2. */
  id: z.string().regex(/^[a-z]+_[0-9A-Za-z][0-9A-Za-z._:()-]{0,99}$/),
  museum: z.enum(MUSEUM_NAMES),
  /** Number in the museum's inventory. */
  accession_number: text(200).default(''),
  title: text(1000).min(1),
  /** In other languages, former titles, series. */
  other_titles: z.array(text(1000).min(1)).max(10).default([]),
  /** Makers, the most important first. Empty: unknown. */
  artists: z.array(artist).max(20).default([]),
  /** As the museum writes it: "ca. 1830–32". */
  date: text(200).default(''),
  /** First and last year the work may come from. */
  year_from: year.nullable().default(null),
  year_to: year.nullable().default(null),
  medium: text(1000).default(''),
  dimensions: text(1000).default(''),
  /** Series, portfolio or album it is part of. As the fields below without a default, absent where the museum names none. */
  series: text(500).min(1).optional(),
  /** Kind of object: "Paintings", "prent", "Drawing". */
  classification: text(200).default(''),
  department: text(200).default(''),
  /** People or place it comes from: "Japan", "French, 19th century". */
  culture: text(300).default(''),
  credit_line: text(1000).default(''),
  description: text(4000).default(''),
  /** Its owners, the first ones first, in the museum's words. */
  provenance: text(4000).min(1).optional(),
  /** Where it was shown. */
  exhibitions: text(4000).min(1).optional(),
  /** Where it was published: books, articles and catalogues in the museum's words, with dots between them. */
  references: text(4000).min(1).optional(),
  /** Places of which the museum's record gives the coordinates (WGS 84, degrees). */
  places: z
    .array(
      z.strictObject({
        name: text(100).min(1),
        kind: z.enum(PLACE_KINDS),
        latitude: z.number().min(-90).max(90),
        longitude: z.number().min(-180).max(180),
      }),
    )
    .min(1)
    .max(8)
    .optional(),
  same_as: authorities,
  /** What it shows, in notations of Iconclass, as the museum gives them. */
  iconclass: z.array(z.string().max(120).regex(ICONCLASS_NOTATION)).min(1).max(30).optional(),
  /** What it shows and what it belongs to: subjects, styles, places. */
  tags: z.array(text(100).min(1)).max(50).default([]),
  /** The museum counts it among its best-known works, or the starter catalogue does. */
  highlight: z.boolean().default(false),
  /** Page of the work at the museum. */
  source_url: web,
  image: image.nullable().default(null),
  rights,
});

export type ArtworkRecord = z.output<typeof artworkRecord>;
/** The same with the defaults left out: what files hold. */
export type ArtworkRecordInput = z.input<typeof artworkRecord>;

/** Whether a record contains an image address. Records of kind `lookup` do not; the museum is asked for the image on demand. */
export const namesPicture = ({ image }: Pick<ArtworkRecord, 'image'>): boolean => image !== null;

/** Whether a record has all that museums publish: it was read at its museum, and names the picture. */
export const isWhole = ({ rights: { evidence }, image }: Pick<ArtworkRecord, 'rights' | 'image'>): boolean =>
  evidence !== null && image !== null && image.kind !== 'lookup';

/**
 * Checks a record from a file or an importer and fills in defaults.
 * @throws Error naming every wrong field
 */
export function parseRecord(value: unknown): ArtworkRecord {
  const parsed = artworkRecord.safeParse(value);
  if (!parsed.success) {
    throw new Error(
      parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'record'}: ${message}`).join('; '),
    );
  }
  const { id, museum } = parsed.data;
  if (!id.startsWith(`${museum}_`)) throw new Error(`id: must start with ${museum}_`);
  return parsed.data;
}
