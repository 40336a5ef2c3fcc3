import type { Database } from '../../../core/database/types.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import {
  findSimilarImages,
  orderSimilarImages,
  type SimilarImages,
} from '../image_embeddings/similar_images.ts';
import type { ImageEmbeddings, ImageEmbeddingsUsed } from '../image_embeddings/types.ts';
import { LOOK_CANDIDATES_MAX, type SimilarityCriterion, SUBJECT_CANDIDATES_MAX } from '../limits.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { findBySubject, type NearSubject } from '../search/find_by_subject.ts';
import { matchReason } from '../search/match_reason.ts';
import { parseQuery } from '../search/parse_query.ts';
import { readRecords } from '../search/search_store.ts';
import { selectMatches } from '../search/select_matches.ts';
import type { Found, Search, SimilarHit } from '../search/types.ts';
import type { TextEmbeddings } from '../semantic_search/text_embeddings.ts';
import type { DescriptorIndex } from './descriptor_index.ts';
import { type FoundRow, readFound } from './descriptor_store.ts';
import type { DescriptorQuery } from './rank_descriptors.ts';
import type { VisualDescriptors } from './visual_descriptors.ts';

interface FindSimilarDeps {
  readonly database: Database;
  readonly looks: Pick<VisualDescriptors, 'search' | 'known' | 'measure'>;
  readonly sight: ImageEmbeddings;
  readonly meaning?: Pick<TextEmbeddings, 'near'> | undefined;
  /**
   * Record of a work in the edition.
   * @throws AtelierError artwork_not_found
   */
  record(id: string): Promise<ArtworkRecord>;
  /** The stored image of a work. */
  kept(record: ArtworkRecord): Promise<Uint8Array | undefined>;
  /**
   * Fetches the image of a work.
   * @throws AtelierError image_not_found, upstream_failed
   */
  bring(id: string): Promise<Uint8Array>;
}

interface SimilarQuery extends Search {
  readonly colors?: readonly number[] | undefined;
  readonly picture?: Picture | undefined;
  /** Id of a work to compare with, in place of an image. */
  readonly likeWork?: string | undefined;
  /** Absent: overall similarity. */
  readonly likeBy?: SimilarityCriterion | undefined;
}

interface Picture {
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
}

type FoundSimilar = Found & { readonly seen?: ImageEmbeddingsUsed };

/**
 * Creates the search for works by colours, or similar to an image or work: overall, by composition, colours
 * or subject.
 */
export function createFindSimilar({ database, looks, sight, meaning, record, kept, bring }: FindSimilarDeps) {
  /** Visual descriptor of the image or work; a stored one if the work has it. */
  const descriptorOf = async ({ picture, likeWork, likeBy }: SimilarQuery, signal: AbortSignal) => {
    const known = likeWork === undefined ? undefined : await looks.known(likeWork);
    if (known && (likeBy === 'color' || known.layout.length > 0)) return known;
    const { bytes } = picture ?? (await pictureOf(bring, likeWork!, signal));
    return looks.measure(bytes, signal);
  };

  /** The work that an image shows, if it is a copy of one. */
  const shownIn = async ({ bytes, signal }: Picture): Promise<ArtworkRecord | undefined> => {
    const [best] = await looks.search({ like: await looks.measure(bytes, signal) }, { limit: 1 });
    return best?.isSame ? record(best.id).catch(undefinedIfNone) : undefined;
  };

  async function bySubject(edition: number, asked: SimilarQuery, signal: AbortSignal): Promise<FoundSimilar> {
    const { picture, likeWork } = asked;
    const work = likeWork === undefined ? await shownIn(picture!) : await record(likeWork);
    const bytes = picture?.bytes ?? (await kept(work!));
    const seen = bytes && (await findSimilarImages(sight, { picture: { bytes, signal }, query: '' }));
    if (!work && !seen?.seen)
      throw invalidField(
        'like_by',
        'like_by "subject" compares records, and this image shows no known work. Send like_work, the credit_id of a work.',
      );
    const near = [
      ...(work && meaning ? await nearMeaning(meaning, work) : []),
      ...(seen?.seen ? [{ of: 'similar image content', near: seen.seen.picture }] : []),
    ];
    const hits = await findBySubject(database, edition, work, near);
    const found = await filterHits(database, edition, hits, { ...asked, without: work?.id }, looks);
    return { ...found, ...(seen && { seen: seen.state }) };
  }

  async function byWhole(edition: number, asked: SimilarQuery, picture: Picture): Promise<FoundSimilar> {
    const { likeWork: without, query } = asked;
    const [like, { state, seen }] = await Promise.all([
      looks.measure(picture.bytes, picture.signal),
      findSimilarImages(sight, { picture, query }),
    ]);
    return {
      ...(await findByDescriptor(database, edition, { ...asked, like, seen, without }, looks)),
      seen: state,
    };
  }

  return async (edition: number, asked: SimilarQuery): Promise<FoundSimilar> => {
    const { picture, likeWork, likeBy: by } = asked;
    if (!picture && likeWork === undefined) return findByDescriptor(database, edition, asked, looks);
    const signal = picture?.signal ?? new AbortController().signal;
    if (by === 'subject') return bySubject(edition, asked, signal);
    if (by === undefined)
      return byWhole(edition, asked, picture ?? (await pictureOf(bring, likeWork!, signal)));
    const like = await descriptorOf(asked, signal);
    return findByDescriptor(database, edition, { ...asked, by, like, without: likeWork }, looks);
  };
}

/** @throws AtelierError image_not_found, naming the criterion that needs no image */
async function pictureOf(bring: FindSimilarDeps['bring'], id: string, signal: AbortSignal): Promise<Picture> {
  try {
    return { bytes: await bring(id), signal };
  } catch (error) {
    if (!(error instanceof AtelierError) || error.code !== 'image_not_found') throw error;
    throw new AtelierError('image_not_found', `${error.message} like_by "subject" needs none.`, {
      cause: error,
    });
  }
}

/** Similar works by the text embedding of title and subjects; empty if the model does not respond. */
async function nearMeaning(
  meaning: Pick<TextEmbeddings, 'near'>,
  { title, tags }: ArtworkRecord,
): Promise<NearSubject[]> {
  const text = [title, ...tags.slice(0, 12)].join(', ').slice(0, 500);
  try {
    const near = await meaning.near(text, { limit: SUBJECT_CANDIDATES_MAX });
    return [{ of: 'meaning', near: new Map(near.map(({ id, similarity }) => [id, similarity])) }];
  } catch (error) {
    if (error instanceof AtelierError) return [];
    throw error;
  }
}

function undefinedIfNone(error: unknown): undefined {
  if (!(error instanceof AtelierError) || error.code !== 'artwork_not_found') throw error;
}

/** The query may be empty: search by similarity only. */
interface Alike extends Search {
  /** Id of the query work, which is excluded from the results. */
  readonly without?: string | undefined;
}

interface FindByLookOptions extends DescriptorQuery, Alike {
  /** Works whose image embeddings match the sent image and the query, if available. */
  readonly seen?: SimilarImages | undefined;
}

/**
 * Finds works by visual similarity. Every word, date and exclusion of the query and every filter must hold; none is relaxed to find more.
 */
export async function findByDescriptor(
  database: Database,
  edition: number,
  { seen, colors, like, by, ...asked }: FindByLookOptions,
  index: Pick<DescriptorIndex, 'search'>,
): Promise<Found> {
  const likest = await index.search({ colors, like, by }, { limit: LOOK_CANDIDATES_MAX });
  const hits = seen ? orderSimilarImages(likest, seen, await colored(index, colors, seen.picture)) : likest;
  return pageOfSimilar(database, edition, hits, { ...asked, shown: seen?.words });
}

/**
 * Filters works with similar subjects by the other criteria.
 * @param hits most similar first
 */
async function filterHits(
  database: Database,
  edition: number,
  hits: readonly SimilarHit[],
  { colors, ...asked }: Alike & Pick<DescriptorQuery, 'colors'>,
  index: Pick<DescriptorIndex, 'search'>,
): Promise<Found> {
  const allowed = await colored(index, colors, new Map(hits.map(({ id }) => [id, true])));
  const fitting = hits.filter(({ id }) => allowed?.has(id) ?? true);
  return pageOfSimilar(database, edition, fitting, asked);
}

/**
 * Page of the works that also match the query and filters.
 * @param asked.shown similarities of works whose images show what the query describes
 */
async function pageOfSimilar(
  database: Database,
  edition: number,
  hits: readonly SimilarHit[],
  asked: Alike & { readonly shown?: ReadonlyMap<string, number> | undefined },
): Promise<Found> {
  const { query, museum, filters, limit, offset = 0, without, shown: seenWords } = asked;
  const ids = hits.map(({ id }) => id).filter((id) => id !== without);
  const parsed = parseQuery(query);
  const here = await readFound(database, edition, ids);
  const numbers = [...here.values()].map(({ number }) => number);
  const among = { museum, filters };
  const worded = await selectMatches(database, edition, parsed, among, numbers);
  const fitting = worded.numbers;
  // The words may match the image embedding instead of the text; dates, museum, filters and exclusions apply to all.
  const loosely = seenWords
    ? await selectMatches(database, edition, { ...parsed, groups: [] }, among, numbers)
    : worded;
  const rows = ids
    .flatMap((id) => here.get(id) ?? [])
    .filter(({ id, number }) => fitting.has(number) || (seenWords?.has(id) && loosely.numbers.has(number)));
  const found = new Set(rows.map(({ number }) => number));
  const shown = rows.slice(offset, offset + limit);
  const records = await readRecords(
    database,
    shown.map(({ number }) => number),
  );
  const why = new Map(hits.map((hit) => [hit.id, hit.why]));
  const whyOfWords = ({ number }: FoundRow, record: ArtworkRecord) =>
    query === '' || !fitting.has(number) ? '' : matchReason(record, parsed);
  return {
    hits: shown.flatMap((row) => {
      const record = records.get(row.number);
      if (!record) return [];
      const reasons = [whyOfWords(row, record), why.get(row.id)?.()].filter(Boolean);
      return [{ record, why: reasons.join('; ') }];
    }),
    total: rows.length,
    facets: loosely.facets((number) => found.has(number)),
    ...(filters && { leftOut: worded.leftOut }),
    relaxed: [],
  };
}

/** Of these works, those with the requested colours; undefined if no colours are requested. */
const colored = async (
  index: Pick<DescriptorIndex, 'search'>,
  colors: DescriptorQuery['colors'],
  works: ReadonlyMap<string, unknown>,
) => {
  if (!colors?.length) return undefined;
  const hits = await index.search({ colors }, { ids: new Set(works.keys()) });
  return new Set(hits.map(({ id }) => id));
};
