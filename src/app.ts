import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BaseLogger, pino } from 'pino';
import { createDurations } from './call/durations.ts';
import type { CallKit } from './call/kit.ts';
import { runJob } from './call/run_job.ts';
import type { Config } from './config.ts';
import type { ScriptableDatabase } from './database/contract.ts';
import { createHttp } from './http/index.ts';
import { createMcp, createMcpFixtures } from './mcp/index.ts';
import { openServices } from './open_services.ts';
import { discoveryOperations } from './operations/discovery/index.ts';
import { operations as allOperations } from './operations/index.ts';
import { simulatedDesk } from './operations/payment/simulated_desk.ts';
import { createAudit } from './services/audit/audit.ts';
import { isOnThisMachine, isPrivate } from './services/fetching/whereabouts.ts';
import type { Health } from './services/health/contract.ts';
import { createHealth } from './services/health/health.ts';
import { createMemoryLimiter } from './services/limiter/memory_limiter.ts';
import { checkCards } from './services/payments/open.ts';
import { openBackground } from './services/setup/open_background.ts';
import type { Background } from './services/setup/pull_in_background.ts';
import { openData } from './services/storage/open.ts';
import { requireSameStorage } from './services/storage/same_storage.ts';
import { startSweeping } from './services/sweeping/start_sweeping.ts';
import { x402SettingsOf } from './services/x402/open.ts';
import { tools } from './tools/index.ts';

/** The version of the interface, as the specification numbers it. */
export const VERSION = '0.5.0';

interface NodeExchange {
  incoming?: IncomingMessage;
  outgoing?: ServerResponse;
}

export interface App {
  /** Answers one request. `incoming` and `outgoing` are Node's own where there are any. */
  fetch(request: Request, env?: NodeExchange): Response | Promise<Response>;
  /** Leaves a line about a connection that was one too many. */
  recordRefusedConnection(address: string): void;
  /** Begins to fetch what MODELS_PULL and MUSEUMS_PULL name: for a server, not for a single call. */
  startFetching(): void;
  /** Closes everything; call it when no request is running. */
  close(): Promise<void>;
}

/**
 * Builds each service once, hands it over by name and wires the ways in. The only place that chooses implementations.
 * @param data the database, if it is being opened already
 */
export async function openApp(
  config: Config,
  publicUrl = 'http://127.0.0.1',
  data?: Promise<ScriptableDatabase>,
): Promise<App> {
  const logger = pino({ level: config.LOG_LEVEL });
  checkCards(config, logger);
  x402SettingsOf(config);
  const database = await ownDatabase(config, data);
  const { services, answers, x402, mpp, chores, visits, disk } = await openServices(config, {
    database,
    publicUrl,
    logger,
    version: VERSION,
  });
  const kit: CallKit = {
    services,
    answers,
    visits,
    disk,
    ...(x402 && { x402 }),
    ...(mpp && { mpp }),
    limiter: createMemoryLimiter(),
    audit: createAudit(logger),
    durations: createDurations(),
    turns: new Map(),
    rates: ratesOf(config),
    addressFactor: config.ADDRESS_LIMIT_FACTOR,
    deadlineMs: config.TOOL_DEADLINE_MS,
    jobDeadlineMs: config.JOB_DEADLINE_MS,
  };
  const background = openBackground(config, { database, models: services.models, logger });
  const health = createHealth({ database, dataDir: config.DATA_DIR, disk });
  const http = openHttp(config, { kit, publicUrl, logger, health, background });
  const sweeping = startSweeping(chores, logger);
  void services.jobs.work((work) => runJob(kit, work));
  return {
    fetch: (request, env) => http.fetch(request, env),
    recordRefusedConnection: (address) =>
      kit.audit.recordRefusal({
        ...{ code: 'too_many_connections', status: 429, about: 'connections' },
        ...{ requestId: '', address },
      }),
    startFetching: () => background.start(),
    close: async () => {
      await background.stop();
      services.subjects.stop();
      await sweeping.stop();
      await services.jobs.close();
      await services.artworks.settle();
      await services.artworks.close();
      await services.pixels.close();
      await services.hashes.close();
      await database.close();
    },
  };
}

/** The database, which belongs to the folder of the settings. @throws Error where it does not */
async function ownDatabase(
  config: Config,
  data: Promise<ScriptableDatabase> | undefined,
): Promise<ScriptableDatabase> {
  const database = await (data ?? openData(config));
  const { DATA_DIR: dataDir, ADOPT_STORAGE: mayAdopt } = config;
  await requireSameStorage(database, { dataDir, mayAdopt }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  return database;
}

interface State {
  readonly health: Health;
  readonly background: Background;
}

interface Parts extends State {
  readonly kit: CallKit;
  readonly publicUrl: string;
  readonly logger: BaseLogger;
}

/** The ways in over HTTP. */
function openHttp(config: Config, { kit, publicUrl, logger, ...state }: Parts) {
  const report = (error: unknown, context: object) =>
    logger.error({ ...context, err: error }, 'a call failed');
  const known = { publicUrl, allowedOrigins: config.ALLOWED_ORIGINS };
  const mcpOptions = { ...known, version: VERSION, report };
  return createHttp({
    kit,
    operations: operationsOf(kit, state),
    mounts: {
      '/mcp': createMcp(kit, mcpOptions),
      ...(config.MCP_FIXTURES && { '/mcp-fixtures': createMcpFixtures(mcpOptions) }),
    },
    trustedProxies: config.TRUSTED_PROXIES,
    logger,
    pages: { ...known, isPrivate: isPrivate(config), isLoopback: isOnThisMachine(config) },
    report,
  });
}

/** Every operation, and the documents that describe them. */
function operationsOf({ services, rates }: CallKit, { health, background }: State) {
  const operations = [...allOperations, ...(services.payments.desk ? simulatedDesk : [])];
  const { site, catalogue } = services;
  const { ways } = catalogue;
  const { states: fetching } = background;
  const described = { tools, operations, site, version: VERSION, health, fetching, rates, ways };
  return [...operations, ...discoveryOperations(described)];
}

function ratesOf(config: Config): CallKit['rates'] {
  return {
    'free-tools': config.FREE_TOOLS_PER_HOUR,
    'paid-tools': config.PAID_TOOLS_PER_MINUTE,
    mcp: config.MCP_PER_MINUTE,
    registrations: config.REGISTRATIONS_PER_HOUR,
    'registrations-a-day': config.REGISTRATIONS_PER_DAY,
    'registrations-of-all': config.REGISTRATIONS_PER_DAY_OF_ALL,
    refusals: config.REFUSALS_PER_MINUTE,
    uploads: config.UPLOADS_PER_HOUR,
    'signed-requests': config.SIGNED_REQUESTS_PER_MINUTE,
    'cafe-posts': config.CAFE_POSTS_PER_DAY,
    'gallery-posts': config.GALLERY_POSTS_PER_DAY,
    'registry-signatures': config.REGISTRY_SIGNATURES_PER_DAY,
  };
}
