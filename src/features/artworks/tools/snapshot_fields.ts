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
    'Museum, underscore, its number there; of works of Paris in the starter catalogue a name.',
    ({ record }) => record.id,
  ),
  field(
    'sha256',
    'sc:Text',
    "Of the whole record, its picture's address included, as JSON with sorted keys and without spaces.",
    ({ sha256 }) => sha256,
  ),
  field('basis', 'sc:Text', 'museum_data, or starter_catalogue: written down by hand.', ({ record }) =>
    basisOf(record),
  ),
  field(
    'seen_on',
    'sc:Date',
    "Day on which the museum's data was read; null: it was not.",
    ({ seenOn }) => seenOn,
  ),
  field('museum', 'sc:Text', 'Short name of the museum.', ({ record }) => record.museum),
  field(
    'accession_number',
    'sc:Text',
    "Number in the museum's inventory.",
    ({ record }) => record.accession_number,
  ),
  field(
    'title',
    'sc:Text',
    'Of records that were read in the language of the museum.',
    ({ record }) => record.title,
  ),
  list('other_titles', 'In other languages, former titles, series.', ({ record }) => record.other_titles),
  list('artists', 'Makers, the most important first.', ({ record }) =>
    record.artists.map(({ name }) => name),
  ),
  list(
    'artist_nationalities',
    'Of each maker, in the same order; empty where it is not said.',
    ({ record }) => record.artists.map(({ nationality }) => nationality),
  ),
  field('date', 'sc:Text', 'Of records that were read as the museum writes it.', ({ record }) => record.date),
  field(
    'year_from',
    'sc:Integer',
    'First year it may be from; negative before our era.',
    ({ record }) => record.year_from,
  ),
  field('year_to', 'sc:Integer', 'Last year it may be from.', ({ record }) => record.year_to),
  field('medium', 'sc:Text', 'Material and technique.', ({ record }) => record.medium),
  field(
    'dimensions',
    'sc:Text',
    'As the museum writes them; empty where none were read.',
    ({ record }) => record.dimensions,
  ),
  field('height_mm', 'sc:Integer', 'Read from dimensions; null: not understood.', ({ record }) =>
    millimetres(sizeOfWork(record.dimensions)?.height_cm),
  ),
  field('width_mm', 'sc:Integer', 'The same of the width.', ({ record }) =>
    millimetres(sizeOfWork(record.dimensions)?.width_cm),
  ),
  field(
    'series',
    'sc:Text',
    'Series, portfolio or album it is part of; empty where none is named.',
    ({ record }) => record.series ?? '',
  ),
  field('classification', 'sc:Text', 'Kind of object.', ({ record }) => record.classification),
  field('department', 'sc:Text', 'Part of the museum that keeps it.', ({ record }) => record.department),
  field('culture', 'sc:Text', 'People or place it comes from.', ({ record }) => record.culture),
  field(
    'description',
    'sc:Text',
    "The museum's own words, where they are free; empty where none were read.",
    ({ record }) => record.description,
  ),
  field(
    'provenance',
    'sc:Text',
    "Its owners in the museum's words; empty where none were read.",
    ({ record }) => record.provenance ?? '',
  ),
  field(
    'exhibitions',
    'sc:Text',
    'Where it was shown; empty where that was not read.',
    ({ record }) => record.exhibitions ?? '',
  ),
  field(
    'references',
    'sc:Text',
    'Where it was published; empty where that was not read.',
    ({ record }) => record.references ?? '',
  ),
  list('place_names', 'Places of the work that have a point, as the museum writes them.', (work) =>
    pointsOf(work).map(({ name }) => name),
  ),
  list('place_kinds', 'What each of them is to it, in the same order: made, shown, found, named.', (work) =>
    pointsOf(work).map(({ kind }) => kind),
  ),
  list('place_points', 'Latitude and longitude of each (WGS 84, degrees), as "52.37 4.89".', (work) =>
    pointsOf(work).map(({ latitude, longitude }) => `${latitude} ${longitude}`),
  ),
  field(
    'wikidata',
    'sc:URL',
    'The work in Wikidata, as the museum says; null: it does not.',
    ({ record }) => record.same_as?.[0] ?? null,
  ),
  list('tags', 'What it shows and what it belongs to.', ({ record }) => record.tags),
  list('iconclass', 'What it shows, in notations of Iconclass.', ({ record }) => record.iconclass ?? []),
  field(
    'highlight',
    'sc:Boolean',
    'Among the best-known works of its museum.',
    ({ record }) => record.highlight,
  ),
  field('has_image', 'sc:Boolean', 'Whether it names a picture.', ({ record }) => record.image !== null),
  field('rights', 'sc:Text', 'public_domain or cc0.', ({ record }) => record.rights.status),
  field('rights_url', 'sc:URL', 'The licence or mark.', ({ record }) => record.rights.url),
  field(
    'rights_field',
    'sc:Text',
    "The field of the museum's own data that says so; null: none was read.",
    ({ record }) => record.rights.evidence?.field ?? null,
  ),
  field(
    'rights_value',
    'sc:Text',
    'What stood in that field.',
    ({ record }) => record.rights.evidence?.value ?? null,
  ),
  field(
    'source_url',
    'sc:URL',
    'Page of the work at its museum; of the starter catalogue, where it should be.',
    ({ record }) => record.source_url,
  ),
  field(
    'attribution',
    'sc:Text',
    'A line to show beside the picture.',
    (work) => licencePassport(work).attribution,
  ),
];

/** One line of a snapshot's file, without line break. */
export const snapshotLine = (work: StoredRecord): string =>
  JSON.stringify(Object.fromEntries(SNAPSHOT_FIELDS.map(({ name, of }) => [name, of(work)])));
