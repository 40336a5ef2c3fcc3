import { termMatcher } from '@atelier/imaging/vision/match_terms.ts';
import { SUBJECT_TERMS } from '@atelier/imaging/vision/subject_terms.ts';
import { groupOf } from '@atelier/imaging/vision/subject_thresholds.ts';

/** What is known of a picture by looking at it. */
export interface LookedAt {
  /** Terms of the vocabulary, with all that is broader. */
  readonly terms: ReadonlySet<string>;
  readonly people: boolean;
  readonly writing: boolean;
}

/** Each is true where a strict reader has nothing against the text. */
export interface Verdict {
  /** Every sentence begins with a capital, has a verb and ends with a full stop. */
  readonly wholeSentences: boolean;
  /** 60 to 125 characters. */
  readonly length: boolean;
  /** It begins with something that is to be seen, by a name narrower than "animal" or "landscape"; a face is the subject of a portrait alone, writing of a page. */
  readonly subjectFirst: boolean;
  /** None that could be said of any picture, or of its data. */
  readonly noEmptyWords: boolean;
  /** Nothing it names is missing from the labels. */
  readonly noContradiction: boolean;
}

const match = termMatcher(SUBJECT_TERMS);
const VERB =
  /\b(?:appears?|is|are|shows?|stands?|crosses|repeats|fills?|covers?|lies?|plays?|sits?|grows?|sees?)\b/u;
const EMPTY =
  /\b(?:image|picture) of\b|one form or group|mainly|lightest|darkest|\ban? (?:animal|plant|landscape|vehicle)\b|\bthis artwork is\b/iu;
const PORTRAIT = /portrait|^face$|^head$|^bust/u;

/** Reads an alt text as an editor does who accepts it as it is or not at all. */
export function readStrictly(text: string, { terms, people, writing }: LookedAt): Verdict {
  const sentences = text.split(/(?<=\.) /u);
  const lead = (
    /^(.*?) (?:appears?|fills?|stands?|crosses|repeats|is|are)\b/u.exec(sentences[0]!)?.[1] ?? ''
  ).split(/,| at | (?:right|left) of /u)[0]!;
  const isFace = /\bfaces?$/u.test(lead);
  const isWriting = /^(?:Writing|Lines of writing)$/u.test(lead);
  const named =
    isFace || isWriting ? [] : lead.split(/ and | with /u).map((words) => match(words)?.term ?? words);
  const [first = ''] = named;
  return {
    wholeSentences: sentences.every((sentence) => /^[A-Z“].*\.$/u.test(sentence) && VERB.test(sentence)),
    length: text.length >= 60 && text.length <= 125,
    subjectFirst: isFace
      ? [...terms].some((term) => PORTRAIT.test(term))
      : isWriting
        ? terms.has('printed matter') || terms.has('document')
        : terms.has(first) && groupOf(SUBJECT_TERMS.get(first)!) !== 'broad',
    noEmptyWords: !EMPTY.test(text),
    noContradiction:
      (!/\bfaces?\b|\bpeople\b/iu.test(text) || people) &&
      (!isWriting || writing) &&
      named.every((name) => !SUBJECT_TERMS.has(name) || terms.has(name)),
  };
}
