import { isEmpty } from './empty_words.ts';
import { fold, wordsOf } from './fold.ts';
import { isNumberAlone } from './query_numbers.ts';
import { takeYears, type YearRange } from './query_years.ts';
import { isKnown, languageOfWordings, SYNONYM_LENGTH_MAX, termsOf } from './synonyms.ts';
import type { Term } from './types.ts';

/** What a person asked for. */
export interface ParsedQuery {
  /** Every group has to be found; within a group any of the terms, the one that was typed first. */
  readonly groups: readonly (readonly Term[])[];
  /** None of these may be found. */
  readonly excluded: readonly string[];
  readonly years?: YearRange;
  /** The words of the date as they were typed. */
  readonly yearsSaid?: string;
}

/** Later ones are not looked at. Fewer than the 30 that match.ts has bits for. */
const WORDS_MAX = 16;
const PHRASE = /(-?)"([^"]*)"/g;

/**
 * Reads a query. Quotes keep words together, a minus excludes, dates become years ("1880s", "before 1700", "17th
 * century"). Whatever else is in it is text: there is nothing that could be wrong.
 */
export function parseQuery(query: string): ParsedQuery {
  const excluded: string[] = [];
  const phrases: string[] = [];
  const unquoted = fold(query).replace(PHRASE, (_, minus: string, text: string) => {
    const phrase = wordsOf(text).join(' ');
    if (phrase) (minus ? excluded : phrases).push(phrase);
    return ' ';
  });
  const included = unquoted.replace(
    /(^|\s)-([\p{L}\p{N}]+)|\bnot\s+([\p{L}\p{N}]+)/gu,
    (_, __, after, word) => {
      excluded.push(after ?? word);
      return ' ';
    },
  );
  const worded = included
    .split(/\s+/)
    .filter((word) => {
      // Its parts are no dates: 1909 in RP-P-1909-118 is none.
      if (!isNumberAlone(word)) return true;
      phrases.push(wordsOf(word).join(' '));
      return false;
    })
    .join(' ');
  const { rest, years, said } = takeYears(worded);
  const all = groupWords(wordsOf(rest));
  const telling = all.filter(([first]) => !isEmpty(first!.text));
  const groups = telling.length + phrases.length > 0 || years ? telling : all;
  return {
    groups: [...phrases.map((text) => [{ text, isQuoted: true } as const]), ...groups].slice(0, WORDS_MAX),
    excluded: excluded.slice(0, WORDS_MAX),
    ...(years && { years, yearsSaid: said ?? '' }),
  };
}

/** What of a text says something, wording by wording, each with all that means the same. */
export const groupsOfWords = (text: string): Term[][] =>
  groupWords(wordsOf(fold(text)))
    .filter(([first]) => !isEmpty(first!.text))
    .slice(0, WORDS_MAX);

/** Finds the longest wordings that are known, so that "still life" is one thing and "da Vinci" a person. */
function groupWords(words: readonly string[]): Term[][] {
  const wordings: string[] = [];
  let at = 0;
  while (at < words.length) {
    let length = Math.min(SYNONYM_LENGTH_MAX, words.length - at);
    const wording = () => words.slice(at, at + length).join(' ');
    while (length > 1 && !isKnown(wording())) length -= 1;
    wordings.push(wording());
    at += length;
  }
  const language = languageOfWordings(wordings.filter((words) => !isEmpty(words)));
  return wordings.map((words) => termsOf(words, language));
}
