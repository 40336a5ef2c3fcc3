import type { Config } from '../../../config/config.ts';
import type { MaintenanceSwitch } from '../../../core/cluster/maintenance/types.ts';
import {
  deleteState,
  MAINTENANCE_WHY_CHARACTERS_MAX,
  saveState,
  selectState,
} from '../../../core/cluster/maintenance/watch_maintenance.ts';
import { countAll } from '../../../core/queue/store.ts';
import { openData } from '../storage/open_data.ts';

/** Maintenance of the configured database, also while servers run. */
export async function openMaintenance(config: Config): Promise<MaintenanceSwitch> {
  const database = await openData(config, { mayJoin: true });
  return {
    state: () => selectState(database),
    begin: (why) => saveState(database, why && checked(why)),
    end: () => deleteState(database),
    liveJobs: () => countAll(database),
    close: () => database.close(),
  };
}

/** Validates a reason. @throws Error */
function checked(why: string): string {
  const text = why.trim();
  if (text !== '' && text.length <= MAINTENANCE_WHY_CHARACTERS_MAX) return text;
  throw new Error(`The reason must have 1 to ${MAINTENANCE_WHY_CHARACTERS_MAX} characters.`);
}
