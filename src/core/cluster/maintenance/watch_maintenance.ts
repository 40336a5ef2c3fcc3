import type { Queryable } from '../../database/types.ts';
import { MAINTENANCE_LOOK_MS } from './limits.ts';
import { selectState } from './store.ts';
import type { Maintenance, MaintenanceState } from './types.ts';

/**
 * Polls the maintenance state every few seconds. During a database outage the state stays as it was.
 * @param options `lookMs`: for tests
 */
export async function watchMaintenance(
  database: Queryable,
  { lookMs = MAINTENANCE_LOOK_MS } = {},
): Promise<Maintenance & { stop(): void }> {
  let state: MaintenanceState | undefined = await selectState(database);
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      state = await selectState(database);
    } catch {
      // Retried at the next poll.
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(look, lookMs).unref();
  return { current: () => state, stop: () => clearInterval(timer) };
}
