import type { KeyObject } from 'node:crypto';
import type { BaseLogger } from 'pino';
import { createCatalogue } from './catalog/create_catalogue.ts';
import type { Config } from './config/config.ts';
import { openChain } from './core/chain/chain.ts';
import type { MaintenanceJobs } from './core/cleanup/start_cleanup.ts';
import { createReleasing } from './core/cluster/members/release_calls.ts';
import { chargePixels } from './core/cpu_budget/cpu_budget.ts';
import type { CpuBudget } from './core/cpu_budget/types.ts';
import type { Signals } from './core/database/signals.ts';
import type { ScriptableDatabase } from './core/database/types.ts';
import { createIdempotencyStore } from './core/idempotency/answers.ts';
import type { ResponseTexts } from './core/idempotency/response_texts.ts';
import type { IdempotencyStore } from './core/idempotency/types.ts';
import { createSealer, createSigner, receiptKey, signingSecret } from './core/keys/signer.ts';
import { createLinks, type Links } from './core/links/links.ts';
import { ANY_NETWORK, PUBLIC_INTERNET } from './core/outbound_http/reach.ts';
import { openJobs } from './core/queue/jobs.ts';
import type { StorageQuotas } from './core/quotas/quotas.ts';
import { inRequestScope, type RequestScopes } from './core/request_scope/request_scope.ts';
import { requireSameKeys } from './core/storage/binding/bind_storage.ts';
import type { Blobs } from './core/storage/blobs/blobs.ts';
import type { Spool } from './core/storage/blobs/spool.ts';
import type { Store } from './core/storage/objects/types.ts';
import { observePixels } from './core/telemetry/observers.ts';
import type { Telemetry } from './core/telemetry/types.ts';
import type { Pixels } from './core/workers/types.ts';
import { openPixels } from './core/workers/workers.ts';
import { createFiles } from './create_files.ts';
import { openAccountExport } from './features/account/export/export.ts';
import { openArchive } from './features/archive/service.ts';
import { openArtworks, openIiif } from './features/artworks/service.ts';
import { snapshotLine } from './features/artworks/tools/snapshot_fields.ts';
import { createAssets } from './features/assets/assets.ts';
import { readZip } from './features/assets/zip/read_zip.ts';
import { writeZip } from './features/assets/zip/write_zip.ts';
import { openMpp } from './features/billing/mpp/mpp.ts';
import { createReceipts } from './features/billing/receipts/receipts.ts';
import type { Receipts } from './features/billing/receipts/types.ts';
import { openPayments } from './features/billing/service.ts';
import type { X402 } from './features/billing/x402/types.ts';
import { extensionsOf, openX402 } from './features/billing/x402/x402.ts';
import { createCommunity } from './features/community/community.ts';
import { openEnrichment } from './features/enrichment/service.ts';
import { openSubjects } from './features/enrichment/subjects/subjects.ts';
import {
  openImageBudget,
  openVisionBudget,
  type VisionBudget,
} from './features/enrichment/vision_budget/vision_budget.ts';
import { offeredTools } from './features/generation/offered_tools.ts';
import { openGeneration } from './features/generation/service.ts';
import { createImages } from './features/images/images.ts';
import { openModels } from './features/models/service.ts';
import { blobsInUse } from './features/operator/backups/blobs_in_use.ts';
import { openPrices } from './features/operator/prices/prices.ts';
import { createAdminActions } from './features/operator/service.ts';
import { createPressProfiles } from './features/print/profiles/press_profiles.ts';
import { openIdentity } from './features/provenance/identity/identity.ts';
import { createLog } from './features/provenance/log/log.ts';
import { openManifests } from './features/provenance/manifests/manifests.ts';
import { openProvenance } from './features/provenance/service.ts';
import { createSoftBindings } from './features/provenance/soft_bindings/soft_bindings.ts';
import { createSoulmarks } from './features/provenance/soulmarks/soulmarks.ts';
import { createStoredManifests } from './features/provenance/stored_manifests/stored_manifests.ts';
import { openTimeStamps } from './features/provenance/timestamps/timestamps.ts';
import { createRecipes } from './features/recipes/recipes.ts';
import type { Services } from './features/services.ts';
import { optionalTools, tools } from './features/tools.ts';
import { createConsents } from './features/wallets/consents/consents.ts';
import { createGuests } from './features/wallets/guests/guests.ts';
import { createOwnership } from './features/wallets/ownership/ownership.ts';
import { createSignIns, SIGN_IN_WITH_X } from './features/wallets/ownership/sign_in_with_x.ts';
import { createWallets, observeWallets } from './features/wallets/wallets.ts';
import { openWebhooks } from './features/webhooks/service.ts';
import type { Webhooks } from './features/webhooks/types.ts';
import { createWorkspaces } from './features/workspaces/workspaces.ts';
import { problemDetails } from './pipeline/errors.ts';

/** Age at which a blob without a row is deleted: until then a running call may still reference it. */
const UNUSED_BLOB_AGE_MS = 3_600_000;

/** Artworks that a server embeds per minute in the background. */
const WORKS_PER_ROUND = 2048;
/** Cached images that it embeds per minute: some seconds of the model worker. */
const IMAGES_PER_ROUND = 64;
/** Terms of the vocabulary that it embeds per minute, until all are embedded. */
const TERMS_PER_ROUND = 1024;

interface Opened {
  readonly database: ScriptableDatabase;
  readonly store: Store;
  readonly signals: Signals;
  readonly quotas: StorageQuotas;
  readonly publicUrl: string;
  readonly logger: BaseLogger;
  readonly telemetry: Telemetry;
  readonly cpu: CpuBudget;
  /** The version of this service. */
  readonly version: string;
}

/** Builds each service once, and the maintenance jobs. */
export async function createServices(config: Config, opened: Opened) {
  const { database, publicUrl, logger, version } = opened;
  const secret = await signingSecret(config.DATA_DIR, config.SIGNING_SECRET);
  const links = createLinks({ publicUrl, secret });
  const files = createFiles(config, { ...opened, links });
  const { blobs, uploads, spool, results, assetQuota: quota, texts, disk, requestScopes } = files;
  const billing = await createPaymentServices(config, { ...opened, texts, secret });
  const { answers, x402, signIns, mpp, key, releasing, ...money } = billing;
  const { wallets, receipts, ownership } = money;
  const assets = openAssets(config, { database, blobs, links, quota, ownership });
  const reach = { ...reachOf(config), reserve: requestScopes.reserve };
  const pixels = openChargedPixels(config, { ...opened, requestScopes });
  const models = openModels(config);
  const subjects = openSubjects(config, { models, pixels, logger });
  const showing = { database, store: opened.store, links, reach, pixels, models, key, disk };
  const artworks = await openArtworks(config, { ...showing, lineOf: snapshotLine });
  const budget = openVisionBudget(config, database);
  const imageBudget = openImageBudget(config, database);
  const budgets = [budget, imageBudget];
  const { offered, absent } = offeredTools(optionalTools, config);
  const generation = openGeneration(config, { budget: imageBudget, reserve: requestScopes.reserve, logger });
  const webhooks = openWebhooks(config, { ...opened, reach: reachOf(config) });
  const enriching = { database, pixels, models, subjects, artworks, budget, logger };
  const jobs = openQueue(config, { ...opened, blobs, texts, wallets });
  const workspaces = openWorkspaces(config, { ...opened, ...money, files, links, jobs });
  const services: Services = {
    ...money,
    artworks,
    iiif: openIiif(config, { artworks, database, reach, pixels, publicUrl: links.publicUrl }),
    assets,
    uploads,
    zips: { read: readZip, write: writeZip },
    results,
    images: createImages({ uploads, results, assets, artworks, workspaces, links, reach }),
    pixels,
    enrichment: await openEnrichment(config, enriching),
    ...(generation && { generation }),
    subjects,
    ...openArchive(config, { database, publicUrl, blobs, reach, logger }),
    ...(await createProvenanceServices(config, { ...opened, pixels, receipts, key, files, webhooks })),
    models,
    pressProfiles: createPressProfiles({ folder: config.PRESS_PROFILES_DIR }),
    jobs,
    community: createCommunity(database),
    recipes: createRecipes(database, { version }),
    workspaces,
    webhooks,
    ...createAdminActions(config, database),
    leaving: openAccountExport(config, { ...opened, ...money, workspaces, blobs, spool, reach, key, quota }),
    catalogue: createCatalogue([...tools, ...offered], paymentMethods(config, billing), absent, money.prices),
    site: { publicUrl },
  };
  const chores = maintenanceJobsOf({ ...opened, ...billing, services, blobs, spool, budgets });
  return { services, answers, x402, signIns, mpp, releasing, chores, requestScopes, spool, disk };
}

interface WorkspacesOptions
  extends Pick<Opened, 'database' | 'logger'>,
    Pick<Services, 'ownership' | 'jobs'> {
  readonly files: Pick<
    ReturnType<typeof createFiles>,
    'blobs' | 'results' | 'requestScopes' | 'workspaceQuota'
  >;
  readonly links: Links;
}

function openWorkspaces(config: Config, { files, logger, ...parts }: WorkspacesOptions) {
  const { blobs, results, requestScopes, workspaceQuota: quota } = files;
  const report = (error: unknown) => logger.error({ err: error }, 'a workspace operation failed');
  return createWorkspaces({
    ...parts,
    blobs,
    results,
    quota,
    bytesMax: config.WORKSPACES_BYTES_MAX,
    inScope(work) {
      const request = requestScopes.current();
      return request ? inRequestScope(requestScopes, request, work) : work();
    },
    report,
  });
}

type AssetsOptions = Pick<Parameters<typeof createAssets>[0], 'database' | 'blobs' | 'links' | 'quota'> &
  Pick<Services, 'ownership'>;

/** Files of wallets; links to them depend on the lock and the keys of the wallet. */
const openAssets = (config: Config, { ownership, ...options }: AssetsOptions) =>
  createAssets({
    ...options,
    bytesMax: config.ASSETS_BYTES_MAX,
    lockedAt: ownership.lockedAt,
    isKeyInForce: ownership.isKeyInForce,
  });

/** The accepted payment methods, for the documents that describe them. */
const paymentMethods = (
  config: Config,
  { payments, x402, mpp }: Awaited<ReturnType<typeof createPaymentServices>>,
) => ({
  takesCards: payments.takes !== undefined,
  ...(x402 && { x402: x402.offers, x402Extensions: ['bazaar', ...extensionsOf(config)] }),
  ...(mpp && { takesTokens: true }),
});

/** The networks that requests of clients may make this server fetch from. */
const reachOf = ({ ALLOW_PRIVATE_FETCH }: Config) => (ALLOW_PRIVATE_FETCH ? ANY_NETWORK : PUBLIC_INTERNET);

interface QueueDeps extends Pick<Opened, 'database' | 'signals' | 'logger' | 'publicUrl'> {
  readonly blobs: Blobs;
  readonly texts: ResponseTexts;
  readonly wallets: Services['wallets'];
}

/** The job queue. A job that ends without success releases its hold. */
function openQueue(
  config: Config,
  { database, signals, blobs, texts, logger, wallets, publicUrl }: QueueDeps,
) {
  return openJobs(config, {
    database,
    signals,
    blobs,
    texts,
    logger,
    isHeld: (tx, id) => wallets.isHeld({ id }, tx),
    release: async (tx, id) => void (await wallets.release({ id }, tx)),
    problemOf: (error, { id, requestId }) =>
      problemDetails(error, { requestId, instance: `/api/jobs/${id}`, publicUrl }),
  });
}

interface Charging extends Pick<Opened, 'database' | 'telemetry' | 'cpu'> {
  readonly requestScopes: RequestScopes;
}

/**
 * The image and model workers. Their CPU time, and that of the embedded database, is charged to the request
 * that uses it.
 */
function openChargedPixels(config: Config, { database, telemetry, cpu, requestScopes }: Charging): Pixels {
  const account = () => requestScopes.current()?.cpu;
  database.onSpent?.((seconds) => cpu.charge(account(), seconds, 'database'));
  return chargePixels(observePixels(openPixels(config), telemetry), { cpu, account });
}

interface ProvenanceDeps extends Opened {
  readonly pixels: Pixels;
  readonly receipts: Receipts;
  readonly key: KeyObject;
  readonly files: Pick<ReturnType<typeof createFiles>, 'blobs' | 'manifestQuota'>;
  readonly webhooks: Webhooks;
}

/** Creates the services for provenance and identity. */
async function createProvenanceServices(config: Config, opened: ProvenanceDeps) {
  const { database, publicUrl, logger, version, pixels, receipts, key, files, webhooks } = opened;
  const { blobs, manifestQuota: quota } = files;
  const signer = createSigner(key);
  const timeStamps = openTimeStamps(config, { logger });
  const manifests = openManifests(config, { pixels, timeStamps, version });
  const { MANIFESTS_BYTES_MAX: bytesMax } = config;
  const storedManifests = createStoredManifests({ database, blobs, quota, bytesMax });
  const soulmarks = createSoulmarks({ key, receipts, pixels, publicUrl });
  const seen = openProvenance(config, {
    database,
    logger,
    pixels,
    soulmarks,
    manifests,
    receipts,
    signer,
    publicUrl,
    tell: webhooks.tell,
  });
  return {
    log: createLog({ database, signer, publicUrl, timeStamps }),
    identity: await openIdentity(config, { database, receipts, signer, publicUrl }),
    soulmarks,
    manifests,
    storedManifests,
    ...seen,
    softBindings: createSoftBindings({ pixels, storedManifests, ...seen }),
  };
}

interface PaymentDeps extends Opened {
  /** Storage of responses. */
  readonly texts: ResponseTexts;
  /** Signs values that clients send back to this server. */
  readonly secret: string;
}

/** Creates the services for ownership, payment and stored responses. */
async function createPaymentServices(config: Config, opened: PaymentDeps) {
  const { database, store, texts, secret, publicUrl, logger, telemetry } = opened;
  const bonusNeedsProof = config.BONUS_NEEDS_PROOF;
  const wallets = observeWallets(createWallets(database, undefined, { bonusNeedsProof }), telemetry);
  const answers = createIdempotencyStore(database, texts);
  const { contracts, authorizations } = openChain(config);
  const ownership = createOwnership({ database, publicUrl, ...(contracts && { contracts }) });
  const guests = createGuests({
    database,
    wallets,
    ownership,
    sealer: createSealer(secret, 'guest accounts'),
    bonusesADay: config.GUEST_BONUSES_PER_DAY,
  });
  const { record } = ownership;
  const consents = createConsents({ database, publicUrl, record, ...(contracts && { contracts }) });
  const key = await receiptKey(config.DATA_DIR, config.RECEIPT_KEY);
  if (store.remote)
    await requireSameKeys(database, keysOf(config, { secret, key }), { mayAdopt: config.ADOPT_STORAGE });
  const receipts = await createReceipts({ database, key, publicUrl });
  const payments = await openPayments(config, { database, publicUrl, logger });
  const report = (error: unknown) => logger.error({ err: error }, 'failed to read the price rules');
  const prices = await openPrices({ database, report });
  const mpp = openMpp(config, { publicUrl, secret, takes: payments.takes });
  const signer = createSigner(key);
  const x402 = openX402(config, { authorizations, database, wallets, logger, secret, signer, publicUrl });
  const proving = { database, publicUrl, record, secret, ...(contracts && { contracts }) };
  const signIns = openSignIns(config, x402, proving);
  // In this order: when the key of a repeated call is free again, its credits are already refunded.
  const releasing = createReleasing(database, [wallets, payments, ...(x402 ? [x402] : []), answers], {
    isAlone: database.kind === 'embedded',
  });
  // Only one process uses an embedded database, so all open holds and keys belong to a crashed process.
  if (database.kind === 'embedded') {
    await wallets.expireHolds(new Date(), true);
    await answers.abandonAll();
    await payments.sweep(new Date(), true);
    await x402?.recover();
  } else await releasing.release();
  const owners = { wallets, ownership, guests, consents };
  return { ...owners, answers, receipts, key, payments, prices, x402, signIns, mpp, releasing };
}

/** Undefined if x402 or the extension is off. */
function openSignIns(
  config: Config,
  x402: X402 | undefined,
  proving: Omit<Parameters<typeof createSignIns>[0], 'networks'>,
) {
  if (!x402 || !extensionsOf(config).includes(SIGN_IN_WITH_X)) return undefined;
  return createSignIns({ ...proving, networks: x402.offers(1).map(({ network }) => network) });
}

/** Secrets that servers without a shared folder must have in common. */
const keysOf = (
  { SIGNING_SECRET, RECEIPT_KEY }: Config,
  { secret, key }: { secret: string; key: KeyObject },
) => [
  {
    setting: 'SIGNING_SECRET',
    file: 'signing_secret',
    bytes: secret,
    isSet: SIGNING_SECRET !== undefined,
  } as const,
  {
    setting: 'RECEIPT_KEY' as const,
    file: 'receipt_key.pem' as const,
    isSet: RECEIPT_KEY !== undefined,
    bytes: key.export({ format: 'der', type: 'pkcs8' }),
  },
];

interface MaintenanceDeps extends Pick<Opened, 'database' | 'store'> {
  readonly services: Services;
  readonly answers: IdempotencyStore;
  readonly x402: X402 | undefined;
  readonly blobs: Blobs;
  readonly spool: Spool;
  readonly budgets: readonly VisionBudget[];
}

/** The maintenance jobs of each service, by name. */
function maintenanceJobsOf({
  database,
  store,
  services,
  answers,
  x402,
  blobs,
  spool,
  budgets,
}: MaintenanceDeps): MaintenanceJobs {
  const { wallets, jobs, payments, uploads, results, ownership, community } = services;
  const { assets, marks, artworks, enrichment, recipes, webhooks, log } = services;
  const inUse = (sha256s: string[]) => blobsInUse(database, sha256s);
  return {
    // They recount files and tidy caches in the folder of this server.
    own: {
      uploads: async (now) => (await uploads.sweep(now)) + (await spool.sweep(now)),
      results: (now) => results.sweep(now),
      artworks: (now) => artworks.sweep(now),
      iiif: () => services.iiif.sweep(),
      terms: () => services.subjects.prepare(TERMS_PER_ROUND),
    },
    shared: {
      jobs: (now) => jobs.sweep(now),
      holds: (now) => wallets.expireHolds(now),
      payments: (now) => payments.sweep(now),
      ...(x402 && { x402: (now: Date) => x402.sweep(now) }),
      answers: (now) => answers.sweep(now),
      ownership: (now) => ownership.sweep(now),
      consents: (now) => services.consents.sweep(now),
      guests: (now) => services.guests.sweep(now),
      invoices: () => services.invoices.issue(),
      community: (now) => community.sweep(now),
      assets: (now) => assets.sweep(now),
      marks: (now) => marks.sweep(now),
      embeddings: () => artworks.embed(WORKS_PER_ROUND),
      sights: () => artworks.see(IMAGES_PER_ROUND),
      enrichments: (now) => enrichment.sweep(now),
      vision: async (now) => {
        const swept = await Promise.all(budgets.map((budget) => budget.sweep(now)));
        return swept.reduce((sum, count) => sum + count, 0);
      },
      recipes: (now) => recipes.sweep(now),
      workspaces: (now) => services.workspaces.sweep(now),
      webhooks: (now) => webhooks.sweep(now),
      log: (now) => log.sequence(now).then(() => 0),
      log_stamps: (now) => log.stamp(now).then(() => 0),
      parts: async (now) => (await store.remote?.endAbandoned(now)) ?? 0,
      blobs: (now) => blobs.sweep(inUse, new Date(now.getTime() - UNUSED_BLOB_AGE_MS)),
    },
  };
}
