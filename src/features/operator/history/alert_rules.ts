import type { Counters } from './counters.ts';

/** Gauges at the time of a sample. */
export interface Gauges {
  /** Health checks by name. */
  readonly checks: Readonly<Record<string, boolean>>;
  readonly jobsWaiting: readonly { readonly tool: string; readonly oldestSeconds: number }[];
  readonly holdsOverdue: number;
  readonly webhooksOverdueSeconds: number;
  readonly spareDiskBytes: number;
  /** Share of the memory for bodies, images and responses. */
  readonly memoryShare: number;
  readonly connectionsWaiting: number;
}

export interface Evaluated {
  readonly gauges: Gauges;
  /** Increase of a counter over the last `minutes`. */
  increase(counter: Exclude<keyof Counters, 'latencies'>, minutes: number): number;
}

interface Rule {
  readonly name: string;
  readonly severity: 'page' | 'ticket';
  /** Minutes for which the condition must hold before the alert fires. */
  readonly minutes: number;
  /** Description of the problem; undefined: none. */
  test(seen: Evaluated): string | undefined;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const minutes = (seconds: number): string => `${Math.round(seconds / 60)} min`;

/** Tests whether a counter has grown by more than this per second over ten minutes. */
const fasterThan =
  (perSecond: number, counter: Parameters<Evaluated['increase']>[0], wording: string): Rule['test'] =>
  ({ increase }) => {
    const count = increase(counter, 10);
    return count / 600 > perSecond ? `${count} ${wording} in 10 minutes.` : undefined;
  };

/**
 * The rules of `deploy/monitoring/alerts.yml` that a server can evaluate by itself, with the same names, severities and bounds. The
 * other rules need metrics of Prometheus itself, such as whether a server is down.
 */
export const ALERT_RULES: readonly Rule[] = [
  {
    name: 'AtelierUnhealthy',
    severity: 'page',
    minutes: 2,
    test: ({ gauges }) => {
      const failing = Object.entries(gauges.checks).flatMap(([name, isWell]) => (isWell ? [] : [name]));
      return failing.length > 0 ? `Health checks fail: ${failing.join(', ')}.` : undefined;
    },
  },
  {
    name: 'AtelierHighErrorRate',
    severity: 'page',
    minutes: 5,
    test: ({ increase }) => {
      const share = increase('failed', 10) / Math.max(1, increase('requests', 10));
      return share > 0.01 ? `${percent(share)} of requests fail.` : undefined;
    },
  },
  {
    name: 'AtelierEngineFails',
    severity: 'ticket',
    minutes: 0,
    test: ({ increase }) => {
      const failures = increase('engineFailures', 15);
      return failures > 5 ? `Image engines failed ${failures} times in 15 minutes.` : undefined;
    },
  },
  {
    name: 'AtelierSaturated',
    severity: 'ticket',
    minutes: 10,
    test: fasterThan(0.1, 'engineRefusals', 'calls were rejected for lack of capacity'),
  },
  {
    name: 'AtelierQueueDelay',
    severity: 'ticket',
    minutes: 5,
    test: ({ gauges }) => {
      const [oldest] = gauges.jobsWaiting.toSorted((a, b) => b.oldestSeconds - a.oldestSeconds);
      return oldest && oldest.oldestSeconds > 900
        ? `Oldest queued ${oldest.tool} job has waited ${minutes(oldest.oldestSeconds)}.`
        : undefined;
    },
  },
  {
    name: 'AtelierHoldsOverdue',
    severity: 'ticket',
    minutes: 10,
    test: ({ gauges: { holdsOverdue: count } }) =>
      count > 0
        ? `${count} expired credit holds were not released. Affected wallets cannot spend those credits.`
        : undefined,
  },
  {
    name: 'AtelierDatabaseErrors',
    severity: 'ticket',
    minutes: 5,
    test: fasterThan(0.1, 'databaseErrors', 'database statements failed'),
  },
  {
    name: 'AtelierConnectionsTaken',
    severity: 'ticket',
    minutes: 5,
    test: ({ gauges: { connectionsWaiting: count } }) =>
      count > 0 ? `${count} statements wait for a database connection.` : undefined,
  },
  {
    name: 'AtelierStorageFails',
    severity: 'ticket',
    minutes: 5,
    test: fasterThan(0.05, 'storageErrors', 'storage operations failed'),
  },
  {
    name: 'AtelierStoredFileDamaged',
    severity: 'ticket',
    minutes: 0,
    test: ({ increase }) =>
      increase('damagedFiles', 60) > 0
        ? 'Stored files are damaged or missing. Restore them from a backup.'
        : undefined,
  },
  {
    name: 'AtelierDatabaseDamaged',
    severity: 'page',
    minutes: 0,
    test: ({ increase }) =>
      increase('damagedPages', 60) > 0
        ? 'The database has damaged pages. Restore it from a backup.'
        : undefined,
  },
  {
    name: 'AtelierDiskFillsUp',
    severity: 'ticket',
    minutes: 30,
    test: ({ gauges: { spareDiskBytes: bytes } }) =>
      bytes < 2e9 ? `${(bytes / 1e9).toFixed(1)} GB of disk space is left for files.` : undefined,
  },
  {
    name: 'AtelierMemoryTaken',
    severity: 'ticket',
    minutes: 10,
    test: ({ gauges: { memoryShare: share } }) =>
      share > 0.9 ? `Requests and images use ${percent(share)} of their memory budget.` : undefined,
  },
  {
    name: 'AtelierWebhooksLate',
    severity: 'ticket',
    minutes: 10,
    test: ({ gauges: { webhooksOverdueSeconds: seconds } }) =>
      seconds > 600 ? `The oldest webhook delivery is ${minutes(seconds)} late.` : undefined,
  },
];
