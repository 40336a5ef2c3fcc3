import { BASIC_COLORS } from '@atelier/imaging/analysis/measure_color.ts';
import { termMatcher } from '@atelier/imaging/vision/match_terms.ts';
import { SUBJECT_TERMS } from '@atelier/imaging/vision/subject_terms.ts';

/** What is known of an image by looking at it. */
export interface LookedAt {
  /** Terms of the vocabulary, with all that is broader. */
  readonly terms: ReadonlySet<string>;
}

/** Each is true where a strict reader has nothing against the text. */
export interface Verdict {
  /** It begins with a capital and ends with a full stop. */
  readonly wholeSentences: boolean;
  /** Alt texts 40 to 150 characters, titles 5 to 80. */
  readonly length: boolean;
  /** It names something that is to be seen. */
  readonly namesSubject: boolean;
  /** None that could be said of any image, or of its data. */
  readonly noEmptyWords: boolean;
  /** Nothing it names is missing from the labels. */
  readonly noContradiction: boolean;
}

const match = termMatcher(SUBJECT_TERMS);
const EMPTY =
  /\b(?:image|picture) of\b|one form or group|mainly|lightest|darkest|\bthis artwork is\b|beautiful|stunning|captivating|masterful/iu;
/** "Orange gates" name no fruit. */
const COLORED = new RegExp(`\\b(?:${BASIC_COLORS.join('|')})(?=[ -]\\p{L})`, 'giu');
const BEFORE_NOUNS = /^(?:an?|of|in|on|with|at|by|to|and)$/iu;
/** Words of a term. */
const TERM_WORDS_MAX = 3;

/** Reads an English alt text or title as an editor does who accepts it as it is or not at all. */
export function readStrictly(text: string, { terms }: LookedAt, kind: 'alt text' | 'title'): Verdict {
  const named = termsIn(text.replace(COLORED, ' '));
  const isRight = (name: string) =>
    terms.has(name) ||
    [...terms].some((term) => SUBJECT_TERMS.get(term)?.broader.includes(name)) ||
    isNarrower(name, terms);
  return {
    wholeSentences: kind === 'title' ? /^\p{Lu}/u.test(text) : /^[\p{Lu}“].*[.”]$/su.test(text),
    length:
      kind === 'title' ? text.length >= 5 && text.length <= 80 : text.length >= 40 && text.length <= 150,
    namesSubject: named.some(isRight),
    noEmptyWords: !EMPTY.test(text),
    noContradiction: named.filter((name) => SUBJECT_TERMS.get(name)?.kind === 'thing').every(isRight),
  };
}

/** A name narrower than a label: "daisy" where the narrowest label is "flower". */
function isNarrower(name: string, terms: ReadonlySet<string>): boolean {
  const broader = SUBJECT_TERMS.get(name)?.broader ?? [];
  const hasNarrower = (label: string) =>
    [...terms].some((term) => SUBJECT_TERMS.get(term)?.broader.includes(label));
  return broader.some((label) => terms.has(label) && !hasNarrower(label));
}

/** Terms of the vocabulary in a text, the longest first: "wooden bridge" is no wood. */
function termsIn(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}’'-]+/gu) ?? [];
  const found: string[] = [];
  for (let at = 0; at < words.length; at++) {
    // "Of a monarch butterfly" names no monarch.
    if (BEFORE_NOUNS.test(words[at]!)) continue;
    const lengths = Array.from({ length: TERM_WORDS_MAX }, (_, less) => TERM_WORDS_MAX - less);
    const length = lengths.find(
      (count) => at + count <= words.length && match(words.slice(at, at + count).join(' ')),
    );
    if (length === undefined) continue;
    found.push(match(words.slice(at, at + length).join(' '))!.term);
    at += length - 1;
  }
  return found;
}
