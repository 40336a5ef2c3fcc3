import type { Config } from '../../../config/config.ts';
import type { Database, Queryable, ScriptableDatabase } from '../../../core/database/types.ts';
import type { RequestScopes } from '../../../core/request_scope/request_scope.ts';
import type { Disk } from '../../../core/storage/blobs/disk.ts';
import type { Counted, Telemetry } from '../../../core/telemetry/types.ts';
import type { Services } from '../../services.ts';
import type { Health } from '../health/health.ts';
import { ALERT_RULES, type Evaluated, type Gauges } from './alert_rules.ts';
import { type Counters, quantile, readCounters } from './counters.ts';
import { HISTORY_MS, POINT_MS, POINTS_KEPT_MS, READINGS_MAX, SAMPLES_READ_MAX } from './limits.ts';

interface Observed {
  readonly database: ScriptableDatabase;
  readonly telemetry: Pick<Telemetry, 'counted'>;
  readonly services: Pick<Services, 'jobs' | 'wallets' | 'webhooks'>;
  readonly health: Pick<Health, 'check'>;
  readonly disk: Pick<Disk, 'spareBytes'>;
  readonly requestScopes: Pick<RequestScopes, 'heldBytes'>;
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
  { database, services, health, disk, requestScopes }: Observed,
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
    memoryShare: requestScopes.heldBytes() / bytesMax,
    connectionsWaiting: database.connections?.()?.waiting ?? 0,
  };
}

interface HistoryDeps {
  readonly database: Database;
  counted(): Counted;
  /** Current gauges of this server. */
  gauges(): Promise<Gauges>;
  /** Queued jobs of all servers. */
  queued(): Promise<number>;
}

interface Reading {
  readonly at: number;
  readonly counters: Counters;
}

/** Stores samples of this server in the database, and evaluates alerts on them. A minute without events adds no row. */
export function createHistory({ database, counted, gauges, queued }: HistoryDeps): History {
  const readings: Reading[] = [];
  const since = new Map<string, Date>();
  let alerts: readonly Alert[] = [];
  let kept: { readonly at: number; readonly points: Promise<readonly Point[]> } | undefined;

  const evaluate = async (now: Date): Promise<void> => {
    const seen: Evaluated = { gauges: await gauges(), increase: increaseOf(readings) };
    alerts = ALERT_RULES.flatMap(({ name, severity, minutes, test }) => {
      const summary = test(seen);
      if (summary === undefined) {
        since.delete(name);
        return [];
      }
      const began = since.get(name) ?? now;
      since.set(name, began);
      const isFiring = now.getTime() - began.getTime() >= minutes * 60_000;
      return [{ name, severity, summary, since: began, isFiring }];
    });
  };
  return {
    async sample(now) {
      const before = readings.at(-1);
      const counters = readCounters(counted());
      readings.push({ at: now.getTime(), counters });
      readings.splice(0, readings.length - READINGS_MAX);
      const sample = sampleOf(now, before?.counters, { counters, queued: await queued() });
      if (sample.requests > 0 || sample.queued > 0 || sample.credits > 0)
        await insertSample(database, sample);
      await evaluate(now);
      return deleteSamples(database, new Date(now.getTime() - HISTORY_MS - POINT_MS));
    },
    points(now) {
      if (kept && now.getTime() - kept.at < POINTS_KEPT_MS) return kept.points;
      const points = selectSamples(database, new Date(now.getTime() - HISTORY_MS)).then((samples) =>
        pointsOf(samples, now),
      );
      kept = { at: now.getTime(), points };
      points.catch(() => {
        kept = undefined;
      });
      return points;
    },
    alerts: () => alerts,
  };
}

function sampleOf(
  at: Date,
  before: Counters | undefined,
  { counters, queued }: { readonly counters: Counters; readonly queued: number },
): Sample {
  const since = (name: 'requests' | 'failed' | 'credits') => counters[name] - (before?.[name] ?? 0);
  return {
    at,
    requests: since('requests'),
    failed: since('failed'),
    latencies: counters.latencies.map((count, bucket) => count - (before?.latencies[bucket] ?? 0)),
    queued,
    credits: since('credits'),
  };
}

const increaseOf =
  (readings: readonly Reading[]): Evaluated['increase'] =>
  (counter, minutes) => {
    const last = readings.at(-1)!;
    const first = readings.find(({ at }) => at >= last.at - minutes * 60_000) ?? last;
    return last.counters[counter] - first.counters[counter];
  };

/** Sums samples of all servers by interval; queues are equal on all servers, so the longest counts. */
function pointsOf(samples: readonly Sample[], now: Date): readonly Point[] {
  const last = Math.floor(now.getTime() / POINT_MS);
  const count = HISTORY_MS / POINT_MS;
  const groups = Map.groupBy(samples, ({ at }) => Math.floor(at.getTime() / POINT_MS));
  return Array.from({ length: count }, (_, at) => {
    const interval = last - count + 1 + at;
    const group = groups.get(interval) ?? [];
    const sum = (name: 'requests' | 'failed' | 'credits') => group.reduce((all, one) => all + one[name], 0);
    const buckets = group.reduce<number[]>((all, { latencies }) => {
      for (const [bucket, number] of latencies.entries()) all[bucket] = (all[bucket] ?? 0) + number;
      return all;
    }, []);
    return {
      at: new Date(interval * POINT_MS),
      requests: sum('requests'),
      failed: sum('failed'),
      p95Seconds: quantile(buckets, 0.95),
      queued: Math.max(0, ...group.map(({ queued }) => queued)),
      credits: sum('credits'),
    };
  });
}

async function insertSample(database: Queryable, sample: Sample): Promise<void> {
  const { at, requests, failed, latencies, queued, credits } = sample;
  await database.query(
    `insert into server_samples (at, requests, failed, latencies, queued, credits) values ($1, $2, $3, $4, $5, $6)`,
    [at, requests, failed, latencies, queued, credits],
  );
}

/** The newest SAMPLES_READ_MAX samples, oldest first. */
async function selectSamples(database: Queryable, from: Date): Promise<readonly Sample[]> {
  const samples = await database.query<Sample>(
    `select at, requests, failed, latencies, queued, credits from server_samples
     where at >= $1 order by at desc limit $2`,
    [from, SAMPLES_READ_MAX],
  );
  return samples.reverse();
}

/** Returns the number deleted. */
async function deleteSamples(database: Queryable, before: Date): Promise<number> {
  const deleted = await database.query('delete from server_samples where at < $1 returning number', [before]);
  return deleted.length;
}

/** Figures of one server since its previous sample. */
interface Sample {
  readonly at: Date;
  readonly requests: number;
  /** Responses with status 500 and above, except 503. */
  readonly failed: number;
  /** Requests per bucket of `atelier_http_request_seconds`, not cumulative. */
  readonly latencies: readonly number[];
  /** Queued jobs of all servers. */
  readonly queued: number;
  /** Credits charged to wallets. */
  readonly credits: number;
}

/** Figures of all servers in one interval of the graphs. */
interface Point {
  /** Start of the interval. */
  readonly at: Date;
  readonly requests: number;
  readonly failed: number;
  /** 95th percentile of the response time; null without requests. */
  readonly p95Seconds: number | null;
  /** Longest queue in the interval. */
  readonly queued: number;
  readonly credits: number;
}

/** State of an alert of `deploy/monitoring/alerts.yml`, as far as the server evaluates it. */
interface Alert {
  readonly name: string;
  readonly severity: 'page' | 'ticket';
  /** Description of the problem, with its value. */
  readonly summary: string;
  readonly since: Date;
  /** Whether the condition has held for the time of the rule. */
  readonly isFiring: boolean;
}

export interface History {
  /** Adds a sample, evaluates the alerts and deletes old samples. Returns the number deleted. */
  sample(now: Date): Promise<number>;
  /** The last 24 hours in intervals, oldest first. */
  points(now: Date): Promise<readonly Point[]>;
  /** Alerts of this server, as of its last sample. */
  alerts(): readonly Alert[];
}
