import type { Queryable } from '../database/types.ts';
import { JOB_REPORT_MS } from './limits.ts';
import * as store from './run_store.ts';

/** After so many quiet seconds it is written all the same: the job may have been canceled elsewhere, or be taken for a dead one. */
const QUIET_TICKS_MAX = 3;

/**
 * Writes the progress of a run down, once a second at most, and with it that the run goes on. `onLost` is called when the job is no longer this run's; a database
 * that does not answer for a moment is no news.
 */
export function startReporting(
  { database, leaseMs }: { database: Queryable; leaseMs: number },
  run: store.Run,
  onLost: () => void,
): { show(progress: number, message: string): void; end(): Promise<void> } {
  let latest = { progress: 0, message: '' };
  let written = latest;
  let quietTicks = 0;
  let writing: Promise<void> | undefined;
  const write = async () => {
    written = latest;
    quietTicks = 0;
    const isOurs = await store.report(database, run, { ...written, leaseMs }).catch(() => true);
    if (!isOurs) onLost();
  };
  const timer = setInterval(() => {
    quietTicks += 1;
    if (writing || (latest === written && quietTicks < QUIET_TICKS_MAX)) return;
    writing = write().finally(() => {
      writing = undefined;
    });
  }, JOB_REPORT_MS);
  return {
    show(progress, message) {
      latest = { progress: Math.min(1, Math.max(0, progress)) || 0, message: message.slice(0, 200) };
    },
    async end() {
      clearInterval(timer);
      await writing;
    },
  };
}
