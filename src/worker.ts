import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Config } from './config/config.ts';
import { readProgram } from './config/program.ts';
import { startCleanup } from './core/cleanup/start_cleanup.ts';
import { ERRORS } from './core/errors/codes.ts';
import type { Reading } from './core/telemetry/types.ts';
import { type CreatedContext, createContext, VERSION } from './create_context.ts';
import { toolsOf } from './features/definitions/tools_of.ts';
import { createHealth } from './features/operator/health/health.ts';
import { openReading } from './features/operator/metrics/open_reading.ts';
import type { Operators } from './features/operator/types.ts';
import { normaliseAddress } from './interfaces/http/request.ts';
import { findDegradedTools, processJobs } from './pipeline/jobs.ts';

/** Interval of status log lines. */
const REPORT_MS = 60_000;

export interface JobWorker {
  /** URL of the health endpoint; undefined if WORKER_HEALTH_PORT is 0. */
  readonly healthUrl: string | undefined;
  /** Stops claiming jobs, requeues the running ones and closes all resources. */
  stop(): Promise<void>;
}

/**
 * Runs jobs only: serves no API and runs only the maintenance jobs of its own process. Shares the database and the stored files with the servers
 * that accept the jobs. Image-processing workers and models start with the first job that needs them. See docs/operating/workers.md.
 * @throws Error if the settings do not allow a worker, or a model of a listed tool is missing
 */
export async function startWorker(config: Config): Promise<JobWorker> {
  const tools = toolsOf(config.WORKER_TOOLS, '--tools (WORKER_TOOLS)');
  if (!config.DATABASE_URL)
    throw new Error(
      'A worker needs the PostgreSQL database of the servers that accept jobs. Set DATABASE_URL to it. A server with the embedded database runs its jobs itself.',
    );
  if (!config.PUBLIC_URL)
    throw new Error('A worker writes links into results. Set PUBLIC_URL to the public URL of the servers.');
  const opened = await createContext(config, config.PUBLIC_URL.replace(/\/+$/, ''), { joinsCluster: true });
  try {
    const lacks = await findDegradedTools(opened.context, tools);
    if (tools && lacks.length > 0) throw new Error(lackOf(lacks));
    await processJobs(opened.context, tools);
    return await listen(config, opened, { tools: tools ?? 'all', lacks: lacks.map(({ tool }) => tool) });
  } catch (error) {
    await opened.close();
    throw error;
  }
}

const lackOf = (lacks: readonly { tool: string; reason: string }[]): string =>
  `This worker cannot run jobs of ${lacks.map(({ tool }) => tool).join(' and ')}: ${lacks[0]!.reason} Install the missing model, or remove the tool from --tools.`;

interface Offer {
  readonly tools: readonly string[] | 'all';
  readonly lacks: readonly string[];
}

async function listen(
  config: Config,
  { context, chores, database, store, logger, close }: CreatedContext,
  offer: Offer,
): Promise<JobWorker> {
  const { jobs } = context.services;
  const { build } = readProgram();
  const health = createHealth({ database, store, dataDir: config.DATA_DIR, disk: context.disk });
  const state = async () => {
    const checks = await health.check();
    const isWell = Object.values(checks).every(Boolean);
    return {
      status: isWell ? 'ok' : 'failed',
      worker: { ...offer, running: jobs.running(), places: config.JOBS_AT_ONCE },
      checks,
      version: VERSION,
      build,
      uptime_s: Math.floor(process.uptime()),
    };
  };
  // Servers run the shared maintenance jobs; only this process cleans up its own folders.
  const sweeping = startCleanup({ own: chores.own, shared: {} }, { logger });
  const timer = setInterval(async () => logger.info(await state(), 'worker status'), REPORT_MS).unref();
  const background = { fractions: () => ({}) };
  const reading = openReading(config, { ...context, database, store, health, background, version: VERSION });
  const server = createServer(async (request, response) => {
    if (request.url === '/metrics')
      return answerMetrics({ ...reading, operators: context.services.operators }, request, response);
    const body = await state();
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
    response.writeHead(body.status === 'ok' ? 200 : 503, headers).end(JSON.stringify(body));
  });
  const { WORKER_HEALTH_PORT: port, HOST: host } = config;
  if (port > 0)
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) =>
        reject(new Error(`WORKER_HEALTH_PORT ${port} cannot be used: ${error.message}.`)),
      );
      server.listen(port, host, resolve);
    });
  logger.info(await state(), 'worker started');
  return {
    healthUrl: port > 0 ? `http://${host}:${port}` : undefined,
    async stop() {
      clearInterval(timer);
      server.close();
      server.closeAllConnections();
      await sweeping.stop();
      await close();
    },
  };
}

/** A worker has no request pipeline, so it reads both headers itself. */
async function answerMetrics(
  { mayRead, exposition, operators }: Reading & { readonly operators: Operators },
  { headers, socket }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, bearer] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  const header = (name: string) => headers[name]?.toString();
  const reader = { address: normaliseAddress(socket.remoteAddress ?? ''), bearer, header };
  if (!mayRead(reader) && !(await mayOperatorRead(operators, bearer))) {
    response.writeHead(403, { 'Content-Type': 'text/plain' }).end(`${ERRORS.operator_only.fix}\n`);
    return;
  }
  const { text, contentType } = await exposition();
  response.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(text);
}

/** Also false if the check fails: Prometheus scrapes again. */
const mayOperatorRead = async (operators: Operators, bearer: string | undefined): Promise<boolean> =>
  bearer !== undefined &&
  operators.identify(bearer).then(
    ({ scopes }) => scopes.includes('read'),
    () => false,
  );
