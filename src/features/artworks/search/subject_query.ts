import { SUBJECT_TERMS_MAX, SUBJECT_TITLE_WORDS_MAX } from '../limits.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { fold, wordsOf } from './fold.ts';
import { groupsOfWords } from './parse_query.ts';
import { isKnown, languageOfWordings, termsOf } from './synonyms.ts';
import type { Term } from './types.ts';

/** What a work shows and what kind of object it is, as groups of a query with the words to name each by. */
export interface SubjectQuery {
  readonly groups: readonly (readonly Term[])[];
  /** One for each group, in the museum's spelling. */
  readonly names: readonly string[];
}

/** Title words that museums use where there is no title. */
const UNTITLED = new Set([
  'untitled',
  'title',
  'unknown',
  'fragment',
  'verso',
  'recto',
  'plate',
  'no',
  'page',
  'folio',
]);

/** With fewer subjects than this, works are told apart by their kind as well. */
const FEW = 3;

/** Subjects of a record, words of its title and, where these are few, its kind: each once, with what means the same in other catalogues. */
export function subjectQuery({ tags, title, classification }: ArtworkRecord): SubjectQuery {
  const language = languageOfWordings([...tags, ...title.split(/\s+/)].map(folded));
  const subjects = tags
    .slice(0, SUBJECT_TERMS_MAX)
    .map((tag) => ({ name: tag, terms: wordingOf(tag, language) }));
  const titled = groupsOfWords(title)
    .filter(([first]) => /^\p{L}{3,}/u.test(first!.text) && !UNTITLED.has(first!.text))
    .slice(0, SUBJECT_TITLE_WORDS_MAX)
    .map((terms) => ({ name: terms[0]!.text, terms }));
  const shown = withoutRepeats([...subjects, ...titled]);
  const kind = { name: classification, terms: wordingOf(classification, language) };
  const asked = shown.length < FEW ? withoutRepeats([...shown, kind]) : shown;
  return { groups: asked.map(({ terms }) => terms), names: asked.map(({ name }) => name) };
}

interface Asked {
  readonly name: string;
  readonly terms: readonly Term[];
}

/** A wording that means something of one before it is left out: the "horse" of a title beside the subject "Horses". */
function withoutRepeats(asked: readonly Asked[]): Asked[] {
  const taken = new Set<string>();
  return asked.filter(({ terms }) => {
    if (terms.length === 0 || terms.some(({ text }) => taken.has(text))) return false;
    for (const { text } of terms) taken.add(text);
    return true;
  });
}

const folded = (text: string): string => wordsOf(fold(text)).join(' ');

/** A wording as one thing: "Virgin and Child" is no two. */
function wordingOf(text: string, language: string): readonly Term[] {
  const words = folded(text);
  if (words === '') return [];
  return isKnown(words) ? termsOf(words, language) : [{ text: words }];
}
