import { DATED, matchSegment, type Part } from './match.ts';
import type { YearRange } from './query_years.ts';
import { createTally } from './tally.ts';
import { DATE_WORTH, SCORE_MIN, STANDING_SHARE, WHOLE } from './weights.ts';
import type { Ranked } from './word_index_types.ts';

/** What nothing was asked for finds. */
export const NONE_RANKED: Ranked = (() => {
  const tally = createTally();
  return { best: [], total: 0, facets: tally.facets(), leftOut: tally.leftOut() };
})();

export interface Lookup {
  readonly parts: readonly Part[];
  /** Of each group what it counts where a work has some of them and not all. */
  readonly worth: readonly number[];
  readonly years?: YearRange | undefined;
  /** A museum or a filter is asked for: without words every work that passes is found. */
  readonly isFiltered: boolean;
}

/** Ranks the works that have all that is asked for, or at least a share of it by what its groups are worth; those that have all come first. */
export function rank({ parts, worth, years }: Lookup, limit: number, share = 1): Ranked {
  const shareOf = sharesOf(worth, years);
  const tally = createTally();
  const best: { score: number; number: number; found: number }[] = [];
  for (const part of parts) {
    const { segment, filter } = part;
    const counted = tally.of(segment);
    const { places, found, scores } = matchSegment(part, years, share === 1);
    // Those that pass take the place of all.
    let passing = 0;
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at]!;
      const bits = found[place]!;
      const had = share === 1 ? 1 : shareOf(bits);
      if (had < share) continue;
      const failed = filter ? filter(place) : 0;
      if (failed !== 0) {
        counted.leaveOut(place, failed);
        continue;
      }
      places[passing++] = place;
      const standing = 1 + (STANDING_SHARE * segment.standing[place]!) / 255;
      const score = (scores[place]! + SCORE_MIN) * standing * had * had + (had === 1 ? WHOLE : 0);
      if (best.length < limit || score > best.at(-1)!.score) {
        keep(best, { score, number: segment.numbers[place]!, found: bits }, limit);
      }
    }
    counted.add(places.subarray(0, passing));
  }
  return { best, total: tally.total(), facets: tally.facets(), leftOut: tally.leftOut() };
}

/** The largest share of what is asked for that any work has that passes the filters. */
export function largestShare({ parts, worth, years }: Lookup): number {
  const shareOf = sharesOf(worth, years);
  let largest = 0;
  for (const part of parts) {
    const { places, found } = matchSegment(part, years, false);
    for (const place of places)
      if (!part.filter || part.filter(place) === 0) largest = Math.max(largest, shareOf(found[place]!));
  }
  return largest;
}

/** What share of the whole the bits of a work are worth, each combination reckoned once. */
function sharesOf(worth: readonly number[], years: YearRange | undefined): (bits: number) => number {
  const all = worth.reduce((sum, one) => sum + one, years ? DATE_WORTH : 0);
  const known = new Map<number, number>();
  const asked = 2 ** worth.length - 1 + (years ? DATED : 0);
  return (bits) => {
    if (bits === asked) return 1;
    let share = known.get(bits);
    if (share === undefined) {
      const had = worth.reduce(
        (sum, one, at) => sum + (bits & (1 << at) ? one : 0),
        bits & DATED ? DATE_WORTH : 0,
      );
      share = Math.min(had / all, 1 - Number.EPSILON);
      known.set(bits, share);
    }
    return share;
  };
}

function keep<T extends { score: number }>(best: T[], work: T, limit: number): void {
  let at = best.length;
  while (at > 0 && best[at - 1]!.score < work.score) at -= 1;
  best.splice(at, 0, work);
  if (best.length > limit) best.pop();
}
