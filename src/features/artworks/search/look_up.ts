import type { Language } from './fields.ts';
import { filterPlaces } from './filter_places.ts';
import { wordsOf } from './fold.ts';
import { fromPeriod } from './from_period.ts';
import type { Part, Weighted } from './match.ts';
import { key, type SearchIndex, type Segment } from './open_index.ts';
import type { ParsedQuery } from './parse_query.ts';
import { phrasePostings } from './phrase.ts';
import { decodePostings, type Postings, type StoredPostings } from './postings.ts';
import {
  doubtfulTexts,
  mediaOf,
  type TypedWord,
  termsIn,
  textsOf,
  typedWordsOf,
  wordsTyped,
} from './query_terms.ts';
import type { Lookup } from './rank.ts';
import { NAME_MARK } from './segment_builder.ts';
import type { Stemmer } from './stems.ts';
import { placesIn } from './synonyms.ts';
import type { Among, Term } from './types.ts';
import { NAME_WORTH, SYNONYM_SHARE, weightOf } from './weights.ts';

/** What a query needs of the index. */
export interface FoundLists extends Lookup {
  /** About how many works have each word of the query that may be an error. */
  readonly words: ReadonlyMap<string, number>;
  /** Words of the query that are in the name of a maker. */
  readonly names: ReadonlySet<string>;
  /** How many works were looked among. */
  readonly works: number;
}

/** Fetches every list a query and its filters need from the segments of a museum, or of all. */
export async function lookUp(
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
  const ofTerm = (segment: Segment, { text, period }: Term): readonly Postings[] => {
    if (!period) return of(segment, text);
    const places = placesIn(period, segment.language).flatMap((place) => of(segment, place));
    return [fromPeriod(segment, period, places)];
  };
  const mediaIn = (segment: Segment) =>
    mediaOf(filters, segment.language).map((texts) => texts.flatMap((text) => of(segment, text)));
  // Each once: from it both the weights and the parts are made.
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
  // What few works have is kept when something has to go, and the names of makers before other words.
  const worth = groups.map(
    ([typed], at) => weights[at]! * (wordsOf(typed!.text).every(isName) ? NAME_WORTH : 1),
  );
  const parts: Part[] = lists.map(({ segment, groups: found }) => ({
    segment,
    groups: found.map((terms, at) => weighted(terms, groups[at]![0], weights[at]!)),
    excluded: excluded.flatMap((text) => of(segment, text)),
    filter: filters && filterPlaces(segment, filters, mediaIn(segment)),
  }));
  return {
    parts,
    worth,
    years,
    works,
    isFiltered: museum !== undefined || filters !== undefined,
    words: worksByWord(wordings, stored, groups),
    names: new Set(wordsTyped(groups).filter(isName)),
  };
}

/** Where it is counted how many works have a word in a maker's name. */
const nameKeys = (segments: readonly Segment[], groups: ParsedQuery['groups']) =>
  segments.flatMap(({ id }) => wordsTyped(groups).map((word) => ({ segment: id, word: NAME_MARK + word })));

/** A term with what a segment has of it. */
interface FoundTerm {
  readonly term: Term;
  readonly postings: readonly Postings[];
}

/** A work with two wordings is counted twice. */
const havingOf = (terms: readonly FoundTerm[]): number =>
  terms.flatMap(({ postings }) => postings).reduce((sum, { places }) => sum + places.length, 0);

const weighted = (terms: readonly FoundTerm[], typed: Term | undefined, weight: number): Weighted[] =>
  terms.flatMap(({ term, postings: lists }) =>
    lists.map((postings) => ({ postings, weight: weight * (term === typed ? 1 : SYNONYM_SHARE) })),
  );

/** A wording as one segment would have it: for each of its words the forms it may have there. */
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

/** Lists by segment and wording. Positions are read only for phrases that may be there: every word of them is. */
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
