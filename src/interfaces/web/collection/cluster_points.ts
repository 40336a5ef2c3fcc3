import { placeName } from './words.ts';
import type { Frame, Point } from './world_map.ts';

/** A dot of a map: one place or several that lie close together. */
export interface Dot extends Point {
  /** Of the place with the most works. */
  readonly name: string;
  readonly places: number;
  readonly works: number;
  /** As the filter takes it. */
  readonly area: string;
}

/** Dots from side to side, at most: nearer ones would lie on each other. */
const ACROSS = 30;
const DOTS_MAX = 300;
/** Around a place; the next one of the gazetteer is farther away. */
const PLACE_KM = 10;

/** Puts points that would lie on each other into one dot at the place with the most works. The most works first. */
export function clusterPoints(points: readonly (Point & { readonly works: number })[], frame: Frame): Dot[] {
  const step = frame.width / ACROSS;
  const cells = new Map<string, (Point & { readonly works: number })[]>();
  for (const point of points) {
    const { latitude, longitude } = point;
    const isShown =
      longitude >= frame.west &&
      longitude <= frame.west + frame.width &&
      latitude <= frame.north &&
      latitude >= frame.north - frame.height;
    if (!isShown) continue;
    const cell = `${Math.floor(longitude / step)} ${Math.floor(latitude / step)}`;
    cells.set(cell, [...(cells.get(cell) ?? []), point]);
  }
  return [...cells.values()]
    .map(dotOf)
    .sort((one, other) => other.works - one.works)
    .slice(0, DOTS_MAX);
}

/** @param points not none, the most works first */
function dotOf(points: readonly (Point & { readonly works: number })[]): Dot {
  const { latitude, longitude } = points[0]!;
  const latitudes = points.map((point) => point.latitude);
  const longitudes = points.map((point) => point.longitude);
  const box = [
    Math.min(...latitudes),
    Math.min(...longitudes),
    Math.max(...latitudes),
    Math.max(...longitudes),
  ].map((degrees, at) => Math.round(100 * (degrees + (at < 2 ? -0.05 : 0.05))) / 100);
  return {
    latitude,
    longitude,
    name: placeName(points[0]!),
    places: points.length,
    works: points.reduce((sum, { works }) => sum + works, 0),
    area: points.length > 1 ? box.join(',') : `${latitude},${longitude},${PLACE_KM}`,
  };
}
