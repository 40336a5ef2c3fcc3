import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pino } from 'pino';
import type { CallKit } from './call/call_tool.ts';
import { createDurations } from './call/durations.ts';
import { createCatalogue } from './catalogue/index.ts';
import type { Config } from './config.ts';
import { type Database, openDatabase } from './database/index.ts';
import { createHttp } from './http/index.ts';
import { PIXEL_QUEUE_LENGTH_MAX, UNUSED_BLOB_AGE_MS } from './limits.ts';
import { createMcp, createMcpFixtures } from './mcp/index.ts';
import { discoveryOperations } from './operations/discovery/index.ts';
import { operations as allOperations } from './operations/index.ts';
import { simulatedDesk } from './operations/payment/simulated_desk.ts';
import { createAnswers } from './services/answers/index.ts';
import { createAssets } from './services/assets/index.ts';
import { createAudit } from './services/audit/index.ts';
import { createBlobs, makeDataFolder } from './services/blobs/index.ts';
import { createContractWallets } from './services/chain/index.ts';
import { createCommunity } from './services/community/index.ts';
import { ANY_NETWORK, PUBLIC_INTERNET } from './services/fetching/index.ts';
import { createImages } from './services/images/index.ts';
import { createMemoryLimiter } from './services/limiter/index.ts';
import { createLinks, signingSecret } from './services/links/index.ts';
import { createOwnership } from './services/ownership/index.ts';
import {
  createPayments,
  createSimulated,
  createStripe,
  type Processor,
  type StripeSettings,
} from './services/payments/index.ts';
import { createReceipts, receiptKey } from './services/receipts/index.ts';
import { createResults } from './services/results/index.ts';
import type { Services } from './services/services.ts';
import { type Chore, startSweeping } from './services/sweeping/index.ts';
import { createUploads } from './services/uploads/index.ts';
import { createWallets } from './services/wallets/index.ts';
import { createWebhooks } from './services/webhooks/index.ts';
import { tools } from './tools/index.ts';
import { createPixels } from './workers/index.ts';

/** The version of the interface, as the specification numbers it. */
export const VERSION = '0.5.0';

export interface App {
  /** Answers one request. `incoming` is Node's own request where there is one. */
  fetch(request: Request, env?: { incoming?: IncomingMessage }): Response | Promise<Response>;
  /** Closes everything; call it when no request is running. */
  close(): Promise<void>;
}

/** Builds each service once, hands it over by name and wires the ways in. The only place that chooses implementations. */
export async function openApp(config: Config, publicUrl = 'http://127.0.0.1'): Promise<App> {
  const log = pino({ level: config.LOG_LEVEL });
  makeDataFolder(config.DATA_DIR);
  // What is missing is told before anything is opened.
  if (cardSettings(config)?.name === 'simulated' && !isLoopback(config.HOST)) {
    log.warn('cards are simulated: anybody who reaches this server gets credits for a test card (PAYMENTS)');
  }
  const database = await openDatabase({ dataDir: config.DATA_DIR, databaseUrl: config.DATABASE_URL });
  const { services, answers, chores } = await openServices(config, publicUrl, database, log);
  const kit: CallKit = {
    services,
    answers,
    limiter: createMemoryLimiter(),
    audit: createAudit(log),
    durations: createDurations(),
    rates: ratesOf(config),
    deadlineMs: config.TOOL_DEADLINE_MS,
  };
  const report = (error: unknown, context: object) => log.error({ ...context, err: error }, 'a call failed');
  const mcpOptions = { publicUrl, allowedOrigins: config.ALLOWED_ORIGINS, version: VERSION, report };
  const health = { database, dataDir: config.DATA_DIR };
  const operations = [...allOperations, ...(services.payments.desk ? simulatedDesk : [])];
  const http = createHttp({
    kit,
    operations: [
      ...operations,
      ...discoveryOperations({
        tools,
        operations,
        site: services.site,
        version: VERSION,
        health,
        rates: kit.rates,
        takesCards: services.payments.takes !== undefined,
      }),
    ],
    mounts: {
      '/mcp': createMcp(kit, mcpOptions),
      ...(config.MCP_FIXTURES && { '/mcp-fixtures': createMcpFixtures(mcpOptions) }),
    },
    trustedProxies: config.TRUSTED_PROXIES,
    report,
  });
  const sweeping = startSweeping(chores, log);
  return {
    fetch: (request, env) => http.fetch(request, env),
    close: async () => {
      await sweeping.stop();
      await services.pixels.close();
      await database.close();
    },
  };
}

type Log = pino.BaseLogger;

async function openServices(config: Config, publicUrl: string, database: Database, log: Log) {
  const folder = (name: string) => join(config.DATA_DIR, name);
  const links = createLinks({
    publicUrl,
    secret: await signingSecret(config.DATA_DIR, config.SIGNING_SECRET),
  });
  const blobs = createBlobs(folder('blobs'), log);
  const wallets = createWallets(database);
  const answers = createAnswers(database, blobs);
  const { EVM_RPC_URL: rpcUrl } = config;
  const contracts = rpcUrl === undefined ? undefined : createContractWallets({ rpcUrl });
  const ownership = createOwnership({ database, publicUrl, ...(contracts && { contracts }) });
  const key = await receiptKey(config.DATA_DIR, config.RECEIPT_KEY);
  const receipts = await createReceipts({ database, key, publicUrl });
  const processor = cardProcessor(cardSettings(config), { database, publicUrl, log });
  const payments = createPayments({ database, processor, publicUrl, log });
  const assets = createAssets({ database, blobs, links, lockedAt: ownership.lockedAt });
  const uploads = createUploads({ folder: folder('uploads') });
  const results = createResults({ folder: folder('results'), links });
  // One process owns an embedded database, so every hold and every key still open is of a process that died.
  if (database.kind === 'embedded') {
    await wallets.expireHolds(new Date(), true);
    await answers.abandonAll();
    await payments.sweep(new Date(), true);
  }
  const services: Services = {
    wallets,
    ownership,
    receipts,
    payments,
    assets,
    uploads,
    results,
    images: createImages({
      uploads,
      results,
      assets,
      links,
      reach: config.ALLOW_PRIVATE_FETCH ? ANY_NETWORK : PUBLIC_INTERNET,
    }),
    pixels: createPixels({
      workers: config.WORKERS,
      pixelsInFlightMax: config.PIXELS_IN_FLIGHT_MAX,
      queueLengthMax: PIXEL_QUEUE_LENGTH_MAX,
      deadlineMs: config.TOOL_DEADLINE_MS,
    }),
    community: createCommunity(database),
    webhooks: createWebhooks(database),
    catalogue: createCatalogue(tools),
    site: { publicUrl },
  };
  const inUse = async (sha256s: string[]) =>
    (await assets.blobsInUse(sha256s)).union(await answers.blobsInUse(sha256s));
  const chores: Record<string, Chore> = {
    holds: (now) => wallets.expireHolds(now),
    payments: (now) => payments.sweep(now),
    answers: (now) => answers.sweep(now),
    uploads: (now) => uploads.sweep(now),
    results: (now) => results.sweep(now),
    ownership: (now) => ownership.sweep(now),
    community: (now) => services.community.sweep(now),
    blobs: (now) => blobs.sweep(inUse, new Date(now.getTime() - UNUSED_BLOB_AGE_MS)),
  };
  return { services, answers, chores };
}

const isLoopback = (host: string): boolean => /^(localhost|127\..+|::1)$/.test(host);

type CardSettings = { name: 'simulated' } | ({ name: 'stripe' } & Omit<StripeSettings, 'log'>) | undefined;

/** Stripe where it is set up, else cards that move no money, unless there are to be none. @throws Error naming what is missing */
function cardSettings(config: Config): CardSettings {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = config;
  const name = config.PAYMENTS ?? (secretKey ? 'stripe' : 'simulated');
  if (name === 'off') return undefined;
  if (name === 'simulated') return { name };
  if (!secretKey || !webhookSecret) {
    throw new Error(
      'Stripe needs STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET; or set PAYMENTS=simulated or PAYMENTS=off.',
    );
  }
  const { STRIPE_PUBLISHABLE_KEY: publishableKey, STRIPE_API_URL: apiUrl } = config;
  return { name, secretKey, webhookSecret, publishableKey, apiUrl };
}

function cardProcessor(
  cards: CardSettings,
  { database, publicUrl, log }: { database: Database; publicUrl: string; log: Log },
): Processor | undefined {
  if (cards?.name === 'stripe') return createStripe({ ...cards, log });
  return cards && createSimulated({ database, publicUrl });
}

function ratesOf(config: Config): CallKit['rates'] {
  return {
    'free-tools': config.FREE_TOOLS_PER_HOUR,
    'paid-tools': config.PAID_TOOLS_PER_MINUTE,
    mcp: config.MCP_PER_MINUTE,
    registrations: config.REGISTRATIONS_PER_HOUR,
    uploads: config.UPLOADS_PER_HOUR,
    'signed-requests': config.SIGNED_REQUESTS_PER_MINUTE,
    'cafe-posts': config.CAFE_POSTS_PER_DAY,
    'gallery-posts': config.GALLERY_POSTS_PER_DAY,
    'registry-signatures': config.REGISTRY_SIGNATURES_PER_DAY,
  };
}
