import type { ImageEmbeddingsUsed } from './image_embeddings/types.ts';
import type { Picture } from './images/pictures.ts';
import type { PictureSize } from './images/sizes.ts';
import type { SimilarityCriterion } from './limits.ts';
import type { MuseumName } from './museums/museums.ts';
import type { LiveCount } from './on_demand/on_demand_store.ts';
import type { Known } from './on_demand/on_demand_works.ts';
import type { ArtworkRecord } from './records/record.ts';
import type { Change, Extent, StoredRecord, Stretch } from './records/record_store.ts';
import type { Related } from './records/related_works.ts';
import type { Edition } from './releases/edition_store.ts';
import type { SnapshotFile } from './releases/snapshot_files.ts';
import type { RightsGroup, Withdrawal } from './releases/statistics_store.ts';
import type { Terms } from './releases/terms_store.ts';
import type { FilterRequest } from './search/read_filters.ts';
import type { Found, Search } from './search/types.ts';
import type { VocabularyCount, VocabularyQuery } from './search/vocabulary.ts';
import type { Spread } from './search/word_index_types.ts';
import type { TextEmbeddingsUsed } from './semantic_search/blended_search.ts';

/** The published dataset of museum works. */
export interface Artworks {
  /**
   * Searches works.
   * @throws AtelierError if `picture` cannot be decoded or a filter is invalid
   */
  search(asked: SearchRequest): Promise<FoundNow & InEdition & FoundBy>;
  /**
   * Counts works by location that match all of a query and its filters; ignores colours, images and
   * embeddings.
   * @throws AtelierError if a filter is invalid
   */
  spread(asked: Pick<SearchRequest, 'query' | 'museum' | 'filters'>): Promise<Spread>;
  /** Values of a field and the number of works for each, in the current edition. */
  vocabulary(asked: VocabularyQuery): Promise<VocabularyCount>;
  /**
   * Number of works with a visual descriptor, which searches by colour and similarity can find; by
   * composition there may be fewer.
   */
  looksKnown(by?: SimilarityCriterion): Promise<number>;
  /**
   * A work with the data stored so far. Sends no request.
   * @throws AtelierError artwork_not_found
   */
  find(id: string): Promise<StoredRecord & Known & OfEdition>;
  /**
   * A work, completed by its museum where the museum publishes more than is stored. `live` reports a museum that does not respond.
   * @throws AtelierError artwork_not_found
   */
  complete(id: string): Promise<StoredRecord & Known & OfEdition>;
  /** The current edition. */
  edition(): Promise<Edition>;
  /**
   * Works of an edition in the order of ids, without those withdrawn since.
   * @throws AtelierError invalid_input if the edition does not exist
   */
  page(asked: PageRequest): Promise<{ readonly works: StoredRecord[]; readonly edition: Edition }>;
  /** For the same request as `page`: number of works, their kinds, and first and last id. */
  bounds(asked: PageRequest): Promise<Bounds>;
  /**
   * All records of a snapshot as one file, for the newest edition and those still stored.
   * @throws AtelierError not_found; busy while it is being generated
   */
  snapshotFile(number: number): Promise<SnapshotFile>;
  /**
   * A page of the differences between two editions, in the order of ids.
   * @throws AtelierError invalid_input if one does not exist, or the second is not the later one
   */
  changes(asked: ChangesRequest): Promise<ChangesPage>;
  /** Statistics of the newest edition. Cached, because an edition never changes. */
  statistics(): Promise<Statistics>;
  /**
   * Metadata of an edition for citation and archiving.
   * @param number default: the newest, whose file is generated if missing
   * @throws AtelierError not_found if it can no longer be read; busy while its file is being generated
   */
  describe(number?: number): Promise<Described>;
  /** Signs a manifest together with its edition, as compact JWS. */
  signManifest(manifest: object, edition: Edition): string;
  /** An expiring link to works as JSON Lines. Needs no wallet. */
  batchLink(page: BatchPage): { readonly url: string; readonly expiresAt: Date };
  verifyBatchLink(page: BatchPage, exp: string, sig: string): boolean;
  /** Works of the same maker, then of the same kind. */
  others(record: ArtworkRecord, limit: number): Promise<Related[]>;
  /** An expiring link to the image on this server. Needs no wallet. */
  link(id: string, size: PictureSize): { readonly url: string; readonly expiresAt: Date };
  verifyLink(id: string, size: string, exp: string, sig: string): boolean;
  /**
   * The image of a work, from the cache or its museum.
   * @throws AtelierError artwork_not_found, image_not_found, upstream_failed
   */
  picture(id: string, size: PictureSize): Promise<Picture>;
  /** Evicts cached images beyond the limit and deletes expired editions. */
  sweep(now: Date): Promise<number>;
  /** Resolves when no background measurement is running. */
  settle(): Promise<void>;
  /**
   * Embeds the text of at most this many works if a model is configured. Returns the number.
   * @throws AtelierError if the model does not respond
   */
  embed(max: number): Promise<number>;
  /** Embeds at most this many stored images for search by content. Returns the number. */
  see(max: number): Promise<number>;
}

/** What contributed to a result besides the words. */
interface FoundBy {
  readonly meaning?: TextEmbeddingsUsed;
  /** Absent if the search used only colours. */
  readonly seen?: ImageEmbeddingsUsed;
}

/** Works with later museum responses applied. */
interface FoundNow extends Found {
  readonly hits: readonly (Found['hits'][number] & Known)[];
}

export interface SearchRequest extends Omit<Search, 'filters'> {
  readonly filters?: FilterRequest | undefined;
  /** 0xRRGGBB. Images must have all of them. */
  readonly colors?: readonly number[] | undefined;
  /** Finds images similar to this one. */
  readonly picture?: { readonly bytes: Uint8Array; readonly signal: AbortSignal } | undefined;
  /** Id of a work to compare with, in place of an image. */
  readonly likeWork?: string | undefined;
  /** Criterion of similarity; absent: overall. */
  readonly likeBy?: SimilarityCriterion | undefined;
}

export interface PageRequest extends Stretch {
  /** Default: the newest. */
  readonly edition?: number | undefined;
}

export interface ChangesRequest {
  readonly from: number;
  /** Default: the newest. */
  readonly to?: number | undefined;
  /** Last id of the previous page; empty: first page. */
  readonly after: string;
  readonly limit: number;
}

export interface ChangesPage {
  readonly from: number;
  readonly to: number;
  readonly works: Change[];
  /** Null on the last page. */
  readonly next: string | null;
}

export interface Bounds extends Extent {
  readonly edition: Edition;
}

/** Works of one edition between two ids, as encoded in the link. */
export interface BatchPage {
  readonly edition: string;
  readonly from: string;
  readonly to: string;
  /** Only works with an image address. */
  readonly has_image?: 'true';
}

export interface Statistics {
  readonly edition: Edition;
  /** The newest published editions, newest first. */
  readonly editions: readonly Edition[];
  /** Imports of each museum: the last full file and the partial ones since, oldest first. */
  readonly imports: readonly Edition[];
  readonly rights: readonly RightsGroup[];
  readonly withdrawals: readonly Withdrawal[];
  /** The latest terms of use read for each museum. */
  readonly terms: readonly Terms[];
  /** Works fetched on demand since. They are not part of the edition. */
  readonly live: readonly LiveCount[];
  readonly starterOnly: readonly MuseumName[];
}

export interface Described {
  /** Statistics of this edition: its works, and the imports up to it. */
  readonly statistics: Statistics;
  /** Absent: the file is no longer stored. */
  readonly file?: SnapshotFile | undefined;
  /** As configured by the operator. */
  readonly doi?: string | undefined;
  /** Works withdrawn since; its figures still count them. */
  readonly withdrawn: number;
  /** Number of the previous edition; absent: it can no longer be read. */
  readonly previous?: number | undefined;
}

interface OfEdition {
  readonly edition: Edition;
}

interface InEdition extends OfEdition {
  /** Museums with the starter catalogue only. */
  readonly starterOnly: readonly MuseumName[];
}
