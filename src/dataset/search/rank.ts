import { matchSegment, type Part } from './match.ts';
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
  /** How many groups there are. */
  readonly groups: number;
  readonly years?: YearRange | undefined;
}

/** Years end at 3000 (record.ts). */
const CENTURIES = 31;

/** How much a work of the highest standing gains on one of the lowest. */
const STANDING_SHARE = 0.5;

/** Ranks the works that have at least `needed` of what is asked for, groups and date together. */
export function rank({ parts, groups, years }: Lookup, needed: number, limit: number): Ranked {
  const asked = groups + (years ? 1 : 0);
  const museum: Record<string, number> = {};
  // Works before our era, and those of unknown years, are in none.
  const centuries = new Uint32Array(CENTURIES);
  const best: { score: number; number: number; found: number }[] = [];
  let total = 0;
  for (const part of parts) {
    const { segment } = part;
    const { places, found, scores } = matchSegment(part, years, needed === asked);
    let works = 0;
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at]!;
      const bits = found[place]!;
      if (needed < asked && bitsOf(bits) < needed) continue;
      works += 1;
      const century = Math.trunc((segment.yearsFrom[place]! + segment.yearsTo[place]! + 198) / 200);
      if (century > 0) centuries[century]! += 1;
      const score = (scores[place]! + 0.1) * (1 + (STANDING_SHARE * segment.standing[place]!) / 255);
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

/** The most of what is asked for that any work has. */
export function countMostFound({ parts, years }: Lookup): number {
  let most = 0;
  for (const part of parts) {
    const { places, found } = matchSegment(part, years, false);
    for (const place of places) most = Math.max(most, bitsOf(found[place]!));
  }
  return most;
}

function keep<T extends { score: number }>(best: T[], work: T, limit: number): void {
  let at = best.length;
  while (at > 0 && best[at - 1]!.score < work.score) at -= 1;
  best.splice(at, 0, work);
  if (best.length > limit) best.pop();
}

/** Bits that are set (Warren 2013, Hacker's Delight, figure 5-2). */
export function bitsOf(mask: number): number {
  let bits = mask - ((mask >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return (((bits + (bits >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24;
}
