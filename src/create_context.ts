import { setTimeout as sleep } from 'node:timers/promises';
import { type BaseLogger, pino } from 'pino';
import type { Config } from './config/config.ts';
import { readProgram } from './config/program.ts';
import { createAudit, type RecordingAudit } from './core/audit/audit.ts';
import type { MaintenanceJobs } from './core/cleanup/start_cleanup.ts';
import { createLeases } from './core/cluster/leases/leases.ts';
import { watchMaintenance } from './core/cluster/maintenance/watch_maintenance.ts';
import { callsEnded } from './core/cluster/members/call_id.ts';
import { registerInCluster } from './core/cluster/members/members.ts';
import { startReleasing } from './core/cluster/members/release_calls.ts';
import { openCpuBudget } from './core/cpu_budget/cpu_budget.ts';
import { readClock } from './core/database/read_clock.ts';
import { createSignals, type Signals } from './core/database/signals.ts';
import type { ScriptableDatabase } from './core/database/types.ts';
import { logOutput } from './core/log/log_output.ts';
import { type LoggedWarning, recordWarnings } from './core/log/recent_warnings.ts';
import { openStorageQuotas } from './core/quotas/quotas.ts';
import { openLimiter } from './core/rate_limits/rate_limits.ts';
import { requireSameStorage } from './core/storage/binding/bind_storage.ts';
import { closeDataFolder } from './core/storage/blobs/data_folder.ts';
import type { Spool } from './core/storage/blobs/spool.ts';
import { bucketSettings, openStore } from './core/storage/objects/objects.ts';
import type { Store } from './core/storage/objects/types.ts';
import { observeDatabase, observeStore } from './core/telemetry/observers.ts';
import { openTelemetry } from './core/telemetry/telemetry.ts';
import type { Telemetry } from './core/telemetry/types.ts';
import { createServices } from './create_services.ts';
import { vectorSettings } from './features/artworks/semantic_search/open_vector_search.ts';
import { embeddingSettings } from './features/artworks/semantic_search/semantic_search.ts';
import { cardSettings, warnOfCards } from './features/billing/service.ts';
import { x402SettingsOf } from './features/billing/x402/x402.ts';
import { toolsOf } from './features/definitions/tools_of.ts';
import { visionSettings } from './features/enrichment/open_model.ts';
import { imageModelSettings } from './features/generation/settings.ts';
import { wantedOf } from './features/models/setup/open_background.ts';
import { providerSettings } from './features/operator/service.ts';
import { openData } from './features/operator/storage/open_data.ts';
import { voucherSettings } from './features/provenance/identity/identity.ts';
import { manifestCertificateOf, trustAnchorsOf } from './features/provenance/manifests/manifests.ts';
import { trustListOf } from './features/provenance/timestamps/timestamps.ts';
import { createDurations } from './pipeline/durations.ts';
import type { PipelineContext } from './pipeline/types.ts';

/** How long a stop waits for calls that continue after their connections were closed. */
const CALLS_END_MS = 10_000;

/** The version of this program; INTERFACE_VERSION is that of its interface. */
export const VERSION = readProgram().version;

export interface CreatedContext {
  readonly context: PipelineContext;
  readonly spool: Spool;
  readonly chores: MaintenanceJobs;
  readonly together: Coordination;
  readonly audit: RecordingAudit;
  readonly database: ScriptableDatabase;
  readonly store: Store;
  readonly logger: BaseLogger;
  /** Recent warnings and errors in the log of this process. */
  warnings(): readonly LoggedWarning[];
  /** Closes everything; call it when no call is running. */
  close(): Promise<void>;
}

interface ContextOptions {
  /** The database, if it is being opened already. */
  readonly data?: Promise<ScriptableDatabase> | undefined;
  /**
   * Other processes share the database, and this one coordinates with them: true for all but single calls of
   * the CLI.
   */
  readonly joinsCluster?: boolean;
}

/**
 * Creates the context of every process that runs tools, with or without interfaces: each service, built once.
 * @throws Error that names the wrong setting, or the resource that cannot be opened
 */
export async function createContext(
  config: Config,
  publicUrl: string,
  { data, joinsCluster = false }: ContextOptions = {},
): Promise<CreatedContext> {
  const { hooks, recent: warnings } = recordWarnings();
  const logger = pino({ level: config.LOG_LEVEL, hooks }, logOutput(process.stdout));
  requireSettings(config);
  warnOfCards(config, logger);
  const telemetry = await openTelemetry(config, { version: VERSION, logger });
  const database = observeDatabase(await (data ?? openData(config)), telemetry);
  const exposure = closeDataFolder(config.DATA_DIR);
  if (exposure) logger.warn(exposure);
  const { store: found, leave } = await joinCluster(config, { database, publicUrl, joinsCluster, logger });
  const store = observeStore(found, telemetry);
  const { quotas, signals, ...together } = createCoordination(database, logger);
  watchSignals(telemetry, signals);
  const cpu = openCpuBudget(config, telemetry);
  const parts = { database, signals, store, quotas, publicUrl, logger, telemetry, cpu, version: VERSION };
  const opened = await createServices(config, parts);
  const audit = createAudit(logger);
  const maintenance = await watchMaintenance(database);
  const context = contextOf(config, { ...opened, ...together, audit, maintenance, telemetry, cpu });
  const { services, chores } = opened;
  const stopReleasing = startReleasing(opened.releasing, {
    report: (error) => logger.warn({ err: error }, 'failed to release the holds of ended calls; will retry'),
  });
  const close = async () => {
    await Promise.race([callsEnded(), sleep(CALLS_END_MS, undefined, { ref: false })]);
    maintenance.stop();
    context.requestScopes.close();
    services.subjects.stop();
    await services.jobs.close();
    await services.webhooks.close();
    await services.artworks.settle();
    await services.pixels.close();
    await services.hashes.close();
    await together.close();
    await stopReleasing();
    await leave();
    // Before the database, so that the last report does not say that it is closed.
    await telemetry.close();
    await database.close();
  };
  return { context, spool: opened.spool, chores, together, audit, database, store, logger, warnings, close };
}

type Opened = Awaited<ReturnType<typeof createServices>>;
type Coordination = Omit<ReturnType<typeof createCoordination>, 'quotas' | 'signals'>;

type Watching = Pick<PipelineContext, 'audit' | 'maintenance' | 'telemetry' | 'cpu'>;

function contextOf(config: Config, opened: Opened & Coordination & Watching): PipelineContext {
  const { services, answers, requestScopes, disk, x402, signIns, mpp, limiter, others, ...watching } = opened;
  const { audit, maintenance, telemetry, cpu } = watching;
  return {
    services,
    answers,
    requestScopes,
    disk,
    cpu,
    limiter,
    audit,
    maintenance,
    telemetry,
    ...others,
    ...(x402 && { x402 }),
    ...(signIns && { signIns }),
    ...(mpp && { mpp }),
    durations: createDurations(),
    turns: new Map(),
    rates: ratesOf(config),
    addressFactor: config.ADDRESS_LIMIT_FACTOR,
    deadlineMs: config.TOOL_DEADLINE_MS,
    jobDeadlineMs: config.JOB_DEADLINE_MS,
  };
}

/**
 * Coordination of the processes of one database: counters and leases. `others` is empty for an embedded
 * database.
 */
function createCoordination(database: ScriptableDatabase, logger: BaseLogger) {
  const { limiter, ...calls } = openLimiter(database);
  const quotas = openStorageQuotas(database);
  const leases = createLeases(database);
  const isShared = database.kind === 'postgresql';
  const others = isShared ? { leases } : {};
  const clock = isShared ? () => readClock(database) : undefined;
  const sweeps = { limits: calls.sweep, quotas: quotas.sweep, leases: leases.sweep };
  const signals = createSignals(database, {
    onRefused: (error) =>
      logger.warn(
        { err: error },
        'PostgreSQL refused LISTEN: jobs of other processes start at the next poll',
      ),
  });
  const close = async () => void (await Promise.all([calls.close(), quotas.close(), signals.close()]));
  return { limiter, quotas, signals, leases, others, clock, close, sweeps };
}

/** Measures nothing if there is no other process. */
function watchSignals({ watch }: Pick<Telemetry, 'watch'>, signals: Signals): void {
  watch((tell) => {
    const isListening = signals.isListening();
    if (isListening !== undefined) tell('atelier_database_listening', {}, Number(isListening));
  });
}

interface Place {
  readonly database: ScriptableDatabase;
  readonly publicUrl: string;
  readonly joinsCluster: boolean;
  readonly logger: BaseLogger;
}

/**
 * Checks that the folder or bucket belongs to the database, and joins the cluster. Returns how to leave it.
 * @throws Error with the problem, once the database is closed
 */
async function joinCluster(
  config: Config,
  { database, publicUrl, joinsCluster, logger }: Place,
): Promise<{ store: Store; leave(): Promise<void> }> {
  try {
    const store = await openStore(config, database);
    const { DATA_DIR: dataDir, ADOPT_STORAGE: mayAdopt } = config;
    const probed = await store.remote?.probe();
    if (probed && !probed.keepsFirst)
      logger.warn(
        { storage: store.remote?.where },
        'the object store does not support conditional writes (If-None-Match): of two concurrent uploads to one link, the later one is kept',
      );
    await requireSameStorage(database, { dataDir, remote: store.remote, mayAdopt });
    const leave = await registerInCluster(config, { database, publicUrl, joinsCluster });
    return { store, leave };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function ratesOf(config: Config): PipelineContext['rates'] {
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

/** Checks of related settings, by feature. Each throws for its first problem. */
const SETTING_CHECKS: readonly ((config: Config) => unknown)[] = [
  bucketSettings,
  cardSettings,
  (config) => x402SettingsOf(config),
  visionSettings,
  imageModelSettings,
  embeddingSettings,
  vectorSettings,
  manifestCertificateOf,
  trustListOf,
  trustAnchorsOf,
  voucherSettings,
  providerSettings,
  wantedOf,
  ({ JOBS_HERE }) => toolsOf(JOBS_HERE, 'JOBS_HERE'),
];

/**
 * Checks all settings before anything is opened, so that all problems are reported together.
 * @throws Error with the problem of each feature
 */
export function requireSettings(config: Config): void {
  const problems = SETTING_CHECKS.flatMap((ask) => {
    try {
      ask(config);
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
  if (problems.length > 0) throw new Error(`Some settings need correcting:\n  ${problems.join('\n  ')}`);
}
