import type { ArtworkRecord } from '../records/record.ts';
import { fieldsOf } from './fields.ts';
import type { PlaceFilter } from './filter_places.ts';
import { fold, wordsOf } from './fold.ts';
import type { Segment } from './open_index.ts';
import type { ParsedQuery } from './parse_query.ts';
import type { YearRange } from './query_years.ts';
import { NO_YEAR, type Postings } from './segment_builder.ts';

/** Weight of a synonym relative to the typed word. */
export const SYNONYM_SHARE = 0.85;
/** Relative weight of a related or narrower term. */
export const RELATED_SHARE = 0.65;
export const NARROWER_SHARE = 0.6;
/** Weight of a maker's name relative to a word of the same document frequency. */
export const NAME_WORTH = 1.5;
/** Relative weight in a partial match of a word for type, genre or quality: portrait, dark, Dutch. */
export const MANNER_WORTH = 0.5;
/**
 * Relative weight, in partial matches and scores, of a word for the setting or accessory of an earlier one.
 */
export const SETTING_WORTH = 0.6;
/** Weight in a partial match of the requested type of work, as of a word in one work of twenty. */
export const KIND_WORTH = Math.log(20);
/** Minimum weight in a partial match of the main subject of a sentence, relative to its heaviest word. */
export const SUBJECT_WORTH_MIN = 0.7;
/**
 * Exponent by which a partial match is penalised for its missing weight, so that one heavy word does not
 * outweigh the others.
 */
export const PARTIAL_POWER = 4;
/** Score of a work dated exactly to the years of the query; lower for less precise dates. */
const DATE_WEIGHT = 2;
/** Weight of a date, as of a word in one work of a thousand. */
export const DATE_WORTH = Math.log(1000);
/**
 * Impact of a match by period or kind, of 255: lower than that of a title word, equal to that of a word in a
 * long description.
 */
export const PERIOD_IMPACT = 90;
/** Largest effect of the static rank on the score. */
export const STANDING_SHARE = 0.5;
/**
 * Share of its weight that a word of a sentence has in a record that only mentions it. The rest grows with
 * its impact, up to the full weight from SAID_IMPACT (of 1) on.
 */
const MENTION_SHARE = 0.7;
const SAID_IMPACT = 0.3;
/** Offset that ranks full matches above partial ones. */
export const WHOLE = 1e6;
/** Score of a match without words. */
export const SCORE_MIN = 0.1;

/** Inverse document frequency (Robertson and Zaragoza 2009). A work with two wordings was counted twice. */
export const weightOf = (works: number, having: number): number =>
  Math.log(1 + (works - Math.min(works, having) + 0.5) / (having + 0.5));

/** The query on one segment. */
export interface Part {
  readonly segment: Segment;
  /** Each group needs a match in at least one of its lists. */
  readonly groups: readonly (readonly Weighted[])[];
  readonly excluded: readonly Postings[];
  /** For a sentence: coverage of each group. */
  readonly coverage?: readonly Covering[] | undefined;
  /** Applied by the caller. */
  readonly filter?: PlaceFilter | undefined;
}

interface Covering {
  /** Weight of the group in a partial match. */
  readonly worth: number;
  /** Score of its typed term at a full impact. */
  readonly full: number;
}

export interface Weighted {
  readonly postings: Postings;
  /** Score of a full impact. */
  readonly weight: number;
}

/** Matches of a segment. Valid until the next call. */
interface Matched {
  /** Places of the full matches, or else of the partial ones. */
  readonly places: Uint32Array;
  /** For each of these places: a bit for each matched group, and DATED. */
  readonly found: Uint32Array;
  /** For each of these places, without the static rank. */
  readonly scores: Float32Array;
  /** For each of these places: weight of the matched groups of a sentence, reduced for mere mentions. */
  readonly cover: Float32Array;
}

/** Bit of works dated to the years of the query. */
export const DATED = 1 << 30;
const EXCLUDED = 0xffff_ffff;

/** Arrays of the size of the largest segment, reused because matching never awaits. */
const scratch = {
  found: new Uint32Array(0),
  scores: new Float32Array(0),
  cover: new Float32Array(0),
  best: new Float32Array(0),
  places: new Uint32Array(0),
};

/** Matches every list of a segment. With `all`, drops works once they miss a group, which is faster. */
export function matchSegment(
  { segment, groups, excluded, coverage }: Part,
  years: YearRange | undefined,
  all: boolean,
): Matched {
  const { found, scores, cover, best, places: reached } = clearScratch(segment.works);
  let count = 0;
  for (const { places } of excluded) for (const place of places) found[place] = EXCLUDED;
  for (const place of segment.gone) found[place] = EXCLUDED;
  const order = rarestFirst(groups, coverage);
  let before = 0;
  for (const [nth, { lists, bit, covers }] of order.entries()) {
    const isLast = nth === order.length - 1;
    for (const { postings, weight } of lists) add(postings, weight / 255, bit, isLast);
    if (covers && !all) addCover(lists, covers, { cover, best });
    before |= bit;
  }
  if (groups.length === 0) {
    scores.fill(0, 0, segment.works);
    for (let place = 0; place < segment.works; place += 1) if (found[place] === 0) reached[count++] = place;
  }
  if (years) addYears(years);
  return { places: reached.subarray(0, count), found, scores, cover };

  function add({ places, impacts }: Postings, weight: number, bit: number, isLast: boolean): void {
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at]!;
      const bits = found[place]!;
      const score = impacts[at]! * weight;
      if (bits & bit) {
        // Another term of the group matched as well: the better score counts. Excluded works have every bit and are never reached.
        if (score <= best[place]!) continue;
        scores[place]! += score - best[place]!;
      } else {
        if (all && bits !== before) continue;
        if (all ? isLast : bits === 0) reached[count++] = place;
        found[place] = bits | bit;
        // Scores of earlier works are still in the array.
        scores[place] = bits === 0 ? score : scores[place]! + score;
      }
      best[place] = score;
    }
  }

  /** With `all`, drops works of other years. */
  function addYears(asked: YearRange): void {
    let kept = all ? 0 : count;
    for (let at = 0; at < count; at += 1) {
      const place = reached[at]!;
      const share = shareOf(asked, segment.yearsFrom[place]!, segment.yearsTo[place]!);
      if (share === 0) continue;
      scores[place] = DATE_WEIGHT * share + (found[place] === 0 ? 0 : scores[place]!);
      cover[place]! += DATE_WORTH;
      found[place]! |= DATED;
      if (all) reached[kept++] = place;
    }
    count = kept;
  }
}

/** Takes the score of the group that was added last from `best`, once for each place. */
function addCover(
  lists: readonly Weighted[],
  { worth, full }: Covering,
  { cover, best }: { readonly cover: Float32Array; readonly best: Float32Array },
): void {
  for (const { postings } of lists) {
    for (const place of postings.places) {
      if (best[place]! < 0) continue;
      const said = Math.min(1, best[place]! / (full * SAID_IMPACT));
      cover[place]! += worth * (MENTION_SHARE + (1 - MENTION_SHARE) * said);
      best[place] = -1;
    }
  }
}

/** Overlap of a work's possible years with those of the query. */
function shareOf({ from, to }: YearRange, begin: number, end: number): number {
  const first = from ?? Number.NEGATIVE_INFINITY;
  const last = to ?? Number.POSITIVE_INFINITY;
  if (begin === NO_YEAR || end === NO_YEAR || end < first || begin > last) return 0;
  return (Math.min(end, last) - Math.max(begin, first) + 1) / (end - begin + 1);
}

/** Most works of common groups then need no check. */
const rarestFirst = (groups: Part['groups'], coverage: Part['coverage']) =>
  groups
    .map((lists, at) => ({ lists, bit: 1 << at, covers: coverage?.[at] }))
    .sort((a, b) => size(a.lists) - size(b.lists));

const size = (lists: readonly Weighted[]): number =>
  lists.reduce((sum, { postings }) => sum + postings.places.length, 0);

/** Resets the arrays. */
function clearScratch(works: number): typeof scratch {
  if (scratch.found.length < works) {
    scratch.found = new Uint32Array(works);
    scratch.cover = new Float32Array(works);
    scratch.scores = new Float32Array(works);
    scratch.best = new Float32Array(works);
    scratch.places = new Uint32Array(works);
  }
  scratch.found.fill(0, 0, works);
  scratch.cover.fill(0, 0, works);
  return scratch;
}

/** Length of the prefix that two forms of a word must share. */
const STEM = 4;

/** Names the fields in which a query was found: "title, medium". */
export function matchReason(record: ArtworkRecord, { groups, years }: ParsedQuery): string {
  if (groups.length === 0 && !years) return 'filters';
  const wanted = groups.flat().map(({ text }) => text);
  const fields = {
    title: [record.title, ...record.other_titles].join(' '),
    artist: record.artists.map(({ name }) => name).join(' '),
    medium: record.medium,
    classification: record.classification,
    subject: record.tags.join(' '),
    culture: record.culture,
    description: record.description,
    iconclass: (record.iconclass ?? []).join(' '),
  };
  const found = Object.entries(fields)
    .filter(([, value]) => has(value, wanted))
    .map(([name]) => name);
  return [...found, ...(isDated(record, years) ? ['date'] : [])].join(', ') || 'several fields';
}

const LATIN = /[a-z]/;

/**
 * Whether a record contains the query words themselves, not only words with the same stem.
 * @param found bit set of the matched groups
 */
export function hasWords(record: ArtworkRecord, { groups }: ParsedQuery, found: number): boolean {
  const words = fieldsOf(record)
    .flatMap(({ parts }) => parts.flatMap(wordsOf))
    .join(' ');
  return groups.every(
    (terms, at) =>
      !(found & (1 << at)) ||
      terms.some(({ text, period, kinds }) => period || kinds || !LATIN.test(text) || has(words, [text])),
  );
}

function has(value: string, wanted: readonly string[]): boolean {
  const text = ` ${fold(value)}`;
  return wanted.some((word) => text.includes(` ${word.slice(0, Math.max(STEM, word.length - 2))}`));
}

const isDated = ({ year_from, year_to }: ArtworkRecord, years: ParsedQuery['years']): boolean =>
  years !== undefined &&
  year_from !== null &&
  year_to !== null &&
  year_to >= (years.from ?? year_to) &&
  year_from <= (years.to ?? year_from);
