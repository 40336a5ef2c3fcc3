import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { SIGHT_FITTING_MAX } from '../limits.ts';
import { parseQuery } from '../search/parse_query.ts';
import { reciprocal } from '../semantic_search/merge_ranks.ts';
import type { DescriptorHit } from '../visual_similarity/descriptor_hit.ts';
import type { ImageEmbeddings, ImageEmbeddingsUsed } from './types.ts';

/** Similarities by id, highest first. */
export interface SimilarImages {
  /** Similarity to the image sent. */
  readonly picture: ReadonlyMap<string, number>;
  /** Similarity to the text of the query. */
  readonly words?: ReadonlyMap<string, number>;
}

interface SimilarImagesQuery {
  readonly picture: { readonly bytes: Uint8Array; readonly signal: AbortSignal };
  readonly query: string;
}

/**
 * Finds works by image embedding, for an image and the text beside it. Reports a failure in `state` instead
 * of throwing.
 */
export async function findSimilarImages(
  sight: Pick<ImageEmbeddings, 'network' | 'nearText' | 'nearPicture' | 'size'>,
  { picture: { bytes, signal }, query }: SimilarImagesQuery,
): Promise<{ state: ImageEmbeddingsUsed; seen?: SimilarImages }> {
  const network = await sight.network();
  if (!network) return { state: { used: false, known: 0 } };
  let known = 0;
  try {
    known = await sight.size();
    if (known === 0) return { state: { used: false, known, network } };
    const words = visualQuery(query);
    const [picture, text] = await Promise.all([
      sight.nearPicture(bytes, { limit: SIGHT_FITTING_MAX }, signal),
      words === undefined ? undefined : sight.nearText(words, { limit: SIGHT_FITTING_MAX }),
    ]);
    const byId = (near: typeof picture) => new Map(near.map(({ id, similarity }) => [id, similarity]));
    return {
      state: { used: true, known, network },
      seen: { picture: byId(picture), ...(text && { words: byId(text) }) },
    };
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    return { state: { used: false, known, network, why: error.message } };
  }
}

/**
 * Orders results: other copies of the image first, then by the fused ranks of visual similarity, image
 * embedding and text.
 * @param allowed ids that may be included; undefined: any
 */
export function orderSimilarImages(
  hits: readonly DescriptorHit[],
  { picture, words }: SimilarImages,
  allowed: ReadonlySet<string> | undefined,
): { id: string; why(): string }[] {
  const same = hits.filter(({ isSame }) => isSame);
  const looks = new Map(hits.map(({ id, why }) => [id, why]));
  const lists = [[...looks.keys()], [...picture.keys()], [...(words?.keys() ?? [])]];
  const places = lists.map((ids) => new Map(ids.map((id, place) => [id, place])));
  const score = (id: string) =>
    places.reduce((sum, of) => sum + (of.has(id) ? reciprocal(of.get(id)!) : 0), 0);
  const first = new Set(same.map(({ id }) => id));
  const others = [...new Set([...looks.keys(), ...picture.keys()])].filter(
    (id) => !first.has(id) && (allowed?.has(id) ?? true),
  );
  const scores = new Map(others.map((id) => [id, score(id)]));
  others.sort((one, other) => scores.get(other)! - scores.get(one)!);
  const said = (what: string, similarity: number | undefined) =>
    similarity === undefined ? [] : [`${what} (similarity ${similarity.toFixed(2)})`];
  return [...first, ...others].map((id) => ({
    id,
    why: () =>
      [
        ...said('image content', words?.get(id)),
        ...said('similar image content', picture.get(id)),
        ...(looks.has(id) ? [looks.get(id)!()] : []),
      ].join('; '),
  }));
}

/** Excluded words and phrases, matching parseQuery. */
const EXCLUDED = /(^|\s)-("[^"]*"|[\p{L}\p{N}]+)|\bnot\s+[\p{L}\p{N}]+/giu;

/**
 * The part of a query that an image can show. Words stay as typed, because the encoder is trained on
 * sentences. Undefined for queries that only records can answer: quoted words, numbers of works, dates alone.
 */
export function visualQuery(query: string): string | undefined {
  const { groups } = parseQuery(query);
  const isNumber = groups.some(([typed]) => /\d/.test(typed?.text ?? ''));
  if (groups.length === 0 || isNumber || query.replace(EXCLUDED, '').includes('"')) return undefined;
  return query.replace(EXCLUDED, ' ').replace(/\s+/g, ' ').trim() || undefined;
}
