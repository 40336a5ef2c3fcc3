import { z } from 'zod';
import { PLACE_KINDS } from '../limits.ts';
import { MUSEUM_NAMES } from '../museums/museums.ts';

/**
 * PostgreSQL rejects U+0000 and lone surrogates, which occur in museum data and in texts cut inside a
 * surrogate pair.
 */
const text = (charactersMax: number) =>
  z
    .string()
    .overwrite((value) => value.replaceAll('\0', '').toWellFormed())
    .trim()
    .max(charactersMax);
const web = z.url({ protocol: /^https?$/ }).max(2000);

/** Year of the common era; earlier years are negative, as written by museums. */
const year = z.int().min(-20_000).max(3000);

/** Identifiers of a person or work in Wikidata or, for persons, in the Union List of Artist Names. */
const authorities = z
  .array(z.string().regex(/^https:\/\/(www\.wikidata\.org\/wiki\/Q\d{1,12}|vocab\.getty\.edu\/ulan\/\d{9})$/))
  .min(1)
  .max(2)
  .optional();

/**
 * Two digits, letters, digits, names in brackets, and keys: "25F36(SWAN)", "11H(JOHN THE BAPTIST)",
 * "31A(+5)".
 */
export const ICONCLASS_NOTATION = /^\d{1,2}[A-Z]{0,2}\d{0,20}(?:\([^()]{1,60}\)\d{0,20}){0,4}$/;

const artist = z.strictObject({
  /** In natural order: "Rembrandt van Rijn", not "Rijn, Rembrandt van". */
  name: text(300).min(1),
  /** Role in the museum's own words ("Artist", "Publisher", "prentmaker"). Empty: not stated. */
  role: text(100).default(''),
  nationality: text(100).default(''),
  born: year.nullable().default(null),
  died: year.nullable().default(null),
  /** As stated by the museum. Absent: not stated. */
  same_as: authorities,
});

const image = z.strictObject({
  /**
   * `file`: URL of the image. `iiif`: base URL of an image service, to which region and size are appended.
   * `lookup`: URL of a record in the museum's API that contains the image URL.
   */
  kind: z.enum(['file', 'iiif', 'lookup']),
  url: web,
  /** Width of the original in px, if the museum states it. */
  width: z.int().positive().nullable().default(null),
  height: z.int().positive().nullable().default(null),
});

const rights = z.strictObject({
  /** A work in the public domain, or one that the museum dedicates to it (CC0). */
  status: z.enum(['public_domain', 'cc0']),
  /** Source of the statement: the field of the museum's own data and its value. Null: general knowledge. */
  evidence: z.strictObject({ field: text(200).min(1), value: text(300).min(1) }).nullable(),
  /** URL of the licence or mark. */
  url: web,
});

/**
 * One work of one museum: produced by importers, contained in the starter catalogue and returned by
 * `batch_download`. Missing text is "", missing numbers and objects are null. Texts are in the museum's
 * language.
 */
export const artworkRecord = z.strictObject({
  /** `<museum>_<the museum's own public number>`: met_436535, rijks_SK-C-5, smithsonian_saam_1967.90.2. */
  id: z.string().regex(/^[a-z]+_[0-9A-Za-z][0-9A-Za-z._:()-]{0,99}$/),
  museum: z.enum(MUSEUM_NAMES),
  /** Inventory number of the museum. */
  accession_number: text(200).default(''),
  title: text(1000).min(1),
  /** Titles in other languages, former titles, series. */
  other_titles: z.array(text(1000).min(1)).max(10).default([]),
  /** Makers, most important first. Empty: unknown. */
  artists: z.array(artist).max(20).default([]),
  /** As written by the museum: "ca. 1830–32". */
  date: text(200).default(''),
  /** First and last possible year of the work. */
  year_from: year.nullable().default(null),
  year_to: year.nullable().default(null),
  medium: text(1000).default(''),
  dimensions: text(1000).default(''),
  /**
   * Series, portfolio or album of which the work is a part. Like all fields without a default, absent if the
   * museum states none.
   */
  series: text(500).min(1).optional(),
  /** Type of object: "Paintings", "prent", "Drawing". */
  classification: text(200).default(''),
  department: text(200).default(''),
  /** Culture or place of origin: "Japan", "French, 19th century". */
  culture: text(300).default(''),
  credit_line: text(1000).default(''),
  description: text(4000).default(''),
  /** Owners, earliest first, in the museum's words. */
  provenance: text(4000).min(1).optional(),
  /** Exhibitions of the work. */
  exhibitions: text(4000).min(1).optional(),
  /** Publications in the museum's words, separated by dots: books, articles and catalogues. */
  references: text(4000).min(1).optional(),
  /** Places whose coordinates the museum's record states (WGS 84, in degrees). */
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
  /** Subjects as Iconclass notations, as stated by the museum. */
  iconclass: z.array(z.string().max(120).regex(ICONCLASS_NOTATION)).min(1).max(30).optional(),
  /** Subjects, styles and places. */
  tags: z.array(text(100).min(1)).max(50).default([]),
  /** True if the museum, or the starter catalogue, counts the work among the best known. */
  highlight: z.boolean().default(false),
  /** The museum's page of the work. */
  source_url: web,
  image: image.nullable().default(null),
  rights,
});

export type ArtworkRecord = z.output<typeof artworkRecord>;
/** A record without the defaults, as stored in files. */
export type ArtworkRecordInput = z.input<typeof artworkRecord>;

/**
 * Whether a record contains an image URL. For kind `lookup`, the museum is asked for the image URL on demand.
 */
export const namesPicture = ({ image }: Pick<ArtworkRecord, 'image'>): boolean => image !== null;

/** Whether a record is complete: read at its museum, with an image. */
export const isWhole = ({ rights: { evidence }, image }: Pick<ArtworkRecord, 'rights' | 'image'>): boolean =>
  evidence !== null && image !== null && image.kind !== 'lookup';

/**
 * Validates a record from a file or an importer and fills in defaults.
 * @throws Error naming every invalid field
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
