import type { MuseumName } from '../../museums.ts';
import type { Edition } from './edition_store.ts';
import type { Picture } from './pictures/pictures.ts';
import type { PictureSize } from './pictures/sizes.ts';
import type { ArtworkRecord } from './record.ts';
import type { StoredRecord } from './record_store.ts';
import type { Related } from './related_works.ts';
import type { Found, Search } from './search/search.ts';
import type { RightsGroup, Withdrawal } from './statistics_store.ts';

/** The dataset of museum works, as everybody sees it. */
export interface Artworks {
  search(asked: Search): Promise<Found & InEdition>;
  /** @throws AtelierError artwork_not_found */
  find(id: string): Promise<StoredRecord & InEdition>;
  /** What is published now. */
  edition(): Promise<Edition>;
  /**
   * Some works of an edition in the order of their ids. Those withdrawn since are left out.
   * @throws AtelierError invalid_input where there is no such edition
   */
  page(asked: PageRequest): Promise<{ readonly works: StoredRecord[]; readonly edition: Edition }>;
  /** What an edition holds, counted once and remembered: an edition never changes. */
  statistics(): Promise<Statistics>;
  /** Signs a manifest together with the edition it speaks of; compact JWS. */
  signManifest(manifest: object, edition: Edition): string;
  /** A link to a page as JSON Lines; it needs no wallet and ends. */
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
  /** Makes room among the pictures that are kept. */
  sweep(): Promise<number>;
}

export interface PageRequest {
  /** Absent: the newest. */
  readonly edition?: number | undefined;
  /** Only ids after this one. */
  readonly after?: string | undefined;
  /** Only ids from this one on. */
  readonly from?: string | undefined;
  readonly offset?: number | undefined;
  readonly limit: number;
}

/** As its link writes it. */
export interface BatchPage {
  readonly edition: string;
  /** The first id. */
  readonly from: string;
  readonly count: string;
}

export interface Statistics {
  readonly edition: Edition;
  /** Published editions, the newest first. */
  readonly editions: readonly Edition[];
  readonly rights: readonly RightsGroup[];
  readonly withdrawals: readonly Withdrawal[];
  readonly starterOnly: readonly MuseumName[];
}

interface InEdition {
  readonly edition: Edition;
  /** Museums of which only the starter catalogue is here. */
  readonly starterOnly: readonly MuseumName[];
}

export { createArtworks } from './artworks.ts';
export type {
  ArtworkRecord,
  Edition,
  Found,
  Picture,
  PictureSize,
  Related,
  RightsGroup,
  Search,
  StoredRecord,
  Withdrawal,
};
