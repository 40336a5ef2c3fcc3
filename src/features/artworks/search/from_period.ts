import { isMostlyFrom } from './filter_places.ts';
import type { Segment } from './open_index.ts';
import type { Postings } from './postings.ts';
import type { Period } from './types.ts';
import { PERIOD_IMPACT } from './weights.ts';

/** Works of a segment that are mostly from a period and of the place. */
export function fromPeriod(
  { works, yearsFrom, yearsTo }: Pick<Segment, 'works' | 'yearsFrom' | 'yearsTo'>,
  { places: asked, ...years }: Period,
  ofPlaces: readonly Postings[],
): Postings {
  const isOfPlace = asked.length === 0 ? undefined : new Uint8Array(works);
  for (const { places } of ofPlaces) for (const place of places) if (isOfPlace) isOfPlace[place] = 1;
  const found = new Uint32Array(works);
  let count = 0;
  for (let place = 0; place < works; place += 1) {
    if (isOfPlace && isOfPlace[place] === 0) continue;
    if (isMostlyFrom(years, yearsFrom[place]!, yearsTo[place]!)) found[count++] = place;
  }
  return { places: found.slice(0, count), impacts: new Uint8Array(count).fill(PERIOD_IMPACT) };
}
