import { readFileSync } from 'node:fs';
import type { PLACE_KINDS } from '../limits.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { fold, wordsOf } from '../search/fold.ts';

type PlaceKind = (typeof PLACE_KINDS)[number];
type PlacePrecision = 'city' | 'region' | 'country';

/** Location of a work's place, WGS 84, in degrees. */
export interface PlacePoint {
  /** As written by the museum. */
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly kind: PlaceKind;
  /** The point of a region or country is near its centre. */
  readonly precision: PlacePrecision;
  /** `museum`: given by the museum's record. `gazetteer`: looked up by name. */
  readonly source: 'museum' | 'gazetteer';
}

interface Known {
  readonly latitude: number;
  readonly longitude: number;
  readonly precision: PlacePrecision;
  /**
   * True if the name also counts as a place among subjects, where "Nice" and "Reading" may mean other things.
   */
  readonly isPlaceAlways: boolean;
  /** The usual English name. */
  readonly name: string;
}

const keyOf = (name: string): string => wordsOf(fold(name)).join(' ');

const rowsOf = (file: string): string[][] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));

let gazetteer: ReadonlyMap<string, Known> | undefined;

/** Places by folded name: cities.txt, overridden by named_places.txt. Loaded once. */
function places(): ReadonlyMap<string, Known> {
  if (gazetteer) return gazetteer;
  const known = new Map<string, Known>();
  for (const [name = '', latitude, longitude, always] of rowsOf('cities.txt')) {
    known.set(keyOf(name), {
      name,
      latitude: Number(latitude),
      longitude: Number(longitude),
      precision: 'city',
      isPlaceAlways: always === '+',
    });
  }
  for (const [names = '', latitude, longitude, precision] of rowsOf('named_places.txt')) {
    const [name = ''] = names.split('; ');
    const place = {
      name,
      latitude: Number(latitude),
      longitude: Number(longitude),
      precision: precision as PlacePrecision,
      isPlaceAlways: true,
    };
    for (const one of names.split('; ')) known.set(keyOf(one), place);
  }
  gazetteer = known;
  return known;
}

/** Museums whose subjects are what a work shows. Those of other museums may be any related place. */
const SUBJECTS_ARE_SHOWN = new Set<string>(['rijks', 'paris', 'smk', 'wellcome', 'mkg', 'fng', 'mia']);

/** Limits the points per record, and the parts of a text that are looked up. */
const POINTS_MAX = 8;
const PARTS_MAX = 80;
/** Qualifiers of a place: "possibly Delft", "probably Manises", "present-day Iran". The record keeps them. */
const DOUBT = /^(?:possibly|probably|perhaps|mogelijk|waarschijnlijk|present-day|near|omgeving)\s+/i;

/**
 * Points of a work's places: those given by its museum, then names with exactly one entry in the gazetteer.
 * Unknown and ambiguous names have no point.
 */
export function placePointsOf(
  record: Pick<ArtworkRecord, 'museum' | 'culture' | 'tags' | 'places'>,
): PlacePoint[] {
  const points: PlacePoint[] = [];
  const seen = new Set<string>();
  const add = (point: PlacePoint) => {
    const at = `${point.latitude},${point.longitude}`;
    if (points.length === POINTS_MAX || seen.has(at)) return;
    seen.add(at);
    points.push(point);
  };
  for (const place of record.places ?? []) add({ ...place, precision: 'city', source: 'museum' });
  for (const part of record.culture.split(/\s*[,;()/|]\s*/).slice(0, PARTS_MAX))
    addNamed(part, 'made', () => true);
  const kind = SUBJECTS_ARE_SHOWN.has(record.museum) ? 'shown' : 'named';
  for (const tag of record.tags.slice(0, PARTS_MAX))
    addNamed(tag, record.museum === 'cleveland' ? 'found' : kind, ({ isPlaceAlways }) => isPlaceAlways);
  return points;

  function addNamed(name: string, kind: PlaceKind, isMeant: (place: Known) => boolean): void {
    const place = placeNamed(name);
    if (!place || !isMeant(place)) return;
    const { latitude, longitude, precision } = place;
    add({ name, latitude, longitude, kind, precision, source: 'gazetteer' });
  }
}

/** Museums repeat their subjects, and a cached lookup takes a tenth of the time. */
const NAMES_KEPT_MAX = 20_000;
const kept = new Map<string, Known | undefined>();

function placeNamed(name: string): Known | undefined {
  if (kept.has(name)) return kept.get(name);
  const place = places().get(keyOf(name.replace(DOUBT, '')));
  if (kept.size >= NAMES_KEPT_MAX) kept.clear();
  kept.set(name, place);
  return place;
}

let byPoint: ReadonlyMap<string, string> | undefined;

/** Name of the gazetteer's entry at a point, to a hundredth of a degree; undefined if there is none. */
export function nameOfPoint(latitude: number, longitude: number): string | undefined {
  byPoint ??= new Map(
    [...places().values()].map((place) => [`${place.latitude},${place.longitude}`, place.name]),
  );
  return byPoint.get(`${latitude},${longitude}`);
}
