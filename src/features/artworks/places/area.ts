import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { Area } from '../search/types.ts';

/** Mean radius of the Earth (IUGG). */
const EARTH_RADIUS_KM = 6371;
/** Half of the circumference: a circle of this radius contains every point. */
const AREA_KM_MAX = 20_016;
const RADIANS = Math.PI / 180;

/** Whether a point (degrees) lies in an area. A box may cross the 180th meridian. */
export function isInArea(area: Area, latitude: number, longitude: number): boolean {
  if ('km' in area) return distanceKm(area, { latitude, longitude }) <= area.km;
  const { south, west, north, east } = area;
  if (latitude < south || latitude > north) return false;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Great-circle distance (haversine formula). */
function distanceKm(one: Point, other: Point): number {
  const half = (from: number, to: number) => Math.sin(((to - from) * RADIANS) / 2) ** 2;
  const chord =
    half(one.latitude, other.latitude) +
    Math.cos(one.latitude * RADIANS) *
      Math.cos(other.latitude * RADIANS) *
      half(one.longitude, other.longitude);
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}

const NUMBER = /^-?\d{1,5}(?:\.\d{1,10})?$/;

/**
 * Reads an area: "48.85,2.35,50" (latitude, longitude, kilometres around) or "47,5,55,15" (south, west, north, east).
 * @throws AtelierError invalid_input
 */
export function readArea(asked: string): Area {
  const numbers = asked
    .replace(/\s*km$/i, '')
    .split(/\s*[,;]\s*|\s+/)
    .map((part) => (NUMBER.test(part) ? Number(part) : Number.NaN));
  const isLatitude = (number: number) => Math.abs(number) <= 90;
  const isLongitude = (number: number) => Math.abs(number) <= 180;
  if (numbers.length === 3) {
    const [latitude = Number.NaN, longitude = Number.NaN, km = Number.NaN] = numbers;
    if (isLatitude(latitude) && isLongitude(longitude) && km > 0 && km <= AREA_KM_MAX)
      return { latitude, longitude, km };
  }
  if (numbers.length === 4) {
    const [south = Number.NaN, west = Number.NaN, north = Number.NaN, east = Number.NaN] = numbers;
    if (isLatitude(south) && isLatitude(north) && south <= north && isLongitude(west) && isLongitude(east))
      return { south, west, north, east };
  }
  throw invalidField(
    'area',
    `area must be "latitude,longitude,km" such as "48.85,2.35,50", or "south,west,north,east" such as "47,5,55,15", in degrees.`,
  );
}
