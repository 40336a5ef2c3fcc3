import type { Period } from './contract.ts';
import type { Segment } from './open_index.ts';
import type { Postings } from './postings.ts';
import { NO_YEAR } from './segment_builder.ts';

/** Of 255: less than a word in a title, as much as one in a long description. */
const IMPACT = 90;

/** Works of a segment that were made in a period: at least half of the years each may be from lie in it, and it is of the place. */
export function fromPeriod(
  { works, yearsFrom, yearsTo }: Pick<Segment, 'works' | 'yearsFrom' | 'yearsTo'>,
  { from, to, places: asked }: Period,
  ofPlaces: readonly Postings[],
): Postings {
  const isOfPlace = asked.length === 0 ? undefined : new Uint8Array(works);
  for (const { places } of ofPlaces) for (const place of places) if (isOfPlace) isOfPlace[place] = 1;
  const found = new Uint32Array(works);
  let count = 0;
  for (let place = 0; place < works; place += 1) {
    if (isOfPlace && isOfPlace[place] === 0) continue;
    const begin = yearsFrom[place]!;
    const end = yearsTo[place]!;
    if (begin === NO_YEAR || end === NO_YEAR) continue;
    const shared = Math.min(end, to) - Math.max(begin, from) + 1;
    if (2 * shared >= end - begin + 1) found[count++] = place;
  }
  return { places: found.slice(0, count), impacts: new Uint8Array(count).fill(IMPACT) };
}
