import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BaseLogger } from 'pino';
import type { CallKit } from './call/kit.ts';
import { workOnJobs } from './call/work_on_jobs.ts';
import type { Config } from './config.ts';
import type { ScriptableDatabase } from './database/contract.ts';
import { createHttp } from './http/index.ts';
import { loadEndpoint } from './mcp/load_endpoint.ts';
import { openKit, VERSION } from './open_kit.ts';
import { discoveryOperations } from './operations/discovery/index.ts';
import { operations as allOperations } from './operations/index.ts';
import { simulatedDesk } from './operations/payment/simulated_desk.ts';
import { isOnThisMachine, isPrivate } from './services/fetching/whereabouts.ts';
import type { Health } from './services/health/contract.ts';
import { createHealth } from './services/health/health.ts';
import { openBackground } from './services/setup/open_background.ts';
import type { Background } from './services/setup/pull_in_background.ts';
import { startSweeping } from './services/sweeping/start_sweeping.ts';
import { tools } from './tools/index.ts';
import { toolsOf } from './tools/tools_of.ts';

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
 * @param options `isServer`: others call it, and it has to agree with its neighbours
 */
export async function openApp(
  config: Config,
  publicUrl = 'http://127.0.0.1',
  { data, isServer = false }: { data?: Promise<ScriptableDatabase>; isServer?: boolean } = {},
): Promise<App> {
  const jobsHere = toolsOf(config.JOBS_HERE);
  const opened = await openKit(config, publicUrl, { data, isNeighbour: isServer });
  const { kit, chores, together, database, store, logger, close } = opened;
  const { services, disk } = kit;
  const { leases, clock, others } = together;
  const background = openBackground(config, { database, leases, models: services.models, logger });
  const health = createHealth({ database, store, dataDir: config.DATA_DIR, disk });
  const http = openHttp(config, { kit, publicUrl, logger, health, background });
  const shared = { ...chores.shared, ...together.sweeps };
  const sweeping = startSweeping({ ...chores, shared }, { ...others, clock, logger });
  if (jobsHere?.length !== 0) void workOnJobs(kit, jobsHere);
  services.webhooks.work();
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
      await sweeping.stop();
      await close();
    },
  };
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
    report,
  });
}

/** Every operation, and the documents that describe them. */
function operationsOf({ services, rates }: CallKit, { health, background }: State) {
  const operations = [...allOperations, ...(services.payments.desk ? simulatedDesk : [])];
  const { site, catalogue } = services;
  const { ways } = catalogue;
  const { states: fetching } = background;
  const waiting = () => services.jobs.waiting();
  const described = { tools, operations, site, version: VERSION, health, fetching, waiting, rates, ways };
  return [...operations, ...discoveryOperations(described)];
}
