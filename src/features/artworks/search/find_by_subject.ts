import type { Database } from '../../../core/database/types.ts';
import { SUBJECT_CANDIDATES_MAX } from '../limits.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { reciprocal } from '../semantic_search/merge_ranks.ts';
import { readIds } from './search_store.ts';
import { subjectQuery } from './subject_query.ts';
import type { AlikeHit } from './types.ts';
import { wordIndexOf } from './word_index.ts';

/** Works that have less of the weight of a subject than this have little to do with it. */
const SHARE_MIN = 0.06;
/** Subjects named as the reason. */
const NAMED_MAX = 4;

/** Similarities by id that embeddings give, the most similar first, and what they are of, in words. */
export interface NearSubject {
  readonly of: string;
  readonly near: ReadonlyMap<string, number>;
}

/**
 * Works that show the like of a work: they share subjects, words of the title and the kind of object, rare ones before common ones; where
 * embeddings are installed, by them as well, merged by rank. One pass over the posting lists of at most 19 words finds the
 * SUBJECT_CANDIDATES_MAX best.
 * @param work undefined: by the embeddings alone
 */
export async function findBySubject(
  database: Database,
  edition: number,
  work: ArtworkRecord | undefined,
  near: readonly NearSubject[],
): Promise<AlikeHit[]> {
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

/** Works that share subjects, the best first, with what they share. */
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
  // The weightiest are named first: a rare subject says more than "men".
  const order = [...names.keys()].sort((one, other) => found.worth[other]! - found.worth[one]!);
  return new Map(
    best.flatMap(({ number, found: bits }) => {
      const shared = order.filter((at) => bits & (1 << at)).slice(0, NAMED_MAX);
      const id = ids.get(number);
      return id === undefined ? [] : [[id, `subject: ${shared.map((at) => names[at]!).join(', ')}`] as const];
    }),
  );
}
