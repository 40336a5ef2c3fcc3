import type { Language } from './fields.ts';
import { wordsOf } from './fold.ts';
import type { ParsedQuery } from './parse_query.ts';
import { MEDIUM_MARK } from './segment_builder.ts';
import type { Stemmer } from './stems.ts';
import { placesIn } from './synonyms.ts';
import type { Filters, Term } from './types.ts';

/** Terms of a group that are looked for in catalogues of a language. */
export const termsIn = (group: readonly Term[], language: Language): readonly Term[] =>
  group.filter(({ languages }) => !languages || languages.includes(language));

/** Wordings of what a medium is asked to have, group by group, as the index marks them. */
export const mediaOf = (filters: Filters | undefined, language: Language): string[][] =>
  (filters?.mediumWords ?? []).map((group) => termsIn(group, language).map(({ text }) => MEDIUM_MARK + text));

/** All that is looked for in catalogues of a language. */
export const textsOf = (
  { groups, excluded }: ParsedQuery,
  filters: Filters | undefined,
  language: Language,
): string[] => [
  ...new Set([
    ...groups
      .flatMap((group) => termsIn(group, language))
      .flatMap(({ text, period }) => (period ? placesIn(period, language) : [text])),
    ...excluded,
    ...mediaOf(filters, language).flat(),
  ]),
];

/** A word of a wording, with the forms the index may have it in. */
export interface TypedWord {
  readonly typed: string;
  readonly forms: readonly string[];
}

export function typedWordsOf(text: string, stem: Stemmer): TypedWord[] {
  const mark = text.startsWith(MEDIUM_MARK) ? MEDIUM_MARK : '';
  return wordsOf(text).map((typed) => ({
    typed,
    forms: [...new Set([typed, stem(typed)])].map((form) => mark + form),
  }));
}

/** Words of a query as they were typed. */
export const wordsTyped = (groups: ParsedQuery['groups']): string[] => [
  ...new Set(groups.flatMap(([typed]) => wordsOf(typed!.text))),
];

/** Wordings whose words may be errors. What has synonyms is a word, whether the dataset has it or not, and so is what stands in quotes. */
export const doubtfulTexts = (groups: ParsedQuery['groups']): Set<string> =>
  new Set(groups.flatMap(([one, ...others]) => (others.length === 0 && !one!.isQuoted ? [one!.text] : [])));
