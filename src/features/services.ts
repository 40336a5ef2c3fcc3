import type { CatalogueIndex } from '../catalog/types.ts';
import type { Jobs } from '../core/queue/types.ts';
import type { Pixels } from '../core/workers/types.ts';
import type { AccountExport } from './account/export/types.ts';
import type { Archive, ArweaveReader, PermanentStore } from './archive/types.ts';
import type { Iiif } from './artworks/iiif/types.ts';
import type { Artworks } from './artworks/types.ts';
import type { Results } from './assets/results/results.ts';
import type { Assets } from './assets/types.ts';
import type { Uploads } from './assets/uploads/uploads.ts';
import type { Zips } from './assets/zip/types.ts';
import type { Invoices } from './billing/invoices/types.ts';
import type { Receipts } from './billing/receipts/types.ts';
import type { Payments } from './billing/types.ts';
import type { Community } from './community/types.ts';
import type { Subjects } from './enrichment/subjects/types.ts';
import type { Enrichment } from './enrichment/types.ts';
import type { Generation } from './generation/types.ts';
import type { Images } from './images/types.ts';
import type { Models } from './models/types.ts';
import type { Prices } from './operator/prices/types.ts';
import type { Operator, Operators } from './operator/types.ts';
import type { PressProfiles } from './print/profiles/types.ts';
import type { Evidence } from './provenance/evidence/types.ts';
import type { Hashes, Registration } from './provenance/hashes/types.ts';
import type { Identity } from './provenance/identity/identity.ts';
import type { Log } from './provenance/log/types.ts';
import type { Manifests } from './provenance/manifests/manifests.ts';
import type { Marks } from './provenance/marks/types.ts';
import type { SoftBindings } from './provenance/soft_bindings/soft_bindings.ts';
import type { Soulmarks } from './provenance/soulmarks/soulmarks.ts';
import type { StoredManifests } from './provenance/stored_manifests/types.ts';
import type { Provenance } from './provenance/types.ts';
import type { Recipes } from './recipes/types.ts';
import type { Consents } from './wallets/consents/types.ts';
import type { Guests } from './wallets/guests/guests.ts';
import type { Ownership } from './wallets/ownership/types.ts';
import type { Wallets } from './wallets/types.ts';
import type { Webhooks } from './webhooks/types.ts';
import type { Workspaces } from './workspaces/types.ts';

/** Every service by name. `app.ts` builds each once; a tool or operation names the few it needs. */
export interface Services {
  readonly wallets: Wallets;
  readonly ownership: Ownership;
  readonly guests: Guests;
  readonly consents: Consents;
  readonly payments: Payments;
  readonly prices: Prices;
  readonly receipts: Receipts;
  readonly invoices: Invoices;
  readonly artworks: Artworks;
  readonly iiif: Iiif;
  readonly assets: Assets;
  readonly uploads: Uploads;
  readonly zips: Zips;
  readonly results: Results;
  readonly images: Images;
  /** What store_permanent keeps files in. */
  readonly permanentStore: PermanentStore;
  /** The store that is built in, and whatever it keeps. */
  readonly archive: Archive;
  readonly arweave: ArweaveReader;
  readonly log: Log;
  readonly identity: Identity;
  readonly soulmarks: Soulmarks;
  readonly manifests: Manifests;
  readonly storedManifests: StoredManifests;
  readonly softBindings: SoftBindings;
  readonly pixels: Pixels;
  readonly enrichment: Enrichment;
  /** Absent where no image model is configured. */
  readonly generation?: Generation;
  readonly jobs: Jobs;
  readonly marks: Marks;
  readonly models: Models;
  readonly subjects: Subjects;
  readonly hashes: Hashes;
  readonly provenance: Provenance;
  /** The same over an index of one registration: what a sample is looked for in. */
  readonly provenanceAmong: (registration: Registration & { readonly windows: Uint8Array }) => Provenance;
  readonly evidence: Evidence;
  readonly pressProfiles: PressProfiles;
  readonly community: Community;
  readonly recipes: Recipes;
  readonly workspaces: Workspaces;
  readonly leaving: AccountExport;
  readonly webhooks: Webhooks;
  readonly operator: Operator;
  readonly operators: Operators;
  readonly catalogue: CatalogueIndex;
  /** Addresses of this server, for links in answers. */
  readonly site: { readonly publicUrl: string };
}
