import { join } from 'node:path';
import type { BaseLogger } from 'pino';
import { problemOf } from './call/problem.ts';
import { createCatalogue } from './catalogue/create_catalogue.ts';
import type { Config } from './config.ts';
import type { ScriptableDatabase } from './database/contract.ts';
import { EMBEDDINGS_A_ROUND } from './dataset_limits.ts';
import { UNUSED_BLOB_AGE_MS } from './limits.ts';
import { openArtworks } from './open_artworks.ts';
import { openEnrichment } from './open_enrichment.ts';
import { openFiles } from './open_files.ts';
import { openModels } from './open_models.ts';
import { openMoney } from './open_money.ts';
import { openPixels } from './open_pixels.ts';
import { openProvenance } from './open_provenance.ts';
import { openRecords } from './open_records.ts';
import type { KeptTexts } from './services/answers/kept_texts.ts';
import { createAssets } from './services/assets/assets.ts';
import type { Blobs } from './services/blobs/contract.ts';
import { createCommunity } from './services/community/community.ts';
import { ANY_NETWORK, PUBLIC_INTERNET } from './services/fetching/reach.ts';
import { createImages } from './services/images/images.ts';
import { createJobs } from './services/jobs/jobs.ts';
import { createLinks } from './services/links/links.ts';
import { signingSecret } from './services/links/signing_secret.ts';
import { createPressProfiles } from './services/press_profiles/press_profiles.ts';
import type { Services } from './services/services.ts';
import type { Chore } from './services/sweeping/start_sweeping.ts';
import { createWebhooks } from './services/webhooks/webhooks.ts';
import { tools } from './tools/index.ts';

interface Opened {
  readonly database: ScriptableDatabase;
  readonly publicUrl: string;
  readonly log: BaseLogger;
  /** Of this service. */
  readonly version: string;
}

/** Builds each service once, and the chores that keep their rooms clean. */
export async function openServices(config: Config, { database, publicUrl, log, version }: Opened) {
  const folder = (name: string) => join(config.DATA_DIR, name);
  const secret = await signingSecret(config.DATA_DIR, config.SIGNING_SECRET);
  const links = createLinks({ publicUrl, secret });
  const { blobs, uploads, results, assetShares, texts, disk, visits } = openFiles(config, { links, log });
  const opened = await openMoney(config, { database, texts, publicUrl, log });
  const { answers, x402, receiptKey: key, ...money } = opened;
  const { wallets, ownership, payments, receipts } = money;
  const { ASSETS_BYTES_MAX: bytesMax } = config;
  const { lockedAt } = ownership;
  const assets = createAssets({ database, blobs, links, lockedAt, bytesMax, shares: assetShares });
  const anywhere = config.ALLOW_PRIVATE_FETCH ? ANY_NETWORK : PUBLIC_INTERNET;
  const reach = { ...anywhere, reserve: visits.reserve };
  const pixels = openPixels(config);
  const artworks = await openArtworks(config, { database, links, reach, pixels, key });
  const outside = { database, blobs, reach, log, publicUrl, version };
  const records = openRecords(config, { ...outside, key, receipts, pixels });
  const services: Services = {
    ...money,
    artworks,
    assets,
    uploads,
    results,
    images: createImages({ uploads, results, assets, artworks, links, reach }),
    pixels,
    enrichment: await openEnrichment(config, { database, pixels, artworks, log }),
    ...records,
    models: openModels(config),
    pressProfiles: createPressProfiles({ folder: config.PRESS_PROFILES_DIR }),
    jobs: openJobs(config, { database, publicUrl, log, blobs, texts, wallets }),
    ...openProvenance({ ...records, database, folder: folder('hashes'), log, pixels }),
    community: createCommunity(database),
    webhooks: createWebhooks(database),
    catalogue: createCatalogue(tools, {
      takesCards: payments.takes !== undefined,
      ...(x402 && { x402: x402.offers }),
    }),
    site: { publicUrl },
  };
  const inUse = inUseBy(assets, records.archive, answers, services.jobs, ...(x402 ? [x402] : []));
  const chores: Record<string, Chore> = {
    holds: (now) => wallets.expireHolds(now),
    jobs: (now) => services.jobs.sweep(now),
    payments: (now) => payments.sweep(now),
    ...(x402 && { x402: (now: Date) => x402.sweep(now) }),
    answers: (now) => answers.sweep(now),
    uploads: (now) => uploads.sweep(now),
    results: (now) => results.sweep(now),
    ownership: (now) => ownership.sweep(now),
    community: (now) => services.community.sweep(now),
    marks: (now) => services.marks.sweep(now),
    artworks: (now) => artworks.sweep(now),
    embeddings: () => artworks.embed(EMBEDDINGS_A_ROUND),
    enrichments: (now) => services.enrichment.sweep(now),
    webhooks: (now) => services.webhooks.sweep(now),
    log: (now) => records.log.sequence(now).then(() => 0),
    blobs: (now) => blobs.sweep(inUse, new Date(now.getTime() - UNUSED_BLOB_AGE_MS)),
  };
  return { services, answers, x402, chores, visits, disk };
}

/** Which of some blobs any of these still names. */
function inUseBy(...owners: { blobsInUse(sha256s: string[]): Promise<Set<string>> }[]) {
  return async (sha256s: string[]): Promise<Set<string>> => {
    const named = await Promise.all(owners.map((owner) => owner.blobsInUse(sha256s)));
    return named.reduce((all, some) => all.union(some));
  };
}

interface JobParts extends Omit<Opened, 'version'> {
  readonly blobs: Blobs;
  readonly texts: KeptTexts;
  readonly wallets: Services['wallets'];
}

function openJobs(
  config: Config,
  { publicUrl, database, blobs, texts, wallets, log }: JobParts,
): Services['jobs'] {
  return createJobs({
    database,
    blobs,
    texts,
    limits: {
      atOnce: config.JOBS_AT_ONCE,
      atOnceOfAddress: Math.max(1, Math.floor((config.JOBS_AT_ONCE * config.CALLER_SHARE_PERCENT) / 100)),
      perCaller: config.JOBS_PER_CALLER,
      perAddress: config.JOBS_PER_ADDRESS,
      inAll: config.JOBS_LIVE_MAX,
    },
    release: (id) => wallets.release({ id }),
    problemOf: (error, { id, requestId }) =>
      problemOf(error, { requestId, instance: `/api/jobs/${id}`, publicUrl }),
    report: (error, context) => log.error({ ...context, err: error }, 'a job failed'),
  });
}
