import type { Found } from '../search/types.ts';

/** Similarities by id, the most similar first. */
export type Ranking = ReadonlyMap<string, number>;

export interface Merged {
  readonly id: string;
  /** Absent: not found by words. */
  readonly hit: Found['hits'][number] | undefined;
  /** By what it was found, in words. */
  readonly why: string;
  /** Neither words nor meaning found it. */
  readonly isOnlySeen: boolean;
}

/** Reciprocal rank fusion with the constant of its authors (Cormack, Clarke, Büttcher 2009). */
const RANK_CONSTANT = 60;
export const reciprocal = (place: number): number => 1 / (RANK_CONSTANT + place + 1);

/** Of a page, the last places that are for works that are only seen, where there are such. */
const SEEN_SHARE = 0.2;

interface Rankings {
  readonly meaning: Ranking;
  readonly seen: Ranking;
  /** Those of both that have all the words, however far down they were found by them. */
  readonly worded: ReadonlySet<string>;
}

/**
 * Merges works found by words, by meaning and by sight, by their ranks. Those that have all the words come first, in an order in which sight has no say:
 * who asks for Rembrandt wants Rembrandt, then what looks like him.
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
      const why = [
        hits.get(id)?.why,
        said('meaning', meaning.get(id)),
        said('seen in the picture', seen.get(id)),
      ];
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

/** The first of them; where none of a page is only seen, its last fifth gives way to the best that are. */
export function seenToo(merged: readonly Merged[], limit: number): Merged[] {
  const page = merged.slice(0, limit);
  const room = Math.floor(limit * SEEN_SHARE) - page.filter(({ isOnlySeen }) => isOnlySeen).length;
  const more = merged
    .slice(limit)
    .filter(({ isOnlySeen }) => isOnlySeen)
    .slice(0, Math.max(0, room));
  return [...page.slice(0, limit - more.length), ...more];
}

/** Some of them, after those of the pages before, which are as large: nothing stands on two pages, and nothing on none. */
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
