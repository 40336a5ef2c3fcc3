import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BaseLogger } from 'pino';
import type { Config } from './config.ts';
import type { ScriptableDatabase } from './database/contract.ts';
import { createHttp } from './http/index.ts';
import { loadEndpoint } from './mcp/load_endpoint.ts';
import { openKit, VERSION } from './open_kit.ts';
import { discoveryOperations } from './operations/discovery/index.ts';
import { operations as allOperations } from './operations/index.ts';
import type { OperationCall } from './operations/operation.ts';
import { operatorOverview } from './operations/operator/overview.ts';
import { simulatedDesk } from './operations/payment/simulated_desk.ts';
import { processJobs } from './pipeline/jobs.ts';
import type { PipelineContext } from './pipeline/types.ts';
import { readProgram } from './program.ts';
import type { RememberingAudit } from './services/audit/contract.ts';
import { isOnThisMachine, isPrivate } from './services/fetching/whereabouts.ts';
import { createCanaryFlight } from './services/health/canary_flight.ts';
import type { EngineHealth, Health } from './services/health/contract.ts';
import { createHealth } from './services/health/health.ts';
import { openBackground } from './services/setup/open_background.ts';
import { openFetches } from './services/setup/open_fetches.ts';
import type { Background } from './services/setup/pull_in_background.ts';
import { startSweeping } from './services/sweeping/start_sweeping.ts';
import type { Reading } from './services/telemetry/contract.ts';
import { openReading } from './services/telemetry/open_reading.ts';
import { createKeptSearches } from './studio/collection/kept_searches.ts';
import { homePage } from './studio/home_page.ts';
import { createLiveFigures } from './studio/live_figures.ts';
import { refusedPage } from './studio/refused_page.ts';
import { showPage, studioOperations } from './studio/studio_operations.ts';
import { tools } from './tools/index.ts';
import { toolsOf } from './tools/tools_of.ts';

interface NodeExchange {
  incoming?: IncomingMessage;
  outgoing?: ServerResponse;
}

export interface App {
  /** Answers one request. `incoming` and `outgoing` are Node's own where there are any. */
  fetch(request: Request, env?: NodeExchange): Response | Promise<Response>;
  /** Writes an audit line about a connection that was refused, or evicted for a new one. */
  recordRefusedConnection(address: string, code: 'too_many_connections' | 'connection_evicted'): void;
  /** Begins to fetch what MODELS_PULL and MUSEUMS_PULL name and operators ask for: for a server, not for a single call. */
  startFetching(): void;
  /** From now on `/health` is 503, and everything else as before: whoever asks there sends calls elsewhere. */
  leave(): void;
  /** Closes everything; call it when no request is running. */
  close(): Promise<void>;
}

/**
 * Builds each service once, hands it over by name and wires the ways in. The only place that chooses implementations.
 * @param options `isServer`: others call it, and it has to agree with its neighbours
 */
export async function openApp(
  config: Config,
  publicUrl = 'http://127.0.0.1',
  { data, isServer = false }: { data?: Promise<ScriptableDatabase>; isServer?: boolean } = {},
): Promise<App> {
  const opened = await openKit(config, publicUrl, { data, isNeighbour: isServer });
  const { kit, chores, together, audit, database, store, logger, close } = opened;
  const { services, disk } = kit;
  const { leases, clock } = together;
  const jobsHere = toolsOf(config.JOBS_HERE, 'JOBS_HERE');
  const background = openBackground(config, { database, leases, models: services.models, logger });
  let asked: ReturnType<typeof openFetches> | undefined;
  const health = createHealth({ database, store, dataDir: config.DATA_DIR, disk });
  const metrics = openReading(config, { ...kit, database, store, health, version: VERSION });
  const engines = createCanaryFlight({
    ...services,
    report: (error, engine) => logger.error({ engine, err: error }, 'an engine failed its canary'),
  });
  const looked = { audit, health, engines, background, metrics };
  const http = openHttp(config, { kit, publicUrl, logger, ...looked });
  const shared = { ...chores.shared, ...together.sweeps };
  const sweeping = startSweeping({ ...chores, shared }, { leases, clock, logger });
  if (jobsHere?.length !== 0) void processJobs(kit, jobsHere);
  services.webhooks.work();
  return {
    fetch: (request, env) => http.fetch(request, env),
    recordRefusedConnection: (address, code) =>
      kit.audit.recordRefusal({ code, status: 429, about: 'connections', requestId: '', address }),
    startFetching: () => {
      background.start();
      asked ??= openFetches(config, { database, leases, logger });
    },
    leave: () => health.leave(),
    close: async () => {
      await Promise.all([background.stop(), asked?.stop()]);
      await sweeping.stop();
      await close();
    },
  };
}

interface State {
  readonly audit: RememberingAudit;
  readonly health: Health;
  readonly background: Background;
  readonly metrics: Reading;
  readonly engines: EngineHealth;
}

interface Parts extends State {
  readonly kit: PipelineContext;
  readonly publicUrl: string;
  readonly logger: BaseLogger;
}

/** The ways in over HTTP. */
function openHttp(config: Config, { kit, publicUrl, logger, ...state }: Parts) {
  const report = (error: unknown, context: object) =>
    logger.error({ ...context, err: error }, 'a call failed');
  const known = { publicUrl, allowedOrigins: config.ALLOWED_ORIGINS };
  const { studio, operations } = operationsOf(kit, { ...state, publicUrl });
  const mcpOptions = { ...known, version: VERSION, report };
  return createHttp({
    kit,
    operations,
    mounts: {
      '/mcp': loadEndpoint(async () => (await import('./mcp/index.ts')).createMcp(kit, mcpOptions)),
      ...(config.MCP_FIXTURES && {
        '/mcp-fixtures': loadEndpoint(async () =>
          (await import('./mcp/index.ts')).createMcpFixtures(mcpOptions),
        ),
      }),
    },
    trustedProxies: config.TRUSTED_PROXIES,
    logger,
    pages: { ...known, isPrivate: isPrivate(config), isLoopback: isOnThisMachine(config) },
    showProblem: (error, request) => refusedPage(studio, error, request),
    report,
  });
}

/** Every operation, the documents that describe them, and the pages for people. */
function operationsOf(
  kit: PipelineContext,
  { audit, health, engines, background, metrics, publicUrl }: State & { publicUrl: string },
) {
  const { services, rates } = kit;
  const { site, catalogue } = services;
  const { ways } = catalogue;
  const { states: fetching } = background;
  const waiting = () => services.jobs.waiting();
  const { maintenance } = kit;
  const { build } = readProgram();
  const state = { version: VERSION, build, health, fetching, waiting, maintenance };
  const operations = [
    ...allOperations,
    operatorOverview({ ...state, engines, cpu: kit.cpu, refusals: audit.recent }),
    ...(services.payments.desk ? simulatedDesk : []),
  ];
  const figures = createLiveFigures({ services, health });
  const searches = createKeptSearches();
  const started = { version: VERSION, startedAt: new Date() };
  const studio = { kit, tools, operations, publicUrl, figures, searches, ...started };
  const home = (call: OperationCall) => showPage(studio, homePage, {}, call);
  const described = { tools, operations, site, rates, ways, home, metrics, engines, ...state };
  return {
    studio,
    operations: [...operations, ...discoveryOperations(described), ...studioOperations(studio)],
  };
}
