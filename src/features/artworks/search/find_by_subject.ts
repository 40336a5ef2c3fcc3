import type { Database } from '../../../core/database/types.ts';
import { SUBJECT_CANDIDATES_MAX, SUBJECT_TERMS_MAX, SUBJECT_TITLE_WORDS_MAX } from '../limits.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { reciprocal } from '../semantic_search/merge_ranks.ts';
import { fold, wordsOf } from './fold.ts';
import { groupsOfWords } from './parse_query.ts';
import { readIds } from './search_store.ts';
import { isKnown, languageOfWordings, termsOf } from './synonyms.ts';
import type { SimilarHit, Term } from './types.ts';
import { wordIndexOf } from './word_index.ts';

/** Works below this share of a subject's weight have little in common with it. */
const SHARE_MIN = 0.06;
/** Subjects named as the reason of a hit. */
const NAMED_MAX = 4;

/** Similarities by id from embeddings, highest first, and a phrase for what they compare. */
export interface NearSubject {
  readonly of: string;
  readonly near: ReadonlyMap<string, number>;
}

/**
 * Finds works with similar subjects: they share subjects, title words and the type of object, weighted by
 * rarity; with embeddings, both rankings are fused. One pass over the posting lists of at most 19 words finds
 * the SUBJECT_CANDIDATES_MAX best.
 * @param work undefined: by embeddings alone
 */
export async function findBySubject(
  database: Database,
  edition: number,
  work: ArtworkRecord | undefined,
  near: readonly NearSubject[],
): Promise<SimilarHit[]> {
  const worded = work ? await sharing(database, edition, work) : new Map<string, string>();
  const lists = [worded, ...near.map((one) => one.near)].map(
    (of) => new Map([...of.keys()].map((id, place) => [id, reciprocal(place)])),
  );
  const ids = new Set(lists.flatMap((list) => [...list.keys()]));
  const scores = new Map(
    [...ids].map((id) => [id, lists.reduce((sum, list) => sum + (list.get(id) ?? 0), 0)]),
  );
  const said = (id: string) =>
    near.flatMap((one) =>
      one.near.has(id) ? [`${one.of} (similarity ${one.near.get(id)!.toFixed(2)})`] : [],
    );
  return [...ids]
    .sort((one, other) => scores.get(other)! - scores.get(one)!)
    .map((id) => ({ id, why: () => [worded.get(id), ...said(id)].filter(Boolean).join('; ') }));
}

/** Works with shared subjects, best first, with the subjects they share. */
async function sharing(
  database: Database,
  edition: number,
  work: ArtworkRecord,
): Promise<Map<string, string>> {
  const { groups, names } = subjectQuery(work);
  if (groups.length === 0) return new Map();
  const found = await wordIndexOf(database).lookUp(edition, { groups, excluded: [] }, {});
  const { best } = await found.rank(SUBJECT_CANDIDATES_MAX, SHARE_MIN);
  const ids = await readIds(
    database,
    best.map(({ number }) => number),
  );
  // Names the heaviest first: a rare subject says more than "men".
  const order = [...names.keys()].sort((one, other) => found.worth[other]! - found.worth[one]!);
  return new Map(
    best.flatMap(({ number, found: bits }) => {
      const shared = order.filter((at) => bits & (1 << at)).slice(0, NAMED_MAX);
      const id = ids.get(number);
      return id === undefined ? [] : [[id, `subject: ${shared.map((at) => names[at]!).join(', ')}`] as const];
    }),
  );
}

/** Subjects and type of a work as groups of a query, with a name for each. */
interface SubjectQuery {
  readonly groups: readonly (readonly Term[])[];
  /** One per group, in the museum's spelling. */
  readonly names: readonly string[];
}

/** Title words that museums use for untitled works. */
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

/** With fewer subjects than this, the type of object is compared as well. */
const FEW = 3;

/**
 * Subjects of a record, words of its title and, if these are few, its type: each once, with its equivalents
 * in other catalogues.
 */
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

/**
 * Drops a wording that is covered by an earlier one, such as the "horse" of a title after the subject
 * "Horses".
 */
function withoutRepeats(asked: readonly Asked[]): Asked[] {
  const taken = new Set<string>();
  return asked.filter(({ terms }) => {
    if (terms.length === 0 || terms.some(({ text }) => taken.has(text))) return false;
    for (const { text } of terms) taken.add(text);
    return true;
  });
}

const folded = (text: string): string => wordsOf(fold(text)).join(' ');

/** A wording as one concept: "Virgin and Child" is a single subject. */
function wordingOf(text: string, language: string): readonly Term[] {
  const words = folded(text);
  if (words === '') return [];
  return isKnown(words) ? termsOf(words, language) : [{ text: words }];
}
