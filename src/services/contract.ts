import type { CatalogueIndex } from '../catalogue/contract.ts';
import type { Artworks } from '../dataset/contract.ts';
import type { Iiif } from '../dataset/iiif/contract.ts';
import type { Pixels } from '../workers/contract.ts';
import type { Archive, ArweaveReader, PermanentStore } from './archive/contract.ts';
import type { Assets } from './assets/contract.ts';
import type { Community } from './community/contract.ts';
import type { Consents } from './consents/contract.ts';
import type { Enrichment } from './enrichment/contract.ts';
import type { Evidence } from './evidence/contract.ts';
import type { Hashes, Registration } from './hashes/contract.ts';
import type { Identity } from './identity/contract.ts';
import type { Images } from './images/contract.ts';
import type { Jobs } from './jobs/contract.ts';
import type { KeptManifests } from './kept_manifests/contract.ts';
import type { Leaving } from './leaving/contract.ts';
import type { Log } from './log/contract.ts';
import type { Manifests } from './manifests/contract.ts';
import type { Marks } from './marks/contract.ts';
import type { Models } from './models/contract.ts';
import type { Operator, Operators } from './operator/contract.ts';
import type { Ownership } from './ownership/contract.ts';
import type { Payments } from './payments/contract.ts';
import type { PressProfiles } from './press_profiles/contract.ts';
import type { Provenance } from './provenance/contract.ts';
import type { Receipts } from './receipts/contract.ts';
import type { Recipes } from './recipes/contract.ts';
import type { Results } from './results/contract.ts';
import type { SoftBindings } from './soft_bindings/contract.ts';
import type { Soulmarks } from './soulmarks/contract.ts';
import type { Subjects } from './subjects/contract.ts';
import type { Uploads } from './uploads/contract.ts';
import type { Wallets } from './wallets/contract.ts';
import type { Webhooks } from './webhooks/contract.ts';

/** Every service by name. `app.ts` builds each once; a tool or operation names the few it needs. */
export interface Services {
  readonly wallets: Wallets;
  readonly ownership: Ownership;
  readonly consents: Consents;
  readonly payments: Payments;
  readonly receipts: Receipts;
  readonly artworks: Artworks;
  readonly iiif: Iiif;
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
  readonly identity: Identity;
  readonly soulmarks: Soulmarks;
  readonly manifests: Manifests;
  readonly keptManifests: KeptManifests;
  readonly softBindings: SoftBindings;
  readonly pixels: Pixels;
  readonly enrichment: Enrichment;
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
  readonly leaving: Leaving;
  readonly webhooks: Webhooks;
  readonly operator: Operator;
  readonly operators: Operators;
  readonly catalogue: CatalogueIndex;
  /** Addresses of this server, for links in answers. */
  readonly site: { readonly publicUrl: string };
}
