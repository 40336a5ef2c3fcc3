import { BASIC_COLORS } from '@atelier/imaging/analysis/measure_color.ts';
import { termMatcher } from '@atelier/imaging/vision/match_terms.ts';
import { SUBJECT_TERMS } from '@atelier/imaging/vision/subject_terms.ts';

/** Labels of an image, assigned by viewing it. */
export interface LookedAt {
  /** Terms of the vocabulary, including all broader ones. */
  readonly terms: ReadonlySet<string>;
}

/** Each is true if a strict reader has no objection. */
export interface Verdict {
  /** It begins with a capital and ends with a full stop. */
  readonly wholeSentences: boolean;
  /** Alt texts have 40 to 150 characters, titles 5 to 80. */
  readonly length: boolean;
  /** Names something visible. */
  readonly namesSubject: boolean;
  /** No phrase that applies to any image, or only to its data. */
  readonly noEmptyWords: boolean;
  /** Names nothing that is missing from the labels. */
  readonly noContradiction: boolean;
}

const match = termMatcher(SUBJECT_TERMS);
const EMPTY =
  /\b(?:image|picture) of\b|one form or group|mainly|lightest|darkest|\bthis artwork is\b|beautiful|stunning|captivating|masterful/iu;
/** "Orange gates" does not name a fruit. */
const COLORED = new RegExp(`\\b(?:${BASIC_COLORS.join('|')})(?=[ -]\\p{L})`, 'giu');
const BEFORE_NOUNS = /^(?:an?|of|in|on|with|at|by|to|and)$/iu;
/** Maximum words of a term. */
const TERM_WORDS_MAX = 3;

/** Evaluates an English alt text or title like an editor who accepts it unchanged or not at all. */
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

/** A name narrower than a label: "daisy" if the narrowest label is "flower". */
function isNarrower(name: string, terms: ReadonlySet<string>): boolean {
  const broader = SUBJECT_TERMS.get(name)?.broader ?? [];
  const hasNarrower = (label: string) =>
    [...terms].some((term) => SUBJECT_TERMS.get(term)?.broader.includes(label));
  return broader.some((label) => terms.has(label) && !hasNarrower(label));
}

/** Terms of the vocabulary in a text, longest first: "wooden bridge" does not name wood. */
function termsIn(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}’'-]+/gu) ?? [];
  const found: string[] = [];
  for (let at = 0; at < words.length; at++) {
    // "Of a monarch butterfly" does not name a monarch.
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
