import type { Config } from '../../../config/config.ts';
import type { ScriptableDatabase } from '../../../core/database/types.ts';
import type { Visits } from '../../../core/request_scope/visits.ts';
import type { Disk } from '../../../core/storage/disk/disk.ts';
import type { Telemetry } from '../../../core/telemetry/types.ts';
import type { Services } from '../../services.ts';
import type { Health } from '../health/health.ts';
import type { Gauges } from './alert_rules.ts';
import { createHistory, type History } from './history.ts';

interface Observed {
  readonly database: ScriptableDatabase;
  readonly telemetry: Pick<Telemetry, 'counted'>;
  readonly services: Pick<Services, 'jobs' | 'wallets' | 'webhooks'>;
  readonly health: Pick<Health, 'check'>;
  readonly disk: Pick<Disk, 'spareBytes'>;
  readonly visits: Pick<Visits, 'heldBytes'>;
}

/** The history of this server. */
export function openHistory(config: Config, observed: Observed): History {
  const { database, telemetry, services } = observed;
  return createHistory({
    database,
    counted: telemetry.counted,
    gauges: () => readGauges(config, observed),
    queued: async () => (await services.jobs.waiting()).reduce((sum, { count }) => sum + count, 0),
  });
}

async function readGauges(
  { BYTES_IN_MEMORY_MAX: bytesMax }: Config,
  { database, services, health, disk, visits }: Observed,
): Promise<Gauges> {
  const [checks, jobsWaiting, holds, webhooks, spareDiskBytes] = await Promise.all([
    health.check(),
    services.jobs.waiting(),
    services.wallets.openHolds(),
    services.webhooks.backlog(),
    disk.spareBytes(),
  ]);
  return {
    checks: Object.fromEntries(Object.entries(checks).map(([name, isWell]) => [name, isWell !== false])),
    jobsWaiting,
    holdsOverdue: holds.overdue,
    webhooksOverdueSeconds: webhooks.overdueSeconds,
    spareDiskBytes,
    memoryShare: visits.heldBytes() / bytesMax,
    connectionsWaiting: database.connections?.()?.waiting ?? 0,
  };
}
