import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BaseLogger } from 'pino';
import type { Config } from './config/config.ts';
import { readProgram } from './config/program.ts';
import type { RecordingAudit } from './core/audit/audit.ts';
import { startCleanup } from './core/cleanup/start_cleanup.ts';
import type { ScriptableDatabase } from './core/database/types.ts';
import type { LoggedWarning } from './core/log/recent_warnings.ts';
import { isOnThisMachine, isPrivate } from './core/outbound_http/public_address.ts';
import type { Spool } from './core/storage/blobs/spool.ts';
import type { Reading } from './core/telemetry/types.ts';
import { createContext, VERSION } from './create_context.ts';
import { simulatedDesk } from './features/billing/routes/simulated_desk.ts';
import type { OperationCall } from './features/definitions/operation.ts';
import { toolsOf } from './features/definitions/tools_of.ts';
import { discoveryOperations } from './features/discovery/routes/index.ts';
import { openBackground } from './features/models/setup/open_background.ts';
import { openFetches } from './features/models/setup/open_fetches.ts';
import type { Background } from './features/models/setup/pull_in_background.ts';
import { operations as allOperations } from './features/operations.ts';
import { createEngineSelfTest } from './features/operator/health/engine_self_test.ts';
import { createHealth, type EngineHealth, type Health } from './features/operator/health/health.ts';
import { type History, openHistory } from './features/operator/history/history.ts';
import { openReading } from './features/operator/metrics/open_reading.ts';
import { operatorHistory } from './features/operator/routes/history.ts';
import { operatorOverview } from './features/operator/routes/overview.ts';
import { createHttp } from './interfaces/http/index.ts';
import { loadEndpoint } from './interfaces/mcp/load_endpoint.ts';
import { createSearchCache } from './interfaces/web/collection/search_cache.ts';
import { homePage } from './interfaces/web/home_page.ts';
import { createLiveFigures } from './interfaces/web/live_figures.ts';
import { refusedPage } from './interfaces/web/refused_page.ts';
import { showPage, studioOperations } from './interfaces/web/studio_operations.ts';
import { processJobs } from './pipeline/jobs.ts';
import type { PipelineContext } from './pipeline/types.ts';

interface NodeExchange {
  incoming?: IncomingMessage;
  outgoing?: ServerResponse;
}

export interface App {
  /** Answers one request. `incoming` and `outgoing` are the objects of Node.js, if any. */
  fetch(request: Request, env?: NodeExchange): Response | Promise<Response>;
  /** Writes an audit line about a connection that was refused, or evicted for a new one. */
  recordRefusedConnection(address: string, code: 'too_many_connections' | 'connection_evicted'): void;
  /**
   * Starts downloading the models and museum data that MODELS_PULL, MUSEUMS_PULL and operators request. For a
   * server, not for a single call.
   * @returns a line for the operator: the missing models, their size and licences; undefined if none is
   * missing
   */
  startFetching(): Promise<string | undefined>;
  /**
   * From now on `/health` returns 503, and everything else works as before: load balancers send new calls
   * elsewhere.
   */
  leave(): void;
  /**
   * Ends event streams, which would delay the stop; their clients reconnect to another server. Later ones are
   * refused.
   */
  endStreams(): void;
  /** Closes everything; call it when no request is running. */
  close(): Promise<void>;
}

/**
 * Builds each service once, passes it by name and connects the interfaces. The only place that chooses
 * implementations.
 * @param options `isServer`: it serves clients, and coordinates with its peer servers
 */
export async function openApp(
  config: Config,
  publicUrl = 'http://127.0.0.1',
  { data, isServer = false }: { data?: Promise<ScriptableDatabase>; isServer?: boolean } = {},
): Promise<App> {
  const opened = await createContext(config, publicUrl, { data, joinsCluster: isServer });
  const { context, spool, chores, together, audit, database, store, logger, warnings, close } = opened;
  const { services, disk } = context;
  const { leases, clock } = together;
  const jobsHere = toolsOf(config.JOBS_HERE, 'JOBS_HERE');
  const background = openBackground(config, { database, leases, models: services.models, logger });
  let asked: ReturnType<typeof openFetches> | undefined;
  const health = createHealth({ database, store, dataDir: config.DATA_DIR, disk });
  const metrics = openReading(config, { ...context, database, store, health, background, version: VERSION });
  const engines = createEngineSelfTest({
    ...services,
    report: (error, engine) => logger.error({ engine, err: error }, 'an engine failed its self-test'),
  });
  const history = openHistory(config, { ...context, database, health });
  const looked = { audit, health, engines, background, metrics, history, warnings };
  const http = openHttp(config, { context, spool, publicUrl, logger, ...looked });
  const shared = { ...chores.shared, ...together.sweeps };
  const own = { ...chores.own, samples: (now: Date) => history.sample(now) };
  const sweeping = startCleanup({ own, shared }, { leases, clock, logger });
  if (jobsHere?.length !== 0) void processJobs(context, jobsHere);
  services.webhooks.work();
  return {
    fetch: (request, env) => http.fetch(request, env),
    recordRefusedConnection: (address, code) =>
      context.audit.recordRefusal({ code, status: 429, about: 'connections', requestId: '', address }),
    async startFetching() {
      const announcement = await background.announcement();
      background.start();
      asked ??= openFetches(config, { database, leases, logger });
      return announcement;
    },
    leave: () => health.leave(),
    endStreams: () => services.workspaces.close(),
    close: async () => {
      await Promise.all([background.stop(), asked?.stop()]);
      await sweeping.stop();
      await close();
    },
  };
}

interface State {
  readonly audit: RecordingAudit;
  readonly health: Health;
  readonly background: Background;
  readonly metrics: Reading;
  readonly engines: EngineHealth;
  readonly history: History;
  warnings(): readonly LoggedWarning[];
}

interface HttpDeps extends State {
  readonly context: PipelineContext;
  readonly spool: Spool;
  readonly publicUrl: string;
  readonly logger: BaseLogger;
}

/** The HTTP interfaces. */
function openHttp(config: Config, { context, spool, publicUrl, logger, ...state }: HttpDeps) {
  const report = (error: unknown, context: object) =>
    logger.error({ ...context, err: error }, 'a call failed');
  const known = { publicUrl, allowedOrigins: config.ALLOWED_ORIGINS };
  const { studio, operations } = operationsOf(context, { ...state, publicUrl });
  const mcpOptions = { ...known, version: VERSION, report };
  return createHttp({
    context,
    spool,
    operations,
    mounts: {
      '/mcp': loadEndpoint(async () =>
        (await import('./interfaces/mcp/index.ts')).createMcp(context, mcpOptions),
      ),
      ...(config.MCP_FIXTURES && {
        '/mcp-fixtures': loadEndpoint(async () =>
          (await import('./interfaces/mcp/index.ts')).createMcpFixtures(mcpOptions),
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

/** Every operation, the documents that describe them, and the web pages. */
function operationsOf(
  context: PipelineContext,
  {
    audit,
    health,
    engines,
    background,
    metrics,
    history,
    warnings,
    publicUrl,
  }: State & { publicUrl: string },
) {
  const { services, rates } = context;
  const { site, catalogue } = services;
  const { ways } = catalogue;
  const withPrices = <T extends object>(parts: T) => ({
    ...parts,
    get tools() {
      return catalogue.tools;
    },
    get priceRules() {
      return catalogue.priceRules;
    },
  });
  const waiting = () => services.jobs.waiting();
  const { maintenance } = context;
  const { build } = readProgram();
  const state = { version: VERSION, build, health, fetching: background, waiting, maintenance };
  const operations = [
    ...allOperations,
    operatorOverview({ ...state, engines, cpu: context.cpu, refusals: audit.recent }),
    operatorHistory({ history, warnings }),
    ...(services.payments.desk ? simulatedDesk : []),
  ];
  const figures = createLiveFigures({ services, health });
  const searches = createSearchCache();
  const started = { version: VERSION, startedAt: new Date() };
  const studio = withPrices({ context, operations, publicUrl, figures, searches, ...started });
  const home = (call: OperationCall) => showPage(studio, homePage, {}, call);
  const described = withPrices({ operations, site, rates, ways, home, metrics, engines, ...state });
  return {
    studio,
    operations: [...operations, ...discoveryOperations(described), ...studioOperations(studio)],
  };
}
