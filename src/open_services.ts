import type { KeyObject } from 'node:crypto';
import type { BaseLogger } from 'pino';
import { createCatalogue } from './catalogue/create_catalogue.ts';
import type { Config } from './config.ts';
import type { ScriptableDatabase } from './database/contract.ts';
import { openArtworks, openIiif } from './dataset/open.ts';
import { problemDetails } from './pipeline/errors.ts';
import { createAnswers } from './services/answers/answers.ts';
import type { Answers } from './services/answers/contract.ts';
import type { KeptTexts } from './services/answers/kept_texts.ts';
import { openArchive } from './services/archive/open.ts';
import { createAssets } from './services/assets/assets.ts';
import type { Blobs } from './services/blobs/contract.ts';
import { openFiles } from './services/blobs/open.ts';
import { openChain } from './services/chain/open.ts';
import { createCommunity } from './services/community/community.ts';
import { createConsents } from './services/consents/consents.ts';
import type { Services } from './services/contract.ts';
import { chargePixels } from './services/cpu_budget/charge_pixels.ts';
import type { CpuBudget } from './services/cpu_budget/contract.ts';
import { openEnrichment } from './services/enrichment/open.ts';
import { ANY_NETWORK, PUBLIC_INTERNET } from './services/fetching/reach.ts';
import { openIdentity } from './services/identity/open.ts';
import { createImages } from './services/images/images.ts';
import { openJobs } from './services/jobs/open.ts';
import { createKeptManifests } from './services/kept_manifests/kept_manifests.ts';
import { openLeaving } from './services/leaving/open.ts';
import { createLinks } from './services/links/links.ts';
import { signingSecret } from './services/links/signing_secret.ts';
import { createLog } from './services/log/log.ts';
import { openManifests } from './services/manifests/open.ts';
import { openModels } from './services/models/open.ts';
import { openMpp } from './services/mpp/open.ts';
import { releaseCallsOfDead } from './services/neighbours/release_calls.ts';
import type { Store } from './services/objects/contract.ts';
import { openHand } from './services/operator/open.ts';
import { createOwnership } from './services/ownership/ownership.ts';
import { openPayments } from './services/payments/open.ts';
import { createPressProfiles } from './services/press_profiles/press_profiles.ts';
import { openProvenance } from './services/provenance/open.ts';
import type { Receipts } from './services/receipts/contract.ts';
import { receiptKey } from './services/receipts/receipt_key.ts';
import { createReceipts } from './services/receipts/receipts.ts';
import { createSigner } from './services/receipts/signer.ts';
import { createRecipes } from './services/recipes/recipes.ts';
import type { OpenShares } from './services/shares/open.ts';
import { createSoftBindings } from './services/soft_bindings/soft_bindings.ts';
import { createSoulmarks } from './services/soulmarks/soulmarks.ts';
import { requireSameKeys } from './services/storage/same_keys.ts';
import { openSubjects } from './services/subjects/open.ts';
import type { Chores } from './services/sweeping/start_sweeping.ts';
import { blobsInUse } from './services/sweeping/store.ts';
import type { Telemetry } from './services/telemetry/contract.ts';
import { observePixels } from './services/telemetry/observe_pixels.ts';
import { observeWallets } from './services/telemetry/observe_wallets.ts';
import { openTimeStamps } from './services/timestamps/open.ts';
import type { VisionBudget } from './services/vision_budget/contract.ts';
import { openVisionBudget } from './services/vision_budget/open.ts';
import type { Visits } from './services/visits/contract.ts';
import { createWallets } from './services/wallets/wallets.ts';
import type { Webhooks } from './services/webhooks/contract.ts';
import { openWebhooks } from './services/webhooks/open.ts';
import type { X402 } from './services/x402/contract.ts';
import { openX402 } from './services/x402/open.ts';
import { snapshotLine } from './tools/dataset/snapshot_fields.ts';
import { tools } from './tools/index.ts';
import type { Pixels } from './workers/contract.ts';
import { openPixels } from './workers/open.ts';

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
  const unpaid = { ...opened, texts, secret };
  const { answers, x402, mpp, key, releaseCalls, ...money } = await openMoney(config, unpaid);
  const { wallets, payments, receipts, ownership } = money;
  const { ASSETS_BYTES_MAX: bytesMax } = config;
  const assets = createAssets({ database, blobs, links, bytesMax, shares, lockedAt: ownership.lockedAt });
  const anywhere = config.ALLOW_PRIVATE_FETCH ? ANY_NETWORK : PUBLIC_INTERNET;
  const reach = { ...anywhere, reserve: visits.reserve };
  const pixels = openChargedPixels(config, { ...opened, visits });
  const models = openModels(config);
  const subjects = openSubjects(config, { models, pixels, logger });
  const artworks = await openArtworks(config, {
    ...{ database, store: opened.store, links, reach, pixels, models, key, disk },
    lineOf: snapshotLine,
  });
  const budget = openVisionBudget(config, database);
  const webhooks = openWebhooks(config, { ...opened, reach: anywhere });
  const services: Services = {
    ...money,
    artworks,
    iiif: openIiif(config, { artworks, database, reach, pixels, publicUrl: links.publicUrl }),
    assets,
    uploads,
    results,
    images: createImages({ uploads, results, assets, artworks, links, reach }),
    pixels,
    enrichment: await openEnrichment(config, {
      ...{ database, pixels, models, subjects, artworks, budget, logger },
    }),
    subjects,
    ...openArchive(config, { database, publicUrl, blobs, reach, logger }),
    ...(await openEvidence(config, { ...opened, ...{ pixels, receipts, key, files, webhooks } })),
    models,
    pressProfiles: createPressProfiles({ folder: config.PRESS_PROFILES_DIR }),
    jobs: openJobs(config, {
      ...{ database, blobs, texts, logger },
      release: async (tx, id) => void (await wallets.release({ id }, tx)),
      problemOf: (error, { id, requestId }) =>
        problemDetails(error, { requestId, instance: `/api/jobs/${id}`, publicUrl }),
    }),
    community: createCommunity(database),
    recipes: createRecipes(database, { version }),
    webhooks,
    ...openHand(config, database),
    leaving: openLeaving(config, { ...opened, ...money, blobs, reach, key, shares }),
    catalogue: createCatalogue(tools, {
      takesCards: payments.takes !== undefined,
      ...(x402 && { x402: x402.offers }),
      ...(mpp && { takesTokens: true }),
    }),
    site: { publicUrl },
  };
  const chores = choresOf({ ...opened, services, answers, x402, releaseCalls, blobs, budget });
  return { services, answers, x402, mpp, chores, visits, disk };
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
    ...{ database, logger, pixels, soulmarks, manifests },
    ...{ receipts, signer, publicUrl, tell: webhooks.tell },
  });
  return {
    log: createLog({ database, signer, publicUrl, timeStamps }),
    identity: await openIdentity(config, { database, receipts, signer, publicUrl }),
    ...{ soulmarks, manifests, keptManifests, ...seen },
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
  // In this order: whoever repeats a call when its key is free finds its money there.
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
    ...({ setting: 'RECEIPT_KEY', file: 'receipt_key.pem', isSet: RECEIPT_KEY !== undefined } as const),
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
