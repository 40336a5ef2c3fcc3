import type { MuseumName } from '../../museums.ts';
import type { Edition } from './edition_store.ts';
import type { StoredRecord } from './record_store.ts';
import type { Found, Search } from './search/search.ts';

/** The dataset of museum works, as everybody sees it. */
export interface Artworks {
  search(asked: Search): Promise<Found & InEdition>;
  /** @throws AtelierError artwork_not_found */
  find(id: string): Promise<StoredRecord & InEdition>;
  /** What is published now. */
  edition(): Promise<Edition>;
}

interface InEdition {
  readonly edition: Edition;
  /** Museums of which only the starter catalogue is here. */
  readonly starterOnly: readonly MuseumName[];
}

export { createArtworks } from './artworks.ts';
export type { ArtworkRecord } from './record.ts';
export type { Edition, Found, Search, StoredRecord };
