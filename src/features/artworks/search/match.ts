import type { PlaceFilter } from './filter_places.ts';
import type { Segment } from './open_index.ts';
import type { YearRange } from './query_years.ts';
import { NO_YEAR, type Postings } from './segment_builder.ts';

/** What another wording says, beside the one that was typed. */
export const SYNONYM_SHARE = 0.85;
/** What the name of a maker is worth beside a word that as many works have. */
export const NAME_WORTH = 1.5;
/** A work from exactly the years asked for gains so much; one that may be from much else, too, gains less. */
const DATE_WEIGHT = 2;
/** A date counts as much as a word that one work in so many has. */
export const DATE_WORTH = Math.log(1000);
/** Of 255, a work of a period: less than a word in a title, as much as one in a long description. */
export const PERIOD_IMPACT = 90;
/** How much a work of the highest standing gains on one of the lowest. */
export const STANDING_SHARE = 0.5;
/** Lifts works that have all of it over those that have some. */
export const WHOLE = 1e6;
/** What a work has that matches without a word. */
export const SCORE_MIN = 0.1;

/** Robertson and Zaragoza 2009: what few works have says more. A work with two wordings was counted twice. */
export const weightOf = (works: number, having: number): number =>
  Math.log(1 + (works - Math.min(works, having) + 0.5) / (having + 0.5));

/** What is looked for in one segment. */
export interface Part {
  readonly segment: Segment;
  /** Any one of the lists of a group will do, but every group is needed. */
  readonly groups: readonly (readonly Weighted[])[];
  readonly excluded: readonly Postings[];
  /** What else has to hold; nothing of it is looked at here. */
  readonly filter?: PlaceFilter | undefined;
}

export interface Weighted {
  readonly postings: Postings;
  /** What a full impact is worth. */
  readonly weight: number;
}

/** Works of a segment after everything was looked up. Valid until the next call. */
export interface Matched {
  /** Places of the works that have all of it, or else of those that have any of it. */
  readonly places: Uint32Array;
  /** For each of these places: a bit for each group that was found, and DATED. */
  readonly found: Uint32Array;
  /** For each of these places, without its standing. */
  readonly scores: Float32Array;
}

/** The bit of works from the years asked for. */
export const DATED = 1 << 30;
const EXCLUDED = 0xffff_ffff;

/** Arrays as long as the largest segment, used again and again, as nothing waits while they are in use. */
const scratch = {
  found: new Uint32Array(0),
  scores: new Float32Array(0),
  best: new Float32Array(0),
  places: new Uint32Array(0),
};

/** Looks up every list of a segment. With `all`, works that miss a group are not looked at again, which is faster. */
export function matchSegment(
  { segment, groups, excluded }: Part,
  years: YearRange | undefined,
  all: boolean,
): Matched {
  const { found, scores, best, places: reached } = clearScratch(segment.works);
  let count = 0;
  for (const { places } of excluded) for (const place of places) found[place] = EXCLUDED;
  for (const place of segment.gone) found[place] = EXCLUDED;
  // The rarest first: then most works of the common ones need no look.
  const order = groups
    .map((lists, at) => ({ lists, bit: 1 << at }))
    .sort((a, b) => size(a.lists) - size(b.lists));
  let before = 0;
  for (const [nth, { lists, bit }] of order.entries()) {
    const isLast = nth === order.length - 1;
    for (const { postings, weight } of lists) add(postings, weight / 255, bit, isLast);
    before |= bit;
  }
  if (groups.length === 0) {
    scores.fill(0, 0, segment.works);
    for (let place = 0; place < segment.works; place += 1) if (found[place] === 0) reached[count++] = place;
  }
  if (years) addYears(years);
  return { places: reached.subarray(0, count), found, scores };

  function add({ places, impacts }: Postings, weight: number, bit: number, isLast: boolean): void {
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at]!;
      const bits = found[place]!;
      const score = impacts[at]! * weight;
      if (bits & bit) {
        // Another wording was found there, too: the better one counts. Excluded works have every bit and are never reached.
        if (score <= best[place]!) continue;
        scores[place]! += score - best[place]!;
      } else {
        if (all && bits !== before) continue;
        if (all ? isLast : bits === 0) reached[count++] = place;
        found[place] = bits | bit;
        // Scores of works before are still there.
        scores[place] = bits === 0 ? score : scores[place]! + score;
      }
      best[place] = score;
    }
  }

  /** With `all`, works of other years are left out. */
  function addYears(asked: YearRange): void {
    let kept = all ? 0 : count;
    for (let at = 0; at < count; at += 1) {
      const place = reached[at]!;
      const share = shareOf(asked, segment.yearsFrom[place]!, segment.yearsTo[place]!);
      if (share === 0) continue;
      scores[place] = DATE_WEIGHT * share + (found[place] === 0 ? 0 : scores[place]!);
      found[place]! |= DATED;
      if (all) reached[kept++] = place;
    }
    count = kept;
  }
}

/** How much of the years a work may be from was asked for. */
function shareOf({ from, to }: YearRange, begin: number, end: number): number {
  const first = from ?? Number.NEGATIVE_INFINITY;
  const last = to ?? Number.POSITIVE_INFINITY;
  if (begin === NO_YEAR || end === NO_YEAR || end < first || begin > last) return 0;
  return (Math.min(end, last) - Math.max(begin, first) + 1) / (end - begin + 1);
}

const size = (lists: readonly Weighted[]): number =>
  lists.reduce((sum, { postings }) => sum + postings.places.length, 0);

/** Nothing found anywhere. */
function clearScratch(works: number): typeof scratch {
  if (scratch.found.length < works) {
    scratch.found = new Uint32Array(works);
    scratch.scores = new Float32Array(works);
    scratch.best = new Float32Array(works);
    scratch.places = new Uint32Array(works);
  }
  scratch.found.fill(0, 0, works);
  return scratch;
}
