import { isInArea } from '../places/area.ts';
import type { Segment } from './open_index.ts';
import type { YearRange } from './query_years.ts';
import { NO_YEAR, type Postings } from './segment_builder.ts';
import { CC0, WITH_PICTURE } from './traits.ts';
import { type Area, FAILS, type Filters, type SizeRange } from './types.ts';

/**
 * Bit set of the filters that a work of a segment fails, by its index: a bit each (types.ts), 0 if it passes
 * them all.
 */
export type PlaceFilter = (place: number) => number;

type Columns = Pick<
  Segment,
  'works' | 'traits' | 'longSides' | 'heights' | 'widths' | 'yearsFrom' | 'yearsTo' | 'points'
>;

/** @param media for each word group of the medium, the posting lists of its words */
export function filterPlaces(
  { works, traits, longSides, heights, widths, yearsFrom, yearsTo, points }: Columns,
  { isCc0, hasImage, longSideMin, kinds, century, years, height, width, area }: Filters,
  media: readonly (readonly Postings[])[],
): PlaceFilter {
  const isMade = media.length > 0 ? havingAll(works, media) : undefined;
  const isThere = area ? inArea(works, points, area) : undefined;
  return (place) => {
    const own = traits[place]!;
    let failed = 0;
    if (isCc0 && !(own & CC0)) failed |= FAILS.licence;
    if (hasImage && !(own & WITH_PICTURE)) failed |= FAILS.has_image;
    if (longSides[place]! < longSideMin) failed |= FAILS.min_px;
    if ((kinds !== 0 && !(own & kinds)) || (isMade && isMade[place] !== media.length)) failed |= FAILS.medium;
    if (century && !isMostlyFrom(century, yearsFrom[place]!, yearsTo[place]!)) failed |= FAILS.century;
    if (years && !isMostlyFrom(years, yearsFrom[place]!, yearsTo[place]!)) failed |= FAILS.years;
    if (height && !isBetween(height, heights[place]!)) failed |= FAILS.height_cm;
    if (width && !isBetween(width, widths[place]!)) failed |= FAILS.width_cm;
    if (isThere && isThere[place] === 0) failed |= FAILS.area;
    return failed;
  };
}

/** Works with a point in the area. Works without a point are outside. */
function inArea(works: number, points: Int32Array, area: Area): Uint8Array {
  const isIn = new Uint8Array(works);
  for (let at = 0; at < points.length; at += 3) {
    if (isInArea(area, points[at + 1]! / 100, points[at + 2]! / 100)) isIn[points[at]!] = 1;
  }
  return isIn;
}

/** A work of unknown size is outside every range. */
const isBetween = ({ from, to }: SizeRange, side: number): boolean =>
  side !== 0 && side >= from && side <= to;

/** True if at least half of the possible years of a work are within a period. */
export function isMostlyFrom({ from, to }: YearRange, begin: number, end: number): boolean {
  if (begin === NO_YEAR || end === NO_YEAR) return false;
  const shared =
    Math.min(end, to ?? Number.POSITIVE_INFINITY) - Math.max(begin, from ?? Number.NEGATIVE_INFINITY) + 1;
  return 2 * shared >= end - begin + 1;
}

/** Number of consecutive groups that each work contains, 255 at most. */
function havingAll(works: number, groups: readonly (readonly Postings[])[]): Uint8Array {
  const having = new Uint8Array(works);
  groups.forEach((lists, before) => {
    for (const { places } of lists)
      for (const place of places) if (having[place] === before) having[place] = before + 1;
  });
  return having;
}
