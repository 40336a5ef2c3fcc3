import type { Database } from '../../../core/database/types.ts';
import type { Language } from './fields.ts';
import { filterPlaces, isMostlyFrom } from './filter_places.ts';
import { wordsOf } from './fold.ts';
import { deleteOldIndexes } from './index_store.ts';
import {
  DATE_WORTH,
  DATED,
  KIND_WORTH,
  MANNER_WORTH,
  matchSegment,
  NAME_WORTH,
  NARROWER_SHARE,
  PARTIAL_POWER,
  type Part,
  PERIOD_IMPACT,
  RELATED_SHARE,
  SCORE_MIN,
  SETTING_WORTH,
  STANDING_SHARE,
  SUBJECT_WORTH_MIN,
  SYNONYM_SHARE,
  type Weighted,
  WHOLE,
  weightOf,
} from './match.ts';
import { createSegments, indexMuseum, key, openIndex, type SearchIndex, type Segment } from './open_index.ts';
import { isDescriptive, isVerb, type ParsedQuery, SENTENCE_MIN } from './parse_query.ts';
import type { YearRange } from './query_years.ts';
import {
  decodePostings,
  MEDIUM_MARK,
  NAME_MARK,
  type Postings,
  positionsReader,
  type Stemmer,
  type StoredPostings,
} from './segment_builder.ts';
import { placesIn } from './synonyms.ts';
import { createTally } from './tally.ts';
import type { Among, Filters, Period, Term } from './types.ts';
import type { Fitting, Ranked, Spread, WordIndex } from './word_index_types.ts';

/** Result of an empty query. */
export const NONE_RANKED: Ranked = (() => {
  const tally = createTally();
  return { best: [], total: 0, facets: tally.facets(), leftOut: tally.leftOut() };
})();

interface Lookup {
  readonly parts: readonly Part[];
  /** Term weight of each group in a partial match. */
  readonly worth: readonly number[];
  readonly years?: YearRange | undefined;
  /** A museum or a filter is set: without words, every work that passes is a match. */
  readonly isFiltered: boolean;
}

/** Ranks full matches first, then partial matches with at least this share of the weight. */
function rank({ parts, worth, years }: Lookup, limit: number, share = 1): Ranked {
  const shareOf = sharesOf(worth, years);
  const weight = totalOf(worth, years);
  const tally = createTally();
  const best: { score: number; number: number; found: number }[] = [];
  for (const part of parts) {
    const { segment, filter } = part;
    const counted = tally.of(segment);
    const { places, found, scores, cover } = matchSegment(part, years, share === 1);
    // Works that pass replace the full list.
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
      const covered = part.coverage && had < 1 ? cover[place]! / weight : had;
      const standing = 1 + (STANDING_SHARE * segment.standing[place]!) / 255;
      const score =
        (scores[place]! + SCORE_MIN) * standing * covered ** PARTIAL_POWER + (had === 1 ? WHOLE : 0);
      if (best.length < limit || score > best.at(-1)!.score) {
        keep(best, { score, number: segment.numbers[place]!, found: bits }, limit);
      }
    }
    counted.add(places.subarray(0, passing));
  }
  return { best, total: tally.total(), facets: tally.facets(), leftOut: tally.leftOut() };
}

/** The largest share of the weight that any work passing the filters reaches. */
function largestShare({ parts, worth, years }: Lookup): number {
  const shareOf = sharesOf(worth, years);
  let largest = 0;
  for (const part of parts) {
    const { places, found } = matchSegment(part, years, false);
    for (const place of places)
      if (!part.filter || part.filter(place) === 0) largest = Math.max(largest, shareOf(found[place]!));
  }
  return largest;
}

const totalOf = (worth: readonly number[], years: YearRange | undefined): number =>
  worth.reduce((sum, one) => sum + one, years ? DATE_WORTH : 0);

/** Share of the total weight for the matched groups of a work, computed once per combination of bits. */
function sharesOf(worth: readonly number[], years: YearRange | undefined): (bits: number) => number {
  const all = totalOf(worth, years);
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

/** One form of a word in a phrase: its works and positions. */
interface PlacedWord {
  readonly postings: Postings;
  readonly positions: Uint8Array;
}

/** Works in which the words occur consecutively, in any of their forms. The weight of a phrase is that of its heaviest word. */
export function phrasePostings(words: readonly (readonly PlacedWord[])[]): Postings {
  // Starting with the rarest word leaves few works to check.
  const order = words
    .map((forms, offset) => ({ forms, offset }))
    .sort((a, b) => size(a.forms) - size(b.forms));
  let starts: Map<number, Start> | undefined;
  for (const { forms, offset } of order) starts = startsOf(forms, offset, starts);
  const found = [...(starts ?? [])].sort(([a], [b]) => a - b);
  return {
    places: Uint32Array.from(found, ([place]) => place),
    impacts: Uint8Array.from(found, ([, { impact }]) => impact),
  };
}

interface Start {
  /** Candidate start positions of the phrase; rarely more than one. */
  readonly at: number[];
  impact: number;
}

const size = (forms: readonly PlacedWord[]): number =>
  forms.reduce((sum, { postings }) => sum + postings.places.length, 0);

/** Start positions of the phrase if this is its word number `offset`, restricted to the remaining candidates. */
function startsOf(
  forms: readonly PlacedWord[],
  offset: number,
  before: ReadonlyMap<number, Start> | undefined,
): Map<number, Start> {
  const starts = new Map<number, Start>();
  for (const { postings, positions } of forms) {
    const reader = positionsReader(positions);
    for (let work = 0; work < postings.places.length; work += 1) {
      const place = postings.places[work]!;
      const possible = before?.get(place);
      if (before && !possible) {
        reader.skip();
        continue;
      }
      let start = starts.get(place);
      for (const position of reader.next()) {
        const at = position - offset;
        if (possible && !possible.at.includes(at)) continue;
        start ??= { at: [], impact: possible?.impact ?? 0 };
        start.at.push(at);
        start.impact = Math.max(start.impact, postings.impacts[work]!);
      }
      if (start) starts.set(place, start);
    }
  }
  return starts;
}

/** Terms of a group that apply to catalogues in a language. */
const termsIn = (group: readonly Term[], language: Language): readonly Term[] =>
  group.filter(({ languages }) => !languages || languages.includes(language));

/** Terms of the medium filter, group by group, as written in the index. */
const mediaOf = (filters: Filters | undefined, language: Language): string[][] =>
  (filters?.mediumWords ?? []).map((group) => termsIn(group, language).map(({ text }) => MEDIUM_MARK + text));

/** All terms to look up in catalogues of a language. */
const textsOf = (
  { groups, excluded }: ParsedQuery,
  filters: Filters | undefined,
  language: Language,
): string[] => [
  ...new Set([
    ...groups.flatMap((group) => termsIn(group, language)).flatMap((term) => searched(term, language)),
    ...termsIn(excluded, language).map(({ text }) => text),
    ...mediaOf(filters, language).flat(),
  ]),
];

/** Texts to look up for a term. Kinds of works are in columns instead. */
function searched(term: Term, language: Language): readonly string[] {
  if (term.kinds) return [];
  return term.period ? placesIn(term.period, language) : [indexed(term)];
}

/** A term in the form of the index. */
const indexed = ({ text, isMedium }: Term): string => (isMedium ? MEDIUM_MARK + text : text);

/** A word of a term, with its possible forms in the index. */
interface TypedWord {
  readonly typed: string;
  readonly forms: readonly string[];
}

function typedWordsOf(text: string, stem: Stemmer): TypedWord[] {
  const mark = text.startsWith(MEDIUM_MARK) ? MEDIUM_MARK : '';
  return wordsOf(text).map((typed) => ({
    typed,
    forms: [...new Set([typed, stem(typed)])].map((form) => mark + form),
  }));
}

/** A stem this short, of a word this much longer, is ambiguous: unrelated words share it. */
const AMBIGUOUS_STEM_MAX = 4;
const AMBIGUOUS_LETTERS_MIN = 2;

const isAmbiguous = (wordings: readonly Wording[]): boolean =>
  wordings.some(({ words }) =>
    words.some(({ typed, forms }) => {
      const stem = forms.at(-1)!.replace(MEDIUM_MARK, '');
      return stem.length <= AMBIGUOUS_STEM_MAX && typed.length - stem.length >= AMBIGUOUS_LETTERS_MIN;
    }),
  );

/** Words of a query as typed. */
const wordsTyped = (groups: ParsedQuery['groups']): string[] => [
  ...new Set(groups.flatMap(([typed]) => wordsOf(typed!.text))),
];

/** Terms that may contain typos. Words with synonyms and quoted words never count as typos, even if the dataset lacks them. */
const doubtfulTexts = (groups: ParsedQuery['groups']): Set<string> =>
  new Set(groups.flatMap(([one, ...others]) => (others.length === 0 && !one!.isQuoted ? [one!.text] : [])));

/** Index data for a query. */
interface FoundLists extends Lookup {
  /** Approximate document frequency of each query word that may be a typo. */
  readonly words: ReadonlyMap<string, number>;
  /** Query words that occur in the name of a maker. */
  readonly names: ReadonlySet<string>;
  /** Number of works searched. */
  readonly works: number;
  readonly isAmbiguous: boolean;
}

/** Reads every posting list that a query and its filters need, from the segments of one museum or all. */
async function lookUp(
  index: SearchIndex,
  edition: number,
  asked: ParsedQuery,
  { museum, filters }: Among = {},
): Promise<FoundLists> {
  const { groups, excluded, years } = asked;
  if (filters) await index.followMuseums(edition);
  const segments = (await index.segments(edition)).filter((one) => !museum || one.museum === museum);
  const textsIn = (language: Language) => textsOf(asked, filters, language);
  const wordings = await wordingsOf(index, segments, textsIn);
  const stored = await index.postings([...wordings.flatMap(keysOf), ...nameKeys(segments, groups)]);
  const found = await decode(index, wordings, stored);
  const of = (segment: Segment, text: string): readonly Postings[] =>
    found.get(`${segment.id} ${text}`) ?? [];
  const ofTerm = (segment: Segment, term: Term): readonly Postings[] => {
    const { period, kinds } = term;
    if (kinds) return [ofKinds(segment, kinds)];
    if (!period) return of(segment, indexed(term));
    const places = placesIn(period, segment.language).flatMap((place) => of(segment, place));
    return [fromPeriod(segment, period, places)];
  };
  const mediaIn = (segment: Segment) =>
    mediaOf(filters, segment.language).map((texts) => texts.flatMap((text) => of(segment, text)));
  // Computed once: both the weights and the matches derive from it.
  const lists = segments.map((segment) => ({
    segment,
    groups: groups.map((group) =>
      termsIn(group, segment.language).map((term) => ({ term, postings: ofTerm(segment, term) })),
    ),
  }));

  const works = segments.reduce((sum, segment) => sum + segment.works, 0);
  const weights = groups.map((_, at) => weightOf(works, havingOf(lists.flatMap((list) => list.groups[at]!))));
  const isName = (word: string) =>
    segments.some(({ id }) => stored.get(key({ segment: id, word: NAME_MARK + word }))!.works > 0);
  const worth = withSubject(
    groups,
    groups.map(([typed], at) => (typed!.kinds ? KIND_WORTH : weights[at]! * partialWorth(typed!, isName))),
  );
  const coverage = coverageOf(groups, weights, worth);
  const parts: Part[] = lists.map(({ segment, groups: found }) => ({
    segment,
    groups: found.map((terms, at) => weighted(terms, groups[at]![0]!, weights[at]!)),
    coverage,
    excluded: termsIn(excluded, segment.language).flatMap(({ text }) => of(segment, text)),
    filter: filters && filterPlaces(segment, filters, mediaIn(segment)),
  }));
  return {
    parts,
    worth,
    years,
    works,
    isAmbiguous: isAmbiguous(wordings),
    isFiltered: museum !== undefined || filters !== undefined,
    words: worksByWord(wordings, stored, groups),
    names: new Set(wordsTyped(groups).filter(isName)),
  };
}

/** For a sentence: how much each group counts in partial matches. */
const coverageOf = (
  groups: ParsedQuery['groups'],
  weights: readonly number[],
  worth: readonly number[],
): Part['coverage'] =>
  groups.length < SENTENCE_MIN
    ? undefined
    : groups.map(([typed], at) => ({
        worth: worth[at]!,
        full: weights[at]! * (typed!.isSetting ? SETTING_WORTH : 1),
      }));

/** The main subject of a sentence is often a common word, and matters more than the rarest other word. */
function withSubject(groups: ParsedQuery['groups'], worth: readonly number[]): number[] {
  const least = SUBJECT_WORTH_MIN * Math.max(0, ...worth);
  return worth.map((own, at) => (groups[at]![0]!.isSubject ? Math.max(own, least) : own));
}

/** Weight in a partial match: higher for names of makers, lower for genres, qualities and settings. */
function partialWorth(typed: Term, isName: (word: string) => boolean): number {
  const setting = typed.isSetting ? SETTING_WORTH : 1;
  if (isDescriptive(typed)) return setting * MANNER_WORTH;
  if (wordsOf(typed.text).every(isName)) return setting * NAME_WORTH;
  return isVerb(typed) ? setting * MANNER_WORTH : setting;
}

/** Index keys that count the works with a word in the maker's name. */
const nameKeys = (segments: readonly Segment[], groups: ParsedQuery['groups']) =>
  segments.flatMap(({ id }) => wordsTyped(groups).map((word) => ({ segment: id, word: NAME_MARK + word })));

/** A term with its postings in a segment. */
interface FoundTerm {
  readonly term: Term;
  readonly postings: readonly Postings[];
}

/** Document frequency; a work with two wordings is counted twice. */
const havingOf = (terms: readonly FoundTerm[]): number =>
  terms.flatMap(({ postings }) => postings).reduce((sum, { places }) => sum + places.length, 0);

const weighted = (terms: readonly FoundTerm[], typed: Term, weight: number): Weighted[] =>
  terms.flatMap(({ term, postings: lists }) =>
    lists.map((postings) => ({
      postings,
      weight: weight * (term === typed ? 1 : shareOf(term)) * (typed.isSetting ? SETTING_WORTH : 1),
    })),
  );

const shareOf = ({ isNarrower, isRelated }: Term): number =>
  isNarrower ? NARROWER_SHARE : isRelated ? RELATED_SHARE : SYNONYM_SHARE;

/** A term in one segment: for each of its words, the forms it may have there. */
interface Wording {
  readonly text: string;
  readonly segment: Segment;
  readonly words: readonly TypedWord[];
}

async function wordingsOf(
  { stems }: SearchIndex,
  segments: readonly Segment[],
  textsIn: (language: Language) => readonly string[],
): Promise<Wording[]> {
  const stemmers = new Map<string, Stemmer>();
  for (const language of new Set(segments.map((segment) => segment.language))) {
    stemmers.set(language, await stems.of(language, textsIn(language).flatMap(wordsOf)));
  }
  return segments.flatMap((segment) => {
    const stem = stemmers.get(segment.language)!;
    return textsIn(segment.language).map((text) => ({
      text,
      segment,
      words: typedWordsOf(text, stem),
    }));
  });
}

type Stored = ReadonlyMap<string, StoredPostings>;

const keysOf = ({ segment, words }: Wording) =>
  words.flatMap(({ forms }) => forms.map((word) => ({ segment: segment.id, word })));

/** Posting lists by segment and term. Reads positions only for phrases whose words all occur. */
async function decode(
  index: SearchIndex,
  wordings: readonly Wording[],
  stored: Stored,
): Promise<Map<string, Postings[]>> {
  const present = wordings.flatMap(({ text, segment, words }) => {
    const forms = words.map((word) =>
      word.forms
        .map((form) => key({ segment: segment.id, word: form }))
        .filter((name) => stored.get(name)!.works > 0),
    );
    return forms.every(({ length }) => length > 0)
      ? [{ name: `${segment.id} ${text}`, segment, words, forms }]
      : [];
  });
  const positions = await index.positions(
    present.flatMap((one) => (one.forms.length > 1 ? keysOf({ ...one, text: '' }) : [])),
  );
  const read = (name: string) => decodePostings(stored.get(name)!);
  return new Map(
    present.map(({ name, forms }) => [
      name,
      forms.length === 1
        ? forms[0]!.map(read)
        : [
            phrasePostings(
              forms.map((word) =>
                word.map((form) => ({ postings: read(form), positions: positions.get(form)! })),
              ),
            ),
          ],
    ]),
  );
}

function worksByWord(
  wordings: readonly Wording[],
  stored: Stored,
  groups: ParsedQuery['groups'],
): Map<string, number> {
  const typed = doubtfulTexts(groups);
  const works = new Map<string, number>();
  for (const { segment, words } of wordings.filter((one) => typed.has(one.text))) {
    for (const word of words) {
      const having = word.forms.map((form) => stored.get(key({ segment: segment.id, word: form }))!.works);
      works.set(word.typed, (works.get(word.typed) ?? 0) + Math.max(...having));
    }
  }
  return works;
}

/** Works of a segment that mostly belong to a period and place. */
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

/** Works of a segment of one of these kinds (a bit each, kinds.ts). */
function ofKinds({ works, traits }: Pick<Segment, 'works' | 'traits'>, kinds: number): Postings {
  const found = new Uint32Array(works);
  let count = 0;
  for (let place = 0; place < works; place += 1) if (traits[place]! & kinds) found[count++] = place;
  return { places: found.slice(0, count), impacts: new Uint8Array(count).fill(PERIOD_IMPACT) };
}

const INDEXES = new WeakMap<Database, WordIndex>();

/** The word index of a database, created once per database. */
export function wordIndexOf(database: Database): WordIndex {
  const index = INDEXES.get(database) ?? createWordIndex(database);
  INDEXES.set(database, index);
  return index;
}

/** Reads posting lists from the database on demand and joins them in this process. Keeps a few bytes per work in memory. */
function createWordIndex(database: Database): WordIndex {
  const index = openIndex(database);
  return {
    async lookUp(edition, asked, among) {
      const found = await lookUp(index, edition, asked, among);
      return {
        ...found,
        hasYears: found.years !== undefined,
        rank: async (limit, share) => rank(found, limit, share),
        largestShare: async () => largestShare(found),
        spread: async () => spreadOf(found),
        fit: async (candidates) => fittingOf(found, candidates),
      };
    },
    write: (museum, vocabulary) => createSegments(database, museum, vocabulary),
    async complete(museum, edition, { writer, vocabulary }) {
      await indexMuseum(database, museum, edition, { fresh: writer, vocabulary });
      await deleteOldIndexes(database, museum, edition);
    },
  };
}

/** Counts full matches per point, with one pass over the points of each segment. */
function spreadOf({ parts, years }: FoundLists): Spread {
  const counts = new Map<string, number>();
  let [works, placed] = [0, 0];
  for (const part of parts) {
    const { segment, filter } = part;
    const isFound = new Uint8Array(segment.works);
    for (const place of matchSegment(part, years, true).places) {
      if (filter && filter(place) !== 0) continue;
      isFound[place] = 1;
      works += 1;
    }
    let before = -1;
    const { points } = segment;
    for (let at = 0; at < points.length; at += 3) {
      const place = points[at]!;
      if (isFound[place] === 0) continue;
      if (place !== before) placed += 1;
      before = place;
      const point = `${points[at + 1]} ${points[at + 2]}`;
      counts.set(point, (counts.get(point) ?? 0) + 1);
    }
  }
  const points = [...counts].map(([point, works]) => {
    const [latitude = 0, longitude = 0] = point.split(' ').map((number) => Number(number) / 100);
    return { latitude, longitude, works };
  });
  return { works, placed, points: points.sort((one, other) => other.works - one.works) };
}

function fittingOf({ parts, years }: FoundLists, candidates: ReadonlySet<number>): Fitting {
  const numbers = new Set<number>();
  const tally = createTally();
  const places = parts.map((part) => {
    const { segment, filter } = part;
    const counted = tally.of(segment);
    const fitting: number[] = [];
    for (const place of matchSegment(part, years, true).places) {
      const number = segment.numbers[place]!;
      if (!candidates.has(number)) continue;
      const failed = filter ? filter(place) : 0;
      if (failed !== 0) counted.leaveOut(place, failed);
      else {
        numbers.add(number);
        fitting.push(place);
      }
    }
    return { segment, fitting };
  });
  return {
    numbers,
    facets(select = () => true) {
      const own = createTally();
      for (const { segment, fitting } of places) {
        const counted = own.of(segment);
        counted.add(fitting.filter((place) => select(segment.numbers[place]!)));
      }
      return own.facets();
    },
    leftOut: tally.leftOut(),
  };
}
