import type { KeyObject } from 'node:crypto';
import type { BaseLogger } from 'pino';
import { createCatalogue } from './catalog/create_catalogue.ts';
import type { Config } from './config/config.ts';
import { openChain } from './core/chain/chain.ts';
import type { Chores } from './core/cleanup/start_sweeping.ts';
import { releaseCallsOfDead } from './core/cluster/members/release_calls.ts';
import { chargePixels } from './core/cpu_budget/charge_pixels.ts';
import type { CpuBudget } from './core/cpu_budget/types.ts';
import type { ScriptableDatabase } from './core/database/types.ts';
import { createAnswers } from './core/idempotency/answers.ts';
import type { KeptTexts } from './core/idempotency/kept_texts.ts';
import type { Answers } from './core/idempotency/types.ts';
import { receiptKey } from './core/keys/receipt_key.ts';
import { createSigner } from './core/keys/signer.ts';
import { signingSecret } from './core/keys/signing_secret.ts';
import { createLinks } from './core/links/links.ts';
import { ANY_NETWORK, PUBLIC_INTERNET } from './core/outbound_http/reach.ts';
import { openJobs } from './core/queue/queue.ts';
import type { OpenShares } from './core/quotas/quotas.ts';
import type { Visits } from './core/request_scope/types.ts';
import { requireSameKeys } from './core/storage/binding/same_keys.ts';
import type { Blobs } from './core/storage/blobs/types.ts';
import type { Store } from './core/storage/objects/types.ts';
import { observePixels } from './core/telemetry/observe_pixels.ts';
import type { Telemetry } from './core/telemetry/types.ts';
import type { Pixels } from './core/workers/types.ts';
import { openPixels } from './core/workers/workers.ts';
import { openFiles } from './create_files.ts';
import { openLeaving } from './features/account/export/export.ts';
import { openArchive } from './features/archive/service.ts';
import { openArtworks, openIiif } from './features/artworks/service.ts';
import { snapshotLine } from './features/artworks/tools/snapshot_fields.ts';
import { createAssets } from './features/assets/assets.ts';
import { openMpp } from './features/billing/mpp/create_mpp.ts';
import { createReceipts } from './features/billing/receipts/receipts.ts';
import type { Receipts } from './features/billing/receipts/types.ts';
import { openPayments } from './features/billing/service.ts';
import type { X402 } from './features/billing/x402/types.ts';
import { openX402 } from './features/billing/x402/x402.ts';
import { createCommunity } from './features/community/community.ts';
import { openEnrichment } from './features/enrichment/service.ts';
import { openSubjects } from './features/enrichment/subjects/subjects.ts';
import type { VisionBudget } from './features/enrichment/vision_budget/types.ts';
import { openVisionBudget } from './features/enrichment/vision_budget/vision_budget.ts';
import { createImages } from './features/images/images.ts';
import { openModels } from './features/models/service.ts';
import { blobsInUse } from './features/operator/backups/blobs_in_use.ts';
import { openHand } from './features/operator/service.ts';
import { createPressProfiles } from './features/print/profiles/press_profiles.ts';
import { openIdentity } from './features/provenance/identity/identity.ts';
import { createLog } from './features/provenance/log/log.ts';
import { openManifests } from './features/provenance/manifests/manifests.ts';
import { openProvenance } from './features/provenance/service.ts';
import { createSoftBindings } from './features/provenance/soft_bindings/soft_bindings.ts';
import { createSoulmarks } from './features/provenance/soulmarks/soulmarks.ts';
import { createKeptManifests } from './features/provenance/stored_manifests/kept_manifests.ts';
import { openTimeStamps } from './features/provenance/timestamps/timestamps.ts';
import { createRecipes } from './features/recipes/recipes.ts';
import type { Services } from './features/services.ts';
import { tools } from './features/tools.ts';
import { createConsents } from './features/wallets/consents/consents.ts';
import { observeWallets } from './features/wallets/observe_wallets.ts';
import { createOwnership } from './features/wallets/ownership/ownership.ts';
import { createWallets } from './features/wallets/wallets.ts';
import { openWebhooks } from './features/webhooks/service.ts';
import type { Webhooks } from './features/webhooks/types.ts';
import { problemDetails } from './pipeline/errors.ts';

/** A blob no row names is swept at this age: until then a call may be about to name it. */
const UNUSED_BLOB_AGE_MS = 3_600_000;

/** Works a server embeds a minute in the background. */
const EMBEDDINGS_A_ROUND = 2048;
/** Kept pictures it encodes a minute: some seconds of the process for networks. */
const PICTURES_SEEN_A_ROUND = 64;
/** Terms of the vocabulary it encodes a minute, until it has them all. */
const TERMS_A_ROUND = 1024;

interface Opened {
  readonly database: ScriptableDatabase;
  readonly store: Store;
  readonly shares: OpenShares;
  readonly publicUrl: string;
  readonly logger: BaseLogger;
  readonly telemetry: Telemetry;
  readonly cpu: CpuBudget;
  /** The version of this service. */
  readonly version: string;
}

/** Builds each service once, and the chores that keep their rooms clean. */
export async function openServices(config: Config, opened: Opened) {
  const { database, publicUrl, logger, version } = opened;
  const secret = await signingSecret(config.DATA_DIR, config.SIGNING_SECRET);
  const links = createLinks({ publicUrl, secret });
  const files = openFiles(config, { ...opened, links });
  const { blobs, uploads, results, assetShares: shares, texts, disk, visits } = files;
  const billing = await openMoney(config, { ...opened, texts, secret });
  const { answers, x402, mpp, key, releaseCalls, ...money } = billing;
  const { wallets, receipts, ownership } = money;
  const quota = { bytesMax: config.ASSETS_BYTES_MAX, shares };
  const assets = createAssets({ database, blobs, links, ...quota, lockedAt: ownership.lockedAt });
  const reach = { ...reachOf(config), reserve: visits.reserve };
  const pixels = openChargedPixels(config, { ...opened, visits });
  const models = openModels(config);
  const subjects = openSubjects(config, { models, pixels, logger });
  const artworks = await openArtworks(config, {
    database,
    store: opened.store,
    links,
    reach,
    pixels,
    models,
    key,
    disk,
    lineOf: snapshotLine,
  });
  const budget = openVisionBudget(config, database);
  const webhooks = openWebhooks(config, { ...opened, reach: reachOf(config) });
  const enriching = { database, pixels, models, subjects, artworks, budget, logger };
  const services: Services = {
    ...money,
    artworks,
    iiif: openIiif(config, { artworks, database, reach, pixels, publicUrl: links.publicUrl }),
    assets,
    uploads,
    results,
    images: createImages({ uploads, results, assets, artworks, links, reach }),
    pixels,
    enrichment: await openEnrichment(config, enriching),
    subjects,
    ...openArchive(config, { database, publicUrl, blobs, reach, logger }),
    ...(await openEvidence(config, { ...opened, pixels, receipts, key, files, webhooks })),
    models,
    pressProfiles: createPressProfiles({ folder: config.PRESS_PROFILES_DIR }),
    jobs: openQueue(config, { database, blobs, texts, logger, wallets, publicUrl }),
    community: createCommunity(database),
    recipes: createRecipes(database, { version }),
    webhooks,
    ...openHand(config, database),
    leaving: openLeaving(config, { ...opened, ...money, blobs, reach, key, shares }),
    catalogue: createCatalogue(tools, paymentMethods(billing)),
    site: { publicUrl },
  };
  const chores = choresOf({ ...opened, services, answers, x402, releaseCalls, blobs, budget });
  return { services, answers, x402, mpp, chores, visits, disk };
}

/** How calls can be paid, for the documents that describe them. */
const paymentMethods = ({ payments, x402, mpp }: Awaited<ReturnType<typeof openMoney>>) => ({
  takesCards: payments.takes !== undefined,
  ...(x402 && { x402: x402.offers }),
  ...(mpp && { takesTokens: true }),
});

/** The addresses that requests of clients may make this server fetch. */
const reachOf = ({ ALLOW_PRIVATE_FETCH }: Config) => (ALLOW_PRIVATE_FETCH ? ANY_NETWORK : PUBLIC_INTERNET);

interface QueueDeps extends Pick<Opened, 'database' | 'logger' | 'publicUrl'> {
  readonly blobs: Blobs;
  readonly texts: KeptTexts;
  readonly wallets: Services['wallets'];
}

/** The queue of jobs; a job that ends without success releases its hold. */
function openQueue(config: Config, { database, blobs, texts, logger, wallets, publicUrl }: QueueDeps) {
  return openJobs(config, {
    database,
    blobs,
    texts,
    logger,
    release: async (tx, id) => void (await wallets.release({ id }, tx)),
    problemOf: (error, { id, requestId }) =>
      problemDetails(error, { requestId, instance: `/api/jobs/${id}`, publicUrl }),
  });
}

interface Charging extends Pick<Opened, 'database' | 'telemetry' | 'cpu'> {
  readonly visits: Visits;
}

/** The processes for images and networks. Their CPU time, and that of the embedded database, is charged to the request it is used for. */
function openChargedPixels(config: Config, { database, telemetry, cpu, visits }: Charging): Pixels {
  const account = () => visits.current()?.cpu;
  database.onSpent?.((seconds) => cpu.charge(account(), seconds, 'database'));
  return chargePixels(observePixels(openPixels(config), telemetry), { cpu, account });
}

interface Unproved extends Opened {
  readonly pixels: Pixels;
  readonly receipts: Receipts;
  readonly key: KeyObject;
  readonly files: Pick<ReturnType<typeof openFiles>, 'blobs' | 'manifestShares'>;
  readonly webhooks: Webhooks;
}

/** What speaks for where a picture comes from, and for who says so. */
async function openEvidence(config: Config, opened: Unproved) {
  const { database, publicUrl, logger, version, pixels, receipts, key, files, webhooks } = opened;
  const { blobs, manifestShares: shares } = files;
  const signer = createSigner(key);
  const timeStamps = openTimeStamps(config, { logger });
  const manifests = openManifests(config, { pixels, timeStamps, version });
  const { MANIFESTS_BYTES_MAX: bytesMax } = config;
  const keptManifests = createKeptManifests({ database, blobs, shares, bytesMax });
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
    keptManifests,
    ...seen,
    softBindings: createSoftBindings({ pixels, keptManifests, ...seen }),
  };
}

interface Unpaid extends Opened {
  /** Where answers are kept. */
  readonly texts: KeptTexts;
  /** Signs what comes back to us. */
  readonly secret: string;
}

/** Who owns what, who pays how, and what was answered for it. */
async function openMoney(config: Config, opened: Unpaid) {
  const { database, store, texts, secret, publicUrl, logger, telemetry } = opened;
  const bonusNeedsProof = config.BONUS_NEEDS_PROOF;
  const wallets = observeWallets(createWallets(database, undefined, { bonusNeedsProof }), telemetry);
  const answers = createAnswers(database, texts);
  const { contracts, authorizations } = openChain(config);
  const ownership = createOwnership({ database, publicUrl, ...(contracts && { contracts }) });
  const { record } = ownership;
  const consents = createConsents({ database, publicUrl, record, ...(contracts && { contracts }) });
  const key = await receiptKey(config.DATA_DIR, config.RECEIPT_KEY);
  if (store.remote)
    await requireSameKeys(database, keysOf(config, { secret, key }), { mayAdopt: config.ADOPT_STORAGE });
  const receipts = await createReceipts({ database, key, publicUrl });
  const payments = await openPayments(config, { database, publicUrl, logger });
  const mpp = openMpp(config, { publicUrl, secret, takes: payments.takes });
  const x402 = openX402(config, { authorizations, database, wallets, logger });
  // In this order: a call that is repeated when its key is free finds its credits refunded.
  const holding = [wallets, payments, ...(x402 ? [x402] : []), answers].map((room) => room.releaseCalls);
  const releaseCalls = () => releaseCallsOfDead(database, holding);
  // One process owns an embedded database, so every hold and every key still open is of a process that died.
  if (database.kind === 'embedded') {
    await wallets.expireHolds(new Date(), true);
    await answers.abandonAll();
    await payments.sweep(new Date(), true);
    await x402?.recover();
  } else await releaseCalls();
  return { wallets, answers, ownership, consents, receipts, key, payments, x402, mpp, releaseCalls };
}

/** What servers need alike that have no folder in common. */
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

interface Kept extends Pick<Opened, 'database' | 'store'> {
  readonly services: Services;
  readonly answers: Answers;
  readonly x402: X402 | undefined;
  readonly releaseCalls: () => Promise<number>;
  readonly blobs: Blobs;
  readonly budget: VisionBudget;
}

/** What each room cleans up, by name. */
function choresOf({ database, store, services, answers, x402, releaseCalls, blobs, budget }: Kept): Chores {
  const { wallets, jobs, payments, uploads, results, ownership, community } = services;
  const { assets, marks, artworks, enrichment, recipes, webhooks, log } = services;
  const inUse = (sha256s: string[]) => blobsInUse(database, sha256s);
  return {
    // They count their files anew and tidy caches in the folder of this server.
    own: {
      uploads: (now) => uploads.sweep(now),
      results: (now) => results.sweep(now),
      artworks: (now) => artworks.sweep(now),
      iiif: () => services.iiif.sweep(),
      terms: () => services.subjects.prepare(TERMS_A_ROUND),
    },
    shared: {
      jobs: (now) => jobs.sweep(now),
      calls: releaseCalls,
      holds: (now) => wallets.expireHolds(now),
      payments: (now) => payments.sweep(now),
      ...(x402 && { x402: (now: Date) => x402.sweep(now) }),
      answers: (now) => answers.sweep(now),
      ownership: (now) => ownership.sweep(now),
      consents: (now) => services.consents.sweep(now),
      community: (now) => community.sweep(now),
      assets: (now) => assets.sweep(now),
      marks: (now) => marks.sweep(now),
      embeddings: () => artworks.embed(EMBEDDINGS_A_ROUND),
      sights: () => artworks.see(PICTURES_SEEN_A_ROUND),
      enrichments: (now) => enrichment.sweep(now),
      vision: (now) => budget.sweep(now),
      recipes: (now) => recipes.sweep(now),
      webhooks: (now) => webhooks.sweep(now),
      log: (now) => log.sequence(now).then(() => 0),
      log_stamps: (now) => log.stamp(now).then(() => 0),
      parts: async (now) => (await store.remote?.endAbandoned(now)) ?? 0,
      blobs: (now) => blobs.sweep(inUse, new Date(now.getTime() - UNUSED_BLOB_AGE_MS)),
    },
  };
}
