import type { SightUsed } from './image_embeddings/types.ts';
import type { Picture } from './images/pictures.ts';
import type { PictureSize } from './images/sizes.ts';
import type { MuseumName } from './museums/museums.ts';
import type { LiveCount } from './on_demand/live_store.ts';
import type { Known } from './on_demand/live_works.ts';
import type { ArtworkRecord } from './records/record.ts';
import type { Extent, StoredRecord, Stretch } from './records/record_store.ts';
import type { Related } from './records/related_works.ts';
import type { Edition } from './releases/edition_store.ts';
import type { SnapshotFile } from './releases/snapshot_files.ts';
import type { RightsGroup, Withdrawal } from './releases/statistics_store.ts';
import type { Terms } from './releases/terms_store.ts';
import type { FiltersAsked } from './search/read_filters.ts';
import type { Found, Search } from './search/types.ts';
import type { MeaningUsed } from './semantic_search/blended_search.ts';

/** The dataset of museum works, as everybody sees it. */
export interface Artworks {
  /** @throws AtelierError where `picture` cannot be measured, or a filter not be read */
  search(asked: SearchAsked): Promise<FoundNow & InEdition & FoundBy>;
  /** Works that can be found by colour and likeness: their pictures have been at hand. */
  looksKnown(): Promise<number>;
  /**
   * A work with the data stored so far. Sends no request.
   * @throws AtelierError artwork_not_found
   */
  find(id: string): Promise<StoredRecord & Known & OfEdition>;
  /**
   * A work as whole as it can be had: where its museum publishes more than is here, it is asked for it. That it does not answer is
   * said in `live`. @throws AtelierError artwork_not_found
   */
  complete(id: string): Promise<StoredRecord & Known & OfEdition>;
  /** What is published now. */
  edition(): Promise<Edition>;
  /**
   * Some works of an edition in the order of their ids. Those withdrawn since are left out.
   * @throws AtelierError invalid_input where there is no such edition
   */
  page(asked: PageRequest): Promise<{ readonly works: StoredRecord[]; readonly edition: Edition }>;
  /** How many works `page` would give with the same question, of what kinds, and the first and last id. */
  bounds(asked: PageRequest): Promise<Bounds>;
  /**
   * All records of a snapshot as one file, where it is the newest or still kept.
   * @throws AtelierError not_found; busy while it is being made
   */
  snapshotFile(number: number): Promise<SnapshotFile>;
  /** What an edition holds, counted once and remembered: an edition never changes. */
  statistics(): Promise<Statistics>;
  /** Signs a manifest together with the edition it speaks of; compact JWS. */
  signManifest(manifest: object, edition: Edition): string;
  /** A link to works as JSON Lines; it needs no wallet and ends. */
  batchLink(page: BatchPage): { readonly url: string; readonly expiresAt: Date };
  verifyBatchLink(page: BatchPage, exp: string, sig: string): boolean;
  /** Works of the same maker, then of the same kind. */
  others(record: ArtworkRecord, limit: number): Promise<Related[]>;
  /** A link of ours to the picture; it needs no wallet and ends. */
  link(id: string, size: PictureSize): { readonly url: string; readonly expiresAt: Date };
  verifyLink(id: string, size: string, exp: string, sig: string): boolean;
  /**
   * The picture of a work, kept here or fetched from its museum.
   * @throws AtelierError artwork_not_found, image_not_found, upstream_failed
   */
  picture(id: string, size: PictureSize): Promise<Picture>;
  /** Makes room among the pictures that are kept, and lets go of editions that are too many. */
  sweep(now: Date): Promise<number>;
  /** When nothing is being measured in the background any more. */
  settle(): Promise<void>;
  /** Embeds at most so many works, where a model is set up; returns how many. @throws AtelierError where it does not answer */
  embed(max: number): Promise<number>;
  /** Encodes at most so many pictures that are kept here, to find their works by what they show; returns how many. */
  see(max: number): Promise<number>;
}

/** What had a part in an answer beside the words. */
interface FoundBy {
  readonly meaning?: MeaningUsed;
  /** Absent where only colours were asked for. */
  readonly seen?: SightUsed;
}

/** Works with what their museums have answered since in their place. */
interface FoundNow extends Found {
  readonly hits: readonly (Found['hits'][number] & Known)[];
}

export interface SearchAsked extends Omit<Search, 'filters'> {
  readonly filters?: FiltersAsked | undefined;
  /** 0xRRGGBB; pictures that have all of them. */
  readonly colors?: readonly number[] | undefined;
  /** Pictures that look like this one. */
  readonly picture?: { readonly bytes: Uint8Array; readonly signal: AbortSignal } | undefined;
}

export interface PageRequest extends Stretch {
  /** Absent: the newest. */
  readonly edition?: number | undefined;
}

export interface Bounds extends Extent {
  readonly edition: Edition;
}

/** Works of one edition from one id to another, as the link to them writes it. */
export interface BatchPage {
  readonly edition: string;
  readonly from: string;
  readonly to: string;
  /** Only works that name a picture. */
  readonly has_image?: 'true';
}

export interface Statistics {
  readonly edition: Edition;
  /** The newest published editions, the newest first. */
  readonly editions: readonly Edition[];
  /** What was read of each museum: the last whole file and the parts since, the oldest first. */
  readonly imports: readonly Edition[];
  readonly rights: readonly RightsGroup[];
  readonly withdrawals: readonly Withdrawal[];
  /** Pages of terms that were read, the last version of each museum's. */
  readonly terms: readonly Terms[];
  /** Works that were asked for one by one since; they stand beside the edition. */
  readonly live: readonly LiveCount[];
  readonly starterOnly: readonly MuseumName[];
}

interface OfEdition {
  readonly edition: Edition;
}

interface InEdition extends OfEdition {
  /** Museums of which only the starter catalogue is here. */
  readonly starterOnly: readonly MuseumName[];
}
