import { type PlacePoint, placePointsOf } from '../places/places_in_words.ts';
import type { StoredRecord } from '../records/record_store.ts';
import { sizeOfWork } from '../records/size_in_words.ts';
import { licencePassport } from './licence_passport.ts';
import { basisOf } from './record_basis.ts';

/** A column of a snapshot's records: name, schema.org type and description. */
interface SnapshotField {
  readonly name: string;
  readonly type: 'sc:Text' | 'sc:Integer' | 'sc:Boolean' | 'sc:URL' | 'sc:Date';
  /** True for a list of such values. */
  readonly isArray?: true;
  readonly what: string;
  of(work: StoredRecord): unknown;
}

const field = (
  name: string,
  type: SnapshotField['type'],
  what: string,
  of: SnapshotField['of'],
): SnapshotField => ({ name, type, what, of });

const list = (name: string, what: string, of: (work: StoredRecord) => readonly string[]): SnapshotField => ({
  name,
  type: 'sc:Text',
  isArray: true,
  what,
  of,
});

const pointsOf = ({ record }: StoredRecord): readonly PlacePoint[] => placePointsOf(record);

const millimetres = (size: number | undefined): number | null =>
  size === undefined ? null : Math.round(10 * size);

/**
 * The columns of a snapshot's records, in its file and in the Croissant card. Flat, because loaders read JSON
 * Lines by column. Image URLs are not included: images are provided by `batch_download` and `get_artwork`.
 */
export const SNAPSHOT_FIELDS: readonly SnapshotField[] = [
  field(
    'id',
    'sc:Text',
    "Museum, underscore, the museum's number; a name for works of Paris in the starter catalogue.",
    ({ record }) => record.id,
  ),
  field(
    'sha256',
    'sc:Text',
    'Of the complete record including the image URL, as JSON with sorted keys and without spaces.',
    ({ sha256 }) => sha256,
  ),
  field('basis', 'sc:Text', 'museum_data, or starter_catalogue: written by hand.', ({ record }) =>
    basisOf(record),
  ),
  field(
    'seen_on',
    'sc:Date',
    "Date on which the museum's data was read; null: not read.",
    ({ seenOn }) => seenOn,
  ),
  field('museum', 'sc:Text', 'Short name of the museum.', ({ record }) => record.museum),
  field(
    'accession_number',
    'sc:Text',
    'Inventory number of the museum.',
    ({ record }) => record.accession_number,
  ),
  field('title', 'sc:Text', "In the museum's language for imported records.", ({ record }) => record.title),
  list('other_titles', 'In other languages, former titles, series.', ({ record }) => record.other_titles),
  list('artists', 'Makers, most important first.', ({ record }) => record.artists.map(({ name }) => name)),
  list('artist_nationalities', 'Of each maker, in the same order; empty if not stated.', ({ record }) =>
    record.artists.map(({ nationality }) => nationality),
  ),
  field('date', 'sc:Text', 'As written by the museum for imported records.', ({ record }) => record.date),
  field('year_from', 'sc:Integer', 'First possible year; negative for BC.', ({ record }) => record.year_from),
  field('year_to', 'sc:Integer', 'Last possible year.', ({ record }) => record.year_to),
  field('medium', 'sc:Text', 'Material and technique.', ({ record }) => record.medium),
  field(
    'dimensions',
    'sc:Text',
    'As written by the museum; empty if none were read.',
    ({ record }) => record.dimensions,
  ),
  field('height_mm', 'sc:Integer', 'Parsed from dimensions; null: not recognised.', ({ record }) =>
    millimetres(sizeOfWork(record.dimensions)?.height_cm),
  ),
  field('width_mm', 'sc:Integer', 'Width, like height_mm.', ({ record }) =>
    millimetres(sizeOfWork(record.dimensions)?.width_cm),
  ),
  field(
    'series',
    'sc:Text',
    'Series, portfolio or album; empty if none is stated.',
    ({ record }) => record.series ?? '',
  ),
  field('classification', 'sc:Text', 'Kind of object.', ({ record }) => record.classification),
  field('department', 'sc:Text', 'Department of the museum.', ({ record }) => record.department),
  field('culture', 'sc:Text', 'Culture or place of origin.', ({ record }) => record.culture),
  field(
    'description',
    'sc:Text',
    "The museum's description if it is free; empty if none was read.",
    ({ record }) => record.description,
  ),
  field(
    'provenance',
    'sc:Text',
    "Owners in the museum's words; empty if none were read.",
    ({ record }) => record.provenance ?? '',
  ),
  field(
    'exhibitions',
    'sc:Text',
    'Exhibitions; empty if none were read.',
    ({ record }) => record.exhibitions ?? '',
  ),
  field(
    'references',
    'sc:Text',
    'Publications; empty if none were read.',
    ({ record }) => record.references ?? '',
  ),
  list('place_names', 'Places with coordinates, as written by the museum.', (work) =>
    pointsOf(work).map(({ name }) => name),
  ),
  list(
    'place_kinds',
    'Relation of each place to the work, in the same order: made, shown, found, named.',
    (work) => pointsOf(work).map(({ kind }) => kind),
  ),
  list('place_points', 'Latitude and longitude of each place (WGS 84, degrees), as "52.37 4.89".', (work) =>
    pointsOf(work).map(({ latitude, longitude }) => `${latitude} ${longitude}`),
  ),
  field(
    'wikidata',
    'sc:URL',
    'The work in Wikidata according to the museum; null: not stated.',
    ({ record }) => record.same_as?.[0] ?? null,
  ),
  list('tags', 'Subjects, styles and places.', ({ record }) => record.tags),
  list('iconclass', 'Subjects as Iconclass notations.', ({ record }) => record.iconclass ?? []),
  field(
    'highlight',
    'sc:Boolean',
    'Among the best-known works of its museum.',
    ({ record }) => record.highlight,
  ),
  field(
    'has_image',
    'sc:Boolean',
    'Whether the record has an image URL.',
    ({ record }) => record.image !== null,
  ),
  field('rights', 'sc:Text', 'public_domain or cc0.', ({ record }) => record.rights.status),
  field('rights_url', 'sc:URL', 'The licence or mark.', ({ record }) => record.rights.url),
  field(
    'rights_field',
    'sc:Text',
    "Field of the museum's own data that states the rights; null: none was read.",
    ({ record }) => record.rights.evidence?.field ?? null,
  ),
  field(
    'rights_value',
    'sc:Text',
    'Value of that field.',
    ({ record }) => record.rights.evidence?.value ?? null,
  ),
  field(
    'source_url',
    'sc:URL',
    "The museum's page of the work; not verified for the starter catalogue.",
    ({ record }) => record.source_url,
  ),
  field(
    'attribution',
    'sc:Text',
    'Credit line for display beside the image.',
    (work) => licencePassport(work).attribution,
  ),
];

/** One line of a snapshot's file, without line break. */
export const snapshotLine = (work: StoredRecord): string =>
  JSON.stringify(Object.fromEntries(SNAPSHOT_FIELDS.map(({ name, of }) => [name, of(work)])));
