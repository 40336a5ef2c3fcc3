import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pino } from 'pino';
import type { CallKit } from './call/call_tool.ts';
import { createCatalogue } from './catalogue/index.ts';
import type { Config } from './config.ts';
import { type Database, openDatabase } from './database/index.ts';
import { createHttp } from './http/index.ts';
import { PIXEL_QUEUE_LENGTH_MAX, UNUSED_BLOB_AGE_MS } from './limits.ts';
import { createMcp, createMcpFixtures } from './mcp/index.ts';
import { discoveryOperations } from './operations/discovery/index.ts';
import { operations } from './operations/index.ts';
import { createAnswers } from './services/answers/index.ts';
import { createAssets } from './services/assets/index.ts';
import { createBlobs } from './services/blobs/index.ts';
import { createCommunity } from './services/community/index.ts';
import { ANY_NETWORK, PUBLIC_INTERNET } from './services/fetching/index.ts';
import { createImages } from './services/images/index.ts';
import { createMemoryLimiter } from './services/limiter/index.ts';
import { createLinks, signingSecret } from './services/links/index.ts';
import { createOwnership } from './services/ownership/index.ts';
import { createResults } from './services/results/index.ts';
import type { Services } from './services/services.ts';
import { type Chore, startSweeping } from './services/sweeping/index.ts';
import { createUploads } from './services/uploads/index.ts';
import { createWallets, type Wallets } from './services/wallets/index.ts';
import { createWebhooks } from './services/webhooks/index.ts';
import {
  createHttpFacilitator,
  createX402,
  type X402,
  type X402Settings,
  x402Settings,
} from './services/x402/index.ts';
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
  const paidBy = x402Settings({
    payTo: config.X402_PAY_TO,
    facilitatorUrl: config.X402_FACILITATOR_URL,
    networks: config.X402_NETWORKS,
  });
  const database = await openDatabase({ dataDir: config.DATA_DIR, databaseUrl: config.DATABASE_URL });
  const { services, answers, x402, chores } = await openServices(config, publicUrl, {
    database,
    log,
    paidBy,
  });
  const kit: CallKit = {
    services,
    answers,
    ...(x402 && { x402 }),
    limiter: createMemoryLimiter(),
    rates: ratesOf(config),
    deadlineMs: config.TOOL_DEADLINE_MS,
  };
  const report = (error: unknown, context: object) => log.error({ ...context, err: error }, 'a call failed');
  const mcpOptions = { publicUrl, allowedOrigins: config.ALLOWED_ORIGINS, version: VERSION, report };
  const health = { database, dataDir: config.DATA_DIR };
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
        ...(x402 && { x402: x402.offers }),
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

interface Shared {
  readonly database: Database;
  readonly log: pino.BaseLogger;
  /** Undefined: payments by x402 are off. */
  readonly paidBy: X402Settings | undefined;
}

async function openServices(config: Config, publicUrl: string, { database, log, paidBy }: Shared) {
  const folder = (name: string) => join(config.DATA_DIR, name);
  const links = createLinks({
    publicUrl,
    secret: await signingSecret(config.DATA_DIR, config.SIGNING_SECRET),
  });
  const blobs = createBlobs(folder('blobs'), log);
  const wallets = createWallets(database);
  const answers = createAnswers(database, blobs);
  const ownership = createOwnership({ database, publicUrl });
  const x402 = paidBy && openX402(paidBy, { database, wallets, log });
  const assets = createAssets({ database, blobs, links, lockedAt: ownership.lockedAt });
  const uploads = createUploads({ folder: folder('uploads') });
  const results = createResults({ folder: folder('results'), links });
  // One process owns an embedded database, so every hold and every key still open is of a process that died.
  if (database.kind === 'embedded') {
    await wallets.expireHolds(new Date(), true);
    await answers.abandonAll();
    await x402?.recover();
  }
  const services: Services = {
    wallets,
    ownership,
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
  const inUse = inUseBy(assets, answers, ...(x402 ? [x402] : []));
  const chores: Record<string, Chore> = {
    holds: (now) => wallets.expireHolds(now),
    answers: (now) => answers.sweep(now),
    uploads: (now) => uploads.sweep(now),
    results: (now) => results.sweep(now),
    ownership: (now) => ownership.sweep(now),
    community: (now) => services.community.sweep(now),
    ...(x402 && { x402: (now: Date) => x402.sweep(now) }),
    blobs: (now) => blobs.sweep(inUse, new Date(now.getTime() - UNUSED_BLOB_AGE_MS)),
  };
  return { services, answers, x402, chores };
}

function openX402(
  settings: X402Settings,
  shared: Pick<Shared, 'database' | 'log'> & { wallets: Wallets },
): X402 {
  const facilitator = createHttpFacilitator(settings.facilitatorUrl);
  return createX402({ settings, facilitator, ...shared });
}

/** Which of some blobs any of these still names. */
function inUseBy(...owners: { blobsInUse(sha256s: string[]): Promise<Set<string>> }[]) {
  return async (sha256s: string[]): Promise<Set<string>> => {
    const named = await Promise.all(owners.map((owner) => owner.blobsInUse(sha256s)));
    return named.reduce((all, some) => all.union(some));
  };
}

function ratesOf(config: Config): CallKit['rates'] {
  return {
    'free-tools': config.FREE_TOOLS_PER_HOUR,
    'paid-tools': config.PAID_TOOLS_PER_MINUTE,
    mcp: config.MCP_PER_MINUTE,
    registrations: config.REGISTRATIONS_PER_HOUR,
    uploads: config.UPLOADS_PER_HOUR,
    'cafe-posts': config.CAFE_POSTS_PER_DAY,
    'gallery-posts': config.GALLERY_POSTS_PER_DAY,
    'registry-signatures': config.REGISTRY_SIGNATURES_PER_DAY,
  };
}
