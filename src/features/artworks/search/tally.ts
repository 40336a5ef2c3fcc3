import { KIND_NAMES } from './kinds.ts';
import type { Segment } from './open_index.ts';
import { CC0 } from './traits.ts';
import { FAILS, type Facets, FILTER_NAMES, type LeftOut } from './types.ts';

/** Years end at 3000 (record.ts). */
const CENTURIES = 31;

type Columns = Pick<Segment, 'museum' | 'traits' | 'longSides' | 'yearsFrom' | 'yearsTo'>;

/** Counts works by museum, century, kind and licence, and works excluded by filters. */
export interface Tally {
  /** Tally of a segment, whose works are addressed by index. */
  of(segment: Columns): SegmentTally;
  facets(): Facets;
  leftOut(): LeftOut;
  /** Works counted and not excluded. */
  total(): number;
}

export interface SegmentTally {
  /** @param counts works at each of the places; absent: one */
  add(places: ArrayLike<number>, counts?: ArrayLike<number>): void;
  /** @param failed bit set of the failed filters, not 0 */
  leaveOut(place: number, failed: number, works?: number): void;
}

export function createTally(): Tally {
  const segments: { museum: string; works: number; cc0: number }[] = [];
  // Works BC and undated works have no century.
  const centuries = new Uint32Array(CENTURIES);
  const kinds = new Uint32Array(KIND_NAMES.length);
  const alone = new Uint32Array(FILTER_NAMES.length);
  let [leftOut, sizeUnknown] = [0, 0];
  const total = () => segments.reduce((sum, { works }) => sum + works, 0);
  return {
    of({ museum, traits, longSides, yearsFrom, yearsTo }) {
      const own = { museum, works: 0, cc0: 0 };
      segments.push(own);
      return {
        // A single loop: a call per work would take longer than the counting.
        add(places, counts) {
          let [all, withCc0] = [0, 0];
          for (let at = 0; at < places.length; at += 1) {
            const place = places[at]!;
            const count = counts ? counts[at]! : 1;
            all += count;
            const century = Math.trunc((yearsFrom[place]! + yearsTo[place]! + 198) / 200);
            if (century > 0) centuries[century]! += count;
            const bits = traits[place]!;
            if (bits & CC0) withCc0 += count;
            for (let left = bits & ALL_KINDS; left !== 0; left &= left - 1)
              kinds[31 - Math.clz32(left & -left)]! += count;
          }
          own.works += all;
          own.cc0 += withCc0;
        },
        leaveOut(place, failed, count = 1) {
          leftOut += count;
          if ((failed & (failed - 1)) !== 0) return;
          alone[31 - Math.clz32(failed)]! += count;
          if (failed === FAILS.min_px && longSides[place] === 0) sizeUnknown += count;
        },
      };
    },
    total,
    facets() {
      const museum: Record<string, number> = {};
      for (const own of segments)
        if (own.works > 0) museum[own.museum] = (museum[own.museum] ?? 0) + own.works;
      const cc0 = segments.reduce((sum, own) => sum + own.cc0, 0);
      return {
        museum,
        century: countsOf(centuries, (at) => `${at}`),
        medium: countsOf(kinds, (at) => KIND_NAMES[at]!),
        licence: { ...(cc0 > 0 && { cc0 }), ...(total() > 0 && { public_domain: total() }) },
      };
    },
    leftOut: () => ({ works: leftOut, alone: countsOf(alone, (at) => FILTER_NAMES[at]!), sizeUnknown }),
  };
}

const ALL_KINDS = 2 ** KIND_NAMES.length - 1;

/** Counts above 0, by name. */
function countsOf(counts: Uint32Array, nameOf: (at: number) => string): Record<string, number> {
  const named: Record<string, number> = {};
  counts.forEach((works, at) => {
    if (works > 0) named[nameOf(at)] = works;
  });
  return named;
}

/** Adds two counts of disjoint sets of works. */
export function addFacets(one: Facets, other: Facets): Facets {
  const sum = (a: Record<string, number>, b: Record<string, number>) => {
    const all = { ...a };
    for (const [name, works] of Object.entries(b)) all[name] = (all[name] ?? 0) + works;
    return all;
  };
  return {
    museum: sum(one.museum, other.museum),
    century: sum(one.century, other.century),
    medium: sum(one.medium, other.medium),
    licence: sum(one.licence, other.licence),
  };
}
