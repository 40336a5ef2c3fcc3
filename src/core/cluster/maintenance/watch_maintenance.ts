import type { Queryable } from '../../database/types.ts';
import type { Maintenance, MaintenanceState } from './types.ts';

/**
 * Polls the maintenance state every few seconds. During a database outage the state stays as it was.
 * @param options `lookMs`: for tests
 */
export async function watchMaintenance(
  database: Queryable,
  { lookMs = MAINTENANCE_POLL_MS } = {},
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

/** The stored maintenance state; undefined outside of maintenance. */
export async function selectState(database: Queryable): Promise<MaintenanceState | undefined> {
  const [row] = await database.query<{ since: Date; why: string | null }>(
    'select since, why from maintenance',
  );
  return row && { since: row.since, ...(row.why !== null && { why: row.why }) };
}

export async function saveState(database: Queryable, why: string | undefined): Promise<void> {
  await database.query(
    'insert into maintenance (why) values ($1) on conflict (only_row) do update set why = excluded.why',
    [why ?? null],
  );
}

/** False if there was no state. */
export async function deleteState(database: Queryable): Promise<boolean> {
  return (await database.query('delete from maintenance returning 1')).length > 0;
}

/** Poll interval of the maintenance state. */
const MAINTENANCE_POLL_MS = 2_000;
/** Retry-After during maintenance. */
export const MAINTENANCE_RETRY_SECONDS = 30;
export const MAINTENANCE_WHY_CHARACTERS_MAX = 300;
