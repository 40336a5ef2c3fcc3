import { MUSEUM_NAMES, type MuseumName } from '../../museums/museums.ts';
import type { Among, Filters, Period, Term } from '../contract.ts';
import { LANGUAGES, type Language, languageOf } from '../fields.ts';
import { wordsOf } from '../fold.ts';
import type { ParsedQuery } from '../parse_query.ts';
import {
  doubtfulTexts,
  mediaOf,
  type TypedWord,
  termsIn,
  textsOf,
  typedWordsOf,
  wordsTyped,
} from '../query_terms.ts';
import { NAME_MARK } from '../segment_builder.ts';
import type { Stemmer, Stems } from '../stems.ts';
import { placesIn } from '../synonyms.ts';
import { NAME_WORTH, SYNONYM_SHARE, weightOf } from '../weights.ts';

/** Of each word of a wording the forms that works have. */
export type Wording = readonly (readonly string[])[];

export interface PlannedTerm {
  /** What it says beside the wording that was typed. */
  readonly share: number;
  readonly wording?: Wording;
  /** Works from there and then. Without places: from wherever. */
  readonly period?: { readonly years: Pick<Period, 'from' | 'to'>; readonly places?: readonly Wording[] };
}

/** What a query asks of the works of some museums. */
export interface Plan {
  readonly museums: readonly MuseumName[];
  /** Any of the terms of a group; a group without any is not there. */
  readonly groups: readonly (readonly PlannedTerm[])[];
  readonly excluded: readonly Wording[];
  readonly media: readonly (readonly Wording[])[];
}

export interface PlannedQuery {
  readonly plans: readonly Plan[];
  /** What a whole impact of each group is worth, and what the group counts where something is missing. */
  readonly weights: readonly number[];
  readonly worth: readonly number[];
  readonly years?: ParsedQuery['years'];
  readonly filters?: Filters | undefined;
  readonly works: number;
  readonly words: ReadonlyMap<string, number>;
  readonly names: ReadonlySet<string>;
}

/** In how many works of a language a word was written. */
export type Counts = (language: Language, word: string) => number;
export type ReadCounts = (languages: readonly Language[], words: readonly string[]) => Promise<Counts>;
/** What is counted for each work. */
export const EVERY_WORK = '';

/** Nobody has counted the works of a period: without places one in so many is taken to be from it. */
const WORKS_A_PERIOD = 8;

/** Turns a query into what has to be asked of each museum, with the words as its language has them. */
export async function planQuery(
  asked: ParsedQuery,
  { museum, filters }: Among,
  { stems, readCounts }: { stems: Stems; readCounts: ReadCounts },
): Promise<PlannedQuery> {
  const { groups, years } = asked;
  const languages = museum ? [languageOf(museum)] : LANGUAGES;
  const stemmers = new Map<Language, Stemmer>();
  const words = new Set([EVERY_WORK, ...wordsTyped(groups).map((word) => NAME_MARK + word)]);
  for (const language of languages) {
    const texts = textsOf(asked, filters, language);
    const stem = await stems.of(language, texts.flatMap(wordsOf));
    stemmers.set(language, stem);
    for (const text of texts)
      for (const { forms } of typedWordsOf(text, stem)) for (const form of forms) words.add(form);
  }
  const counts = await readCounts(languages, [...words]);
  const inLanguages = languages.map((language) => {
    const read = (text: string) => typedWordsOf(text, stemmers.get(language)!);
    return { language, read, ...termsOf({ asked, filters, language, read, counts }) };
  });
  const works = languages.map((language) => counts(language, EVERY_WORK)).reduce((sum, one) => sum + one, 0);
  const weights = groups.map((_, at) =>
    weightOf(
      works,
      inLanguages.flatMap(({ having }) => having[at]!).reduce((sum, one) => sum + one, 0),
    ),
  );
  const isName = (word: string) => languages.some((language) => counts(language, NAME_MARK + word) > 0);
  return {
    ...{ weights, years, filters, works, words: worksByWord(groups, inLanguages, counts) },
    plans: merged(
      inLanguages.map(({ language, plan }) => ({
        ...plan,
        museums: museum ? [museum] : MUSEUM_NAMES.filter((name) => languageOf(name) === language),
      })),
    ),
    worth: groups.map(([typed], at) => weights[at]! * (wordsOf(typed!.text).every(isName) ? NAME_WORTH : 1)),
    names: new Set(wordsTyped(groups).filter(isName)),
  };
}

interface InLanguage {
  readonly asked: ParsedQuery;
  readonly filters: Filters | undefined;
  readonly language: Language;
  readonly counts: Counts;
  read(text: string): TypedWord[];
}

/** What is looked for in catalogues of one language, and of each group about how many works have each of its terms. */
function termsOf({ asked: { groups, excluded }, filters, language, counts, read }: InLanguage) {
  const having = (wording: Wording) =>
    Math.min(...wording.map((forms) => forms.reduce((sum, form) => sum + counts(language, form), 0)));
  /** Undefined where a word of it is in no work. */
  const wordingOf = (text: string): Wording | undefined => {
    const words = read(text).map(({ forms }) => forms.filter((form) => counts(language, form) > 0));
    return words.length > 0 && words.every(({ length }) => length > 0) ? words : undefined;
  };
  const wordingsOf = (texts: readonly string[]) =>
    texts.map(wordingOf).filter((wording) => wording !== undefined);
  const termOf = ({ text, period }: Term, share: number): { term: PlannedTerm; works: number }[] => {
    if (!period) {
      const wording = wordingOf(text);
      return wording ? [{ term: { share, wording }, works: having(wording) }] : [];
    }
    const years = { from: period.from, to: period.to };
    if (period.places.length === 0)
      return [{ term: { share, period: { years } }, works: counts(language, EVERY_WORK) / WORKS_A_PERIOD }];
    const places = wordingsOf(placesIn(period, language));
    const works = places.reduce((sum, place) => sum + having(place), 0) / WORKS_A_PERIOD;
    return places.length > 0 ? [{ term: { share, period: { years, places } }, works }] : [];
  };
  const found = groups.map((group) =>
    termsIn(group, language).flatMap((term) => termOf(term, term === group[0] ? 1 : SYNONYM_SHARE)),
  );
  return {
    having: found.map((terms) => terms.map(({ works }) => works)),
    plan: {
      groups: found.map((terms) => terms.map(({ term }) => term)),
      excluded: wordingsOf(excluded),
      media: mediaOf(filters, language).map(wordingsOf),
    },
  };
}

/** Museums of whom the same is asked are asked once. */
function merged(plans: readonly Plan[]): Plan[] {
  const asked = Map.groupBy(plans, ({ museums: _, ...plan }) => JSON.stringify(plan));
  return [...asked.values()].map((same) => ({
    ...same[0]!,
    museums: same.flatMap(({ museums }) => museums),
  }));
}

function worksByWord(
  groups: ParsedQuery['groups'],
  inLanguages: readonly { language: Language; read(text: string): TypedWord[] }[],
  counts: Counts,
): Map<string, number> {
  const works = new Map<string, number>();
  for (const text of doubtfulTexts(groups)) {
    for (const { language, read } of inLanguages) {
      for (const { typed, forms } of read(text)) {
        const having = Math.max(...forms.map((form) => counts(language, form)));
        works.set(typed, (works.get(typed) ?? 0) + having);
      }
    }
  }
  return works;
}
