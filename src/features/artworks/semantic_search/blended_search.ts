import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { visualQuery } from '../image_embeddings/similar_images.ts';
import type { ImageEmbeddings, ImageEmbeddingsUsed } from '../image_embeddings/types.ts';
import { matchReason } from '../search/match_reason.ts';
import { type ParsedQuery, parseQuery } from '../search/parse_query.ts';
import { search } from '../search/search.ts';
import { readRecords } from '../search/search_store.ts';
import { selectMatches } from '../search/select_matches.ts';
import { addFacets } from '../search/tally.ts';
import type { Among, Found, Search } from '../search/types.ts';
import type { Fitting } from '../search/word_index_types.ts';
import { type FoundRow, readFound } from '../visual_similarity/descriptor_store.ts';
import { mergeRanks, pageOf, type Ranking } from './merge_ranks.ts';
import type { TextEmbeddings } from './text_embeddings.ts';
import type { NearestQuery, NearVector } from './types.ts';

/** Whether semantic search contributed to a result. */
export interface TextEmbeddingsUsed {
  readonly used: boolean;
  /** Number of works with a text embedding. */
  readonly known: number;
  /** Why it did not contribute. */
  readonly why?: string;
}

/** Candidates of each ranking; lower ranks do not affect the top of the fused ranking. */
const CANDIDATES = 100;
/** Nearest works requested from the vector index, before the filters apply. */
const NEAR = 2 * CANDIDATES;
const NEAR_FILTERED = 20 * CANDIDATES;

interface Beside {
  readonly meaning?: TextEmbeddings | undefined;
  readonly sight: Pick<ImageEmbeddings, 'network' | 'nearText' | 'size'>;
}

interface BlendedOf {
  readonly meaning?: TextEmbeddingsUsed;
  readonly seen: ImageEmbeddingsUsed;
}

/**
 * Hybrid search: full text, text embeddings and image embeddings, fused by rank. A model that fails is left
 * out, and the response says so. Works that match all words rank above those found only by image embedding,
 * except for the last places of a page.
 */
export async function blendedSearch(
  database: Database,
  edition: number,
  asked: Search,
  { meaning, sight }: Beside,
): Promise<Found & BlendedOf> {
  const { museum } = asked;
  const wanted = { limit: asked.filters ? NEAR_FILTERED : NEAR, museum };
  const look = await prepareSight(sight, asked.query, wanted);
  if (!meaning && !look.near) return { ...(await search(database, edition, asked)), seen: look.state };
  const { limit, offset = 0 } = asked;
  const wide = { ...asked, offset: 0, limit: Math.max(offset + limit, CANDIDATES) };
  const [text, meant, seen] = await Promise.all([
    search(database, edition, wide),
    meaning && asMeant(meaning, asked.query, wanted),
    asSeen(look),
  ]);
  const used = { ...(meant && { meaning: meant.state }), seen: seen.state };
  const hits = text.hits.slice(offset, offset + limit);
  if (text.isByNumber) return { ...text, hits, ...withoutUse(used) };
  if (!meant?.near && !seen.near) return { ...text, hits, ...used };
  const near = [...(meant?.near ?? []), ...(seen.near ?? [])];
  const parsed = parseQuery(text.didYouMean ?? asked.query);
  const loosely = await selectFitting(database, edition, { ...asked, near }, { ...parsed, groups: [] });
  const { rows } = loosely;
  const { rows: worded } = await selectFitting(database, edition, { ...asked, near }, parsed);
  const fitting = (of: readonly NearVector[] = []): Ranking =>
    new Map(
      of
        .flatMap(({ id, similarity }) => (rows.has(id) ? [[id, similarity] as const] : []))
        .slice(0, CANDIDATES),
    );
  const merged = mergeRanks(text, {
    meaning: fitting(meant?.near),
    seen: fitting(seen.near),
    worded: new Set(worded.keys()),
  });
  const shown = pageOf(merged, { limit, offset });
  const extra = merged.flatMap(({ id, hit }) => (hit || worded.has(id) ? [] : (rows.get(id) ?? [])));
  const added = new Set(extra.map(({ number }) => number));
  const records = await readRecords(
    database,
    shown.flatMap(({ id, hit }) => (hit ? [] : (rows.get(id)?.number ?? []))),
  );
  return {
    ...text,
    hits: shown.flatMap(({ id, hit, why }) => {
      const record = hit?.record ?? records.get(rows.get(id)!.number);
      const words = record && !hit && worded.has(id) ? [matchReason(record, parsed)] : [];
      return record ? [{ ...hit, record, why: [...words, why].join(', ') }] : [];
    }),
    total: text.total + extra.length,
    facets: addFacets(
      text.facets,
      loosely.facets((number) => added.has(number)),
    ),
    ...used,
  };
}

/** A query by number finds exactly its works; embeddings do not contribute. */
const withoutUse = ({ meaning, seen }: BlendedOf): BlendedOf => ({
  ...(meaning && { meaning: { ...meaning, used: false } }),
  seen: { ...seen, used: false },
});

interface Near<State> {
  readonly state: State;
  /** Absent if it did not contribute. */
  readonly near?: readonly NearVector[];
}

async function asMeant(
  meaning: TextEmbeddings,
  query: string,
  wanted: NearestQuery,
): Promise<Near<TextEmbeddingsUsed>> {
  if (query === '') return { state: { used: false, known: await meaning.size() } };
  const [near, known] = await Promise.all([orRefusal(meaning.near(query, wanted)), meaning.size()]);
  return near instanceof AtelierError
    ? { state: { used: false, known, why: near.message } }
    : { state: { used: true, known }, near };
}

interface Prepared {
  readonly state: ImageEmbeddingsUsed;
  /** Absent if there is nothing to search. */
  near?(): Promise<NearVector[]>;
}

/**
 * Prepares the search by image embedding, if a network is installed, images are encoded, and an image can
 * show what the query describes.
 */
async function prepareSight(sight: Beside['sight'], query: string, wanted: NearestQuery): Promise<Prepared> {
  const network = await sight.network();
  if (!network) return { state: { used: false, known: 0 } };
  const known = await orRefusal(sight.size());
  if (known instanceof AtelierError) return { state: { used: false, known: 0, network, why: known.message } };
  const words = visualQuery(query);
  if (words === undefined || known === 0) {
    const why =
      known === 0
        ? 'No image has been encoded yet.'
        : 'Numbers, dates and quoted words are searched for in records only.';
    return { state: { used: false, known, network, why } };
  }
  return { state: { used: true, known, network }, near: () => sight.nearText(words, wanted) };
}

async function asSeen({ state, near }: Prepared): Promise<Near<ImageEmbeddingsUsed>> {
  const found = near && (await orRefusal(near()));
  if (found === undefined) return { state };
  return found instanceof AtelierError
    ? { state: { ...state, used: false, why: found.message } }
    : // Vectors with a negative similarity have nothing in common.
      { state, near: found.filter(({ similarity }) => similarity > 0) };
}

const orRefusal = <T>(work: Promise<T>): Promise<T | AtelierError> =>
  work.catch((error: unknown) => {
    if (error instanceof AtelierError) return error;
    throw error;
  });

/** Near works of the edition and museum that pass the filters and match the query. */
async function selectFitting(
  database: Database,
  edition: number,
  { museum, filters, near }: Among & { near: readonly NearVector[] },
  asked: ParsedQuery,
): Promise<Pick<Fitting, 'facets'> & { rows: Map<string, FoundRow> }> {
  const here = await readFound(
    database,
    edition,
    near.map(({ id }) => id),
  );
  const numbers = [...here.values()].map(({ number }) => number);
  const fit = await selectMatches(database, edition, asked, { museum, filters }, numbers);
  return { rows: new Map([...here].filter(([, { number }]) => fit.numbers.has(number))), facets: fit.facets };
}
