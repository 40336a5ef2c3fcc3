import type { Found } from '../search/types.ts';

/** Similarities by id, highest first. */
export type Ranking = ReadonlyMap<string, number>;

export interface Merged {
  readonly id: string;
  /** Absent: not found by full-text search. */
  readonly hit: Found['hits'][number] | undefined;
  /** Reason of the hit, for people. */
  readonly why: string;
  /** True if found only by image embedding. */
  readonly isOnlySeen: boolean;
}

/** Reciprocal rank fusion with the constant of its authors (Cormack, Clarke, Büttcher 2009). */
const RANK_CONSTANT = 60;
export const reciprocal = (place: number): number => 1 / (RANK_CONSTANT + place + 1);

/** Share of a page, at its end, reserved for works found only by image embedding. */
const SEEN_SHARE = 0.2;

interface Rankings {
  readonly meaning: Ranking;
  readonly seen: Ranking;
  /** Works of both rankings that match all words, at any rank. */
  readonly worded: ReadonlySet<string>;
}

/**
 * Fuses the rankings of full text, text embeddings and image embeddings. Works that match all words come
 * first, ordered without image embeddings: a search for Rembrandt must list Rembrandt before works that look
 * like his.
 */
export function mergeRanks(text: Found, { meaning, seen, worded }: Rankings): Merged[] {
  const hits = new Map(text.hits.map((hit) => [hit.record.id, hit]));
  const [byWords, byMeaning, bySight] = [scoresOf(hits), scoresOf(meaning), scoresOf(seen)];
  const isWhole = (id: string) => worded.has(id) || (hits.has(id) && !hits.get(id)!.missing);
  return [...new Set([...hits.keys(), ...meaning.keys(), ...seen.keys()])]
    .map((id) => {
      const told = (byWords.get(id) ?? 0) + (byMeaning.get(id) ?? 0);
      const isOnlySeen = told === 0 && !isWhole(id);
      const first = isWhole(id) || (text.relaxed.length === 0 && meaning.has(id));
      const why = [hits.get(id)?.why, said('meaning', meaning.get(id)), said('image content', seen.get(id))];
      return {
        id,
        hit: hits.get(id),
        isOnlySeen,
        why: why.filter(Boolean).join(', '),
        score: first ? 1 + told : told + (bySight.get(id) ?? 0),
      };
    })
    .sort((one, other) => other.score - one.score);
}

const scoresOf = (ranking: ReadonlyMap<string, unknown>): Map<string, number> =>
  new Map([...ranking.keys()].map((id, place) => [id, reciprocal(place)]));

const said = (by: string, similarity: number | undefined) =>
  similarity !== undefined && `${by} (similarity ${similarity.toFixed(2)})`;

/**
 * The first works; if none of them was found only by image embedding, the last fifth is replaced by the best
 * of those.
 */
export function seenToo(merged: readonly Merged[], limit: number): Merged[] {
  const page = merged.slice(0, limit);
  const room = Math.floor(limit * SEEN_SHARE) - page.filter(({ isOnlySeen }) => isOnlySeen).length;
  const more = merged
    .slice(limit)
    .filter(({ isOnlySeen }) => isOnlySeen)
    .slice(0, Math.max(0, room));
  return [...page.slice(0, limit - more.length), ...more];
}

/**
 * A page of the fused ranking, computed with all earlier pages of the same size, so that no work is repeated
 * or lost.
 */
export function pageOf(
  merged: readonly Merged[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Merged[] {
  const laid: Merged[] = [];
  let rest = merged;
  while (laid.length < offset + limit && rest.length > 0) {
    const page = new Set(seenToo(rest, limit));
    laid.push(...page);
    rest = rest.filter((one) => !page.has(one));
  }
  return laid.slice(offset, offset + limit);
}
