import { METRICS } from '../../../core/telemetry/metrics.ts';
import type { Counted, Series } from '../../../core/telemetry/types.ts';

/** Counters of this process since it started. */
export interface Counters {
  readonly requests: number;
  readonly failed: number;
  readonly latencies: readonly number[];
  readonly credits: number;
  readonly storageErrors: number;
  readonly databaseErrors: number;
  readonly damagedFiles: number;
  readonly damagedPages: number;
  readonly engineFailures: number;
  readonly engineRefusals: number;
}

const LATENCY_BUCKETS: readonly number[] = METRICS.atelier_http_request_seconds.buckets;

export function readCounters(counted: Counted): Counters {
  const of = (name: keyof typeof METRICS): readonly Series[] => counted.get(name) ?? [];
  const sum = (name: keyof typeof METRICS, isMeant: (label: string) => boolean = () => true, label = 0) =>
    of(name).reduce((all, { labels, value }) => all + (isMeant(labels[label] ?? '') ? value : 0), 0);
  const latencies = Array.from({ length: LATENCY_BUCKETS.length + 1 }, () => 0);
  for (const { counts } of of('atelier_http_request_seconds'))
    for (const [at, count] of counts.entries()) latencies[at] = (latencies[at] ?? 0) + (count ?? 0);
  const status = METRICS.atelier_http_requests_total.labels.indexOf('status');
  const outcome = METRICS.atelier_engine_runs_total.labels.indexOf('outcome');
  return {
    requests: sum('atelier_http_requests_total'),
    failed: sum('atelier_http_requests_total', (code) => /^5/.test(code) && code !== '503', status),
    latencies,
    credits: sum('atelier_credits_charged_total'),
    storageErrors: sum('atelier_storage_errors_total'),
    databaseErrors: sum('atelier_database_errors_total', (kind) =>
      /^(unavailable|timeout|other)$/.test(kind),
    ),
    damagedFiles: sum('atelier_stored_files_damaged_total'),
    damagedPages: sum('atelier_database_errors_total', (kind) => kind === 'damaged'),
    engineFailures: sum('atelier_engine_runs_total', (one) => one === 'failed', outcome),
    engineRefusals: sum('atelier_engine_runs_total', (one) => one === 'busy', outcome),
  };
}

/**
 * The `q` quantile in seconds, interpolated within its bucket as Prometheus does; null without observations.
 * @param q fraction, such as 0.95
 */
export function quantile(counts: readonly number[], q: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = q * total;
  let below = 0;
  for (const [at, bound] of LATENCY_BUCKETS.entries()) {
    const count = counts[at] ?? 0;
    if (below + count >= rank && count > 0) {
      const from = at === 0 ? 0 : LATENCY_BUCKETS[at - 1]!;
      return from + ((rank - below) / count) * (bound - from);
    }
    below += count;
  }
  return LATENCY_BUCKETS.at(-1)!;
}
