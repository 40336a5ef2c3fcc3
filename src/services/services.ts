import type { CatalogueIndex } from '../catalogue/index.ts';
import type { Pixels } from '../workers/index.ts';
import type { Archive, ArweaveReader, PermanentStore } from './archive/index.ts';
import type { Artworks } from './artworks/index.ts';
import type { Assets } from './assets/index.ts';
import type { Community } from './community/index.ts';
import type { Enrichment } from './enrichment/index.ts';
import type { Hashes } from './hashes/index.ts';
import type { Images } from './images/index.ts';
import type { Jobs } from './jobs/index.ts';
import type { Log } from './log/index.ts';
import type { Manifests } from './manifests/index.ts';
import type { Marks } from './marks/index.ts';
import type { Models } from './models/index.ts';
import type { Ownership } from './ownership/index.ts';
import type { Payments } from './payments/index.ts';
import type { PressProfiles } from './press_profiles/index.ts';
import type { Provenance } from './provenance/index.ts';
import type { Receipts } from './receipts/index.ts';
import type { Results } from './results/index.ts';
import type { Soulmarks } from './soulmarks/index.ts';
import type { Uploads } from './uploads/index.ts';
import type { Wallets } from './wallets/index.ts';
import type { Webhooks } from './webhooks/index.ts';

/** Every service by name. `app.ts` builds each once; a tool or operation names the few it needs. */
export interface Services {
  readonly wallets: Wallets;
  readonly ownership: Ownership;
  readonly payments: Payments;
  readonly receipts: Receipts;
  readonly artworks: Artworks;
  readonly assets: Assets;
  readonly uploads: Uploads;
  readonly results: Results;
  readonly images: Images;
  /** What store_permanent keeps files in. */
  readonly permanentStore: PermanentStore;
  /** The store that is built in, and whatever it keeps. */
  readonly archive: Archive;
  readonly arweave: ArweaveReader;
  readonly log: Log;
  readonly soulmarks: Soulmarks;
  readonly manifests: Manifests;
  readonly pixels: Pixels;
  readonly enrichment: Enrichment;
  readonly jobs: Jobs;
  readonly marks: Marks;
  readonly models: Models;
  readonly hashes: Hashes;
  readonly provenance: Provenance;
  readonly pressProfiles: PressProfiles;
  readonly community: Community;
  readonly webhooks: Webhooks;
  readonly catalogue: CatalogueIndex;
  /** Addresses of this server, for links in answers. */
  readonly site: { readonly publicUrl: string };
}
