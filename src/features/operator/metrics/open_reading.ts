import { createHash, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../../config/config.ts';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import { measureTables } from '../../../core/database/measure_tables.ts';
import type { ScriptableDatabase } from '../../../core/database/types.ts';
import { isPrivate, isPublicAddress } from '../../../core/outbound_http/public_address.ts';
import type { RequestScopes } from '../../../core/request_scope/request_scope.ts';
import type { Disk } from '../../../core/storage/blobs/disk.ts';
import type { Store } from '../../../core/storage/objects/types.ts';
import type { Reader, Reading, SetMetric, Telemetry } from '../../../core/telemetry/types.ts';
import { residentBytes } from '../../../core/workers/process_pool.ts';
import type { Background } from '../../models/setup/pull_in_background.ts';
import type { Services } from '../../services.ts';
import type { Health } from '../health/health.ts';

/** The metrics of this process and its services, for permitted readers. */
export function openReading(
  config: Config,
  { telemetry, ...described }: Omit<Described, 'limits'> & { readonly telemetry: Telemetry },
): Reading {
  const { PIXELS_IN_FLIGHT_MAX: pixelsInFlight, BYTES_IN_MEMORY_MAX: bytesInMemory } = config;
  describeService(telemetry, { ...described, limits: { pixelsInFlight, bytesInMemory } });
  return { mayRead: createAccessCheck(config), exposition: telemetry.exposition };
}

/**
 * Access for clients with the token. Without a token: clients on this machine or its private network that are not behind a proxy,
 * while the server is not on the internet. Behind a local proxy, every external client would have a local address.
 */
function createAccessCheck(config: Config): Reading['mayRead'] {
  const { METRICS_TOKEN: token } = config;
  if (token !== undefined) return ({ bearer = '' }) => timingSafeEqual(digestOf(bearer), digestOf(token));
  const isOpen = isPrivate(config);
  return (reader) => isOpen && !isForwarded(reader) && !isPublicAddress(reader.address);
}

/** Headers by which proxies mark a forwarded request. */
const isForwarded = ({ header }: Reader): boolean =>
  ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => header(name) !== undefined);

/** Equal length for the constant-time comparison. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

interface Described {
  readonly services: Pick<Services, 'pixels' | 'jobs' | 'wallets' | 'webhooks' | 'models'>;
  readonly database: ScriptableDatabase;
  readonly store: Pick<Store, 'remote'>;
  readonly health: Health;
  readonly disk: Pick<Disk, 'spareBytes'>;
  readonly requestScopes: Pick<RequestScopes, 'heldBytes'>;
  readonly background: Pick<Background, 'fractions'>;
  readonly version: string;
  /** Configured limits. */
  readonly limits: { readonly pixelsInFlight: number; readonly bytesInMemory: number };
}

/** Exposes gauges of the components of this process, and of queue, holds and webhooks in the database. */
function describeService({ watch }: Pick<Telemetry, 'watch'>, described: Described): void {
  const { services, database, store, health, disk, requestScopes, background, version, limits } = described;
  const storage = store.remote ? 'bucket' : 'files';
  watch((tell) => {
    tell('atelier_info', { version, database: database.kind, storage }, 1);
    tell('atelier_jobs_running', {}, services.jobs.running());
    tell('atelier_pixels_in_flight_max', {}, limits.pixelsInFlight);
    tell('atelier_memory_held_max_bytes', {}, limits.bytesInMemory);
    tell('atelier_memory_held_bytes', {}, requestScopes.heldBytes());
    tellPixels(tell, services);
    tellConnections(tell, database);
  });
  watch(async (tell) => tell('atelier_disk_spare_bytes', {}, await disk.spareBytes()));
  watch(async (tell) => {
    const checks = Object.entries(await health.check());
    for (const [check, isWell] of checks) tell('atelier_health', { check }, Number(isWell));
    tell('atelier_database_up', {}, Number(checks.some(([check, isWell]) => check === 'database' && isWell)));
  });
  watch(async (tell) => {
    for (const { name: model, installed } of await services.models.list())
      tell('atelier_model_installed', { model }, Number(installed !== undefined));
    for (const [model, fraction] of Object.entries(background.fractions()))
      tell('atelier_model_fetched_ratio', { model }, fraction);
  });
  if (database.kind === 'postgresql') watch((tell) => tellTables(tell, database));
  for (const tellShared of [tellJobs, tellHolds, tellWebhooks]) watch((tell) => tellShared(tell, services));
}

function tellPixels(tell: SetMetric, { pixels }: Described['services']): void {
  const { running, waiting, pixelsInFlight } = pixels.load;
  tell('atelier_pixels_in_flight', {}, pixelsInFlight);
  tell('atelier_pixel_work', { state: 'running' }, running);
  tell('atelier_pixel_work', { state: 'waiting' }, waiting);
  for (const [length, { runs, cpuSeconds }] of Object.entries(pixels.queue)) {
    tell('atelier_engine_runs_waiting', { length }, runs);
    tell('atelier_engine_cpu_seconds_waiting', { length }, cpuSeconds);
  }
  tell('atelier_pixel_processes', {}, pixels.pids.length);
  const bytes = pixels.pids.reduce((sum, pid) => sum + residentBytes(pid), 0);
  tell('atelier_pixel_processes_memory_bytes', {}, bytes);
}

function tellConnections(tell: SetMetric, database: ScriptableDatabase): void {
  const found = database.connections?.();
  if (!found) return;
  tell('atelier_database_connections', { state: 'busy' }, found.busy);
  tell('atelier_database_connections', { state: 'idle' }, found.idle);
  tell('atelier_database_connections', { state: 'waiting' }, found.waiting);
  tell('atelier_database_connections_max', {}, found.max);
}

async function tellTables(tell: SetMetric, database: ScriptableDatabase): Promise<void> {
  for (const { table, live, dead, bytes } of await measureTables(database)) {
    tell('atelier_table_rows', { table, state: 'live' }, live);
    tell('atelier_table_rows', { table, state: 'dead' }, dead);
    tell('atelier_table_bytes', { table }, bytes);
  }
}

async function tellJobs(tell: SetMetric, { jobs }: Described['services']): Promise<void> {
  for (const { tool, count, oldestSeconds } of await jobs.waiting()) {
    tell('atelier_jobs_waiting', { tool }, count);
    tell('atelier_jobs_oldest_seconds', { tool }, oldestSeconds);
  }
}

async function tellHolds(tell: SetMetric, { wallets }: Described['services']): Promise<void> {
  const { open, overdue, held } = await wallets.openHolds();
  tell('atelier_holds_open', {}, open);
  tell('atelier_holds_overdue', {}, overdue);
  tell('atelier_credits_held', {}, held / MILLICREDITS_PER_CREDIT);
}

async function tellWebhooks(tell: SetMetric, { webhooks }: Described['services']): Promise<void> {
  const { pending, overdueSeconds, active, failing, disabled } = await webhooks.backlog();
  tell('atelier_webhook_deliveries_pending', {}, pending);
  tell('atelier_webhook_overdue_seconds', {}, overdueSeconds);
  tell('atelier_webhook_endpoints', { state: 'active' }, active);
  tell('atelier_webhook_endpoints', { state: 'failing' }, failing);
  tell('atelier_webhook_endpoints', { state: 'disabled' }, disabled);
}
