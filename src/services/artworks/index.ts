import type { MuseumName } from '../../museums.ts';
import type { Edition } from './edition_store.ts';
import type { Picture } from './pictures/pictures.ts';
import type { PictureSize } from './pictures/sizes.ts';
import type { ArtworkRecord } from './record.ts';
import type { StoredRecord } from './record_store.ts';
import type { Related } from './related_works.ts';
import type { Found, Search } from './search/search.ts';

/** The dataset of museum works, as everybody sees it. */
export interface Artworks {
  search(asked: Search): Promise<Found & InEdition>;
  /** @throws AtelierError artwork_not_found */
  find(id: string): Promise<StoredRecord & InEdition>;
  /** What is published now. */
  edition(): Promise<Edition>;
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

interface InEdition {
  readonly edition: Edition;
  /** Museums of which only the starter catalogue is here. */
  readonly starterOnly: readonly MuseumName[];
}

export { createArtworks } from './artworks.ts';
export type { ArtworkRecord, Edition, Found, Picture, PictureSize, Related, Search, StoredRecord };
