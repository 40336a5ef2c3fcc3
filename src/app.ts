import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pino } from 'pino';
import type { CallKit } from './call/call_tool.ts';
import { problemOf } from './call/problem.ts';
import { runJob } from './call/run_job.ts';
import { createCatalogue } from './catalogue/index.ts';
import type { Config } from './config.ts';
import type { ScriptableDatabase } from './database/connection.ts';
import { openDatabase } from './database/index.ts';
import { createHttp } from './http/index.ts';
import { PIXEL_QUEUE_LENGTH_MAX, UNUSED_BLOB_AGE_MS } from './limits.ts';
import { createMcp, createMcpFixtures } from './mcp/index.ts';
import { discoveryOperations } from './operations/discovery/index.ts';
import { operations } from './operations/index.ts';
import { createAnswers } from './services/answers/index.ts';
import { createAssets } from './services/assets/index.ts';
import { type Blobs, createBlobs } from './services/blobs/index.ts';
import { createCommunity } from './services/community/index.ts';
import { ANY_NETWORK, PUBLIC_INTERNET } from './services/fetching/index.ts';
import { createImages } from './services/images/index.ts';
import { createJobs } from './services/jobs/index.ts';
import { createMemoryLimiter } from './services/limiter/index.ts';
import { createLinks, signingSecret } from './services/links/index.ts';
import { createOwnership } from './services/ownership/index.ts';
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
  const database = await openDatabase({ dataDir: config.DATA_DIR, databaseUrl: config.DATABASE_URL });
  const { services, answers, chores } = await openServices(config, publicUrl, database, log);
  const kit: CallKit = {
    services,
    answers,
    limiter: createMemoryLimiter(),
    rates: ratesOf(config),
    deadlineMs: config.TOOL_DEADLINE_MS,
    jobDeadlineMs: config.JOB_DEADLINE_MS,
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
  await services.jobs.work((work) => runJob(kit, work));
  return {
    fetch: (request, env) => http.fetch(request, env),
    close: async () => {
      await sweeping.stop();
      await services.jobs.close();
      await services.pixels.close();
      await database.close();
    },
  };
}

type Log = pino.BaseLogger;

async function openServices(config: Config, publicUrl: string, database: ScriptableDatabase, log: Log) {
  const folder = (name: string) => join(config.DATA_DIR, name);
  const links = createLinks({
    publicUrl,
    secret: await signingSecret(config.DATA_DIR, config.SIGNING_SECRET),
  });
  const blobs = createBlobs(folder('blobs'), log);
  const wallets = createWallets(database);
  const answers = createAnswers(database, blobs);
  const ownership = createOwnership({ database, publicUrl });
  const assets = createAssets({ database, blobs, links, lockedAt: ownership.lockedAt });
  const uploads = createUploads({ folder: folder('uploads') });
  const results = createResults({ folder: folder('results'), links });
  // One process owns an embedded database, so every hold and every key still open is of a process that died.
  if (database.kind === 'embedded') {
    await wallets.expireHolds(new Date(), true);
    await answers.abandonAll();
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
    jobs: openJobs(config, { publicUrl, database, blobs, wallets, log }),
    community: createCommunity(database),
    webhooks: createWebhooks(database),
    catalogue: createCatalogue(tools),
    site: { publicUrl },
  };
  const inUse = async (sha256s: string[]) =>
    (await assets.blobsInUse(sha256s))
      .union(await answers.blobsInUse(sha256s))
      .union(await services.jobs.blobsInUse(sha256s));
  const chores: Record<string, Chore> = {
    holds: (now) => wallets.expireHolds(now),
    jobs: (now) => services.jobs.sweep(now),
    answers: (now) => answers.sweep(now),
    uploads: (now) => uploads.sweep(now),
    results: (now) => results.sweep(now),
    ownership: (now) => ownership.sweep(now),
    community: (now) => services.community.sweep(now),
    blobs: (now) => blobs.sweep(inUse, new Date(now.getTime() - UNUSED_BLOB_AGE_MS)),
  };
  return { services, answers, chores };
}

interface JobParts {
  readonly publicUrl: string;
  readonly database: ScriptableDatabase;
  readonly blobs: Blobs;
  readonly wallets: Services['wallets'];
  readonly log: Log;
}

function openJobs(config: Config, { publicUrl, database, blobs, wallets, log }: JobParts): Services['jobs'] {
  return createJobs({
    database,
    blobs,
    limits: {
      atOnce: config.JOBS_AT_ONCE,
      perCaller: config.JOBS_PER_CALLER,
      inAll: config.JOBS_LIVE_MAX,
    },
    release: (id) => wallets.release({ id }),
    problemOf: (error, { id, requestId }) =>
      problemOf(error, { requestId, instance: `/api/jobs/${id}`, publicUrl }),
    report: (error, context) => log.error({ ...context, err: error }, 'a job failed'),
  });
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
