import { DATED, matchSegment, type Part } from './match.ts';
import type { YearRange } from './query_years.ts';

export interface Ranked {
  /** Numbers of the best works, the best first, with the bits of what was found. */
  readonly best: readonly { readonly number: number; readonly found: number }[];
  readonly total: number;
  readonly museum: Record<string, number>;
  readonly century: Record<string, number>;
}

export interface Lookup {
  readonly parts: readonly Part[];
  /** Of each group what it counts where a work has some of them and not all. */
  readonly worth: readonly number[];
  readonly years?: YearRange | undefined;
}

/** Years end at 3000 (record.ts). */
const CENTURIES = 31;

/** How much a work of the highest standing gains on one of the lowest. */
const STANDING_SHARE = 0.5;

/** A date counts as much as a word that one work in so many has. */
const DATE_WORTH = Math.log(1000);
/** Lifts works that have all of it over those that have some. */
const WHOLE = 1e6;

/** Ranks the works that have all that is asked for, or at least a share of it by what its groups are worth; those that have all come first. */
export function rank({ parts, worth, years }: Lookup, limit: number, share = 1): Ranked {
  const shareOf = sharesOf(worth, years);
  const museum: Record<string, number> = {};
  // Works before our era, and those of unknown years, are in none.
  const centuries = new Uint32Array(CENTURIES);
  const best: { score: number; number: number; found: number }[] = [];
  let total = 0;
  for (const part of parts) {
    const { segment } = part;
    const { places, found, scores } = matchSegment(part, years, share === 1);
    let works = 0;
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at]!;
      const bits = found[place]!;
      const had = share === 1 ? 1 : shareOf(bits);
      if (had < share) continue;
      works += 1;
      const century = Math.trunc((segment.yearsFrom[place]! + segment.yearsTo[place]! + 198) / 200);
      if (century > 0) centuries[century]! += 1;
      const standing = 1 + (STANDING_SHARE * segment.standing[place]!) / 255;
      const score = (scores[place]! + 0.1) * standing * had * had + (had === 1 ? WHOLE : 0);
      if (best.length < limit || score > best.at(-1)!.score) {
        keep(best, { score, number: segment.numbers[place]!, found: bits }, limit);
      }
    }
    if (works > 0) museum[segment.museum] = (museum[segment.museum] ?? 0) + works;
    total += works;
  }
  const century: Record<string, number> = {};
  centuries.forEach((works, name) => {
    if (works > 0) century[name] = works;
  });
  return { best, total, museum, century };
}

/** The largest share of what is asked for that any work has. */
export function largestShare({ parts, worth, years }: Lookup): number {
  const shareOf = sharesOf(worth, years);
  let largest = 0;
  for (const part of parts) {
    const { places, found } = matchSegment(part, years, false);
    for (const place of places) largest = Math.max(largest, shareOf(found[place]!));
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
