import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { createMeter } from '../../../core/telemetry/create_telemetry.ts';
import { ALERT_RULES, type Gauges } from './alert_rules.ts';
import { quantile } from './counters.ts';
import { createHistory } from './history.ts';

const WELL: Gauges = {
  checks: { database: true },
  jobsWaiting: [],
  holdsOverdue: 0,
  webhooksOverdueSeconds: 0,
  spareDiskBytes: 1e12,
  memoryShare: 0,
  connectionsWaiting: 0,
};
const START = new Date('2026-11-26T12:00:00Z');
const after = (minutes: number) => new Date(START.getTime() + minutes * 60_000);

test('alert names, severities and durations match the Prometheus rules', () => {
  const rules = readFileSync(
    resolve(import.meta.dirname, '../../../../deploy/monitoring/alerts.yml'),
    'utf8',
  );
  const ofPrometheus = new Map(
    rules.split('- alert: ').flatMap((rule) => {
      const name = /^\w+/.exec(rule)?.[0];
      const minutes = Number(/for: (\d+)m/.exec(rule)?.[1] ?? 0);
      return name ? [[name, `${/severity: (\w+)/.exec(rule)?.[1]} ${minutes}`] as const] : [];
    }),
  );
  for (const { name, severity, minutes } of ALERT_RULES)
    expect([name, ofPrometheus.get(name)]).toEqual([name, `${severity} ${minutes}`]);
});

test('a percentile lies within the bucket of its observation', () => {
  const counts = [0, 0, 90, 0, 0, 10];
  expect(quantile([], 0.95)).toBeNull();
  expect(quantile(counts, 0.5)).toBeCloseTo(0.01 + (50 / 90) * 0.015, 4);
  expect(quantile(counts, 0.95)).toBeCloseTo(0.1 + 0.5 * 0.15, 4);
});

forEachDatabase((_name, open) => {
  const opened = async () => {
    const database = await open();
    const meter = createMeter();
    let gauges = WELL;
    const deps = {
      database,
      counted: meter.counted,
      gauges: async () => gauges,
      queued: async () => 2,
    };
    return {
      meter,
      deps,
      history: createHistory(deps),
      see: (more: Partial<Gauges>) => (gauges = { ...WELL, ...more }),
    };
  };
  const count = ({ meter }: Awaited<ReturnType<typeof opened>>, status: string, seconds: number) => {
    meter.count('atelier_http_requests_total', { method: 'GET', route: '/', status });
    meter.observe('atelier_http_request_seconds', { route: '/' }, seconds);
  };

  test('points hold the change between two samples and survive a restart', async () => {
    const world = await opened();
    for (let call = 0; call < 3; call += 1) count(world, '200', 0.02);
    await world.history.sample(START);
    count(world, '500', 0.2);
    count(world, '503', 0.2);
    world.meter.count('atelier_credits_charged_total', { tool: 'upscale_image' }, 2);
    await world.history.sample(after(20));
    const points = await createHistory(world.deps).points(after(21));
    const busy = points.filter(({ requests }) => requests > 0);
    expect(points).toHaveLength(96);
    expect(busy.map(({ at, p95Seconds: _, ...point }) => [at.toISOString(), point])).toEqual([
      ['2026-11-26T12:00:00.000Z', { requests: 3, failed: 0, queued: 2, credits: 0 }],
      ['2026-11-26T12:15:00.000Z', { requests: 2, failed: 1, queued: 2, credits: 2 }],
    ]);
  });

  test('samples older than the graph period are deleted', async () => {
    const world = await opened();
    count(world, '200', 0.02);
    await world.history.sample(START);
    expect(await world.history.sample(after(24 * 60 + 16))).toBe(1);
  });

  test('an alert is pending for its hold time, then fires, and resolves with its condition', async () => {
    const { history, see } = await opened();
    see({ checks: { database: false } });
    await history.sample(START);
    expect(history.alerts().map(({ name, isFiring }) => [name, isFiring])).toEqual([
      ['AtelierUnhealthy', false],
    ]);
    await history.sample(after(3));
    expect(history.alerts()).toEqual([
      {
        name: 'AtelierUnhealthy',
        severity: 'page',
        summary: 'Health checks fail: database.',
        since: START,
        isFiring: true,
      },
    ]);
    see({});
    await history.sample(after(4));
    expect(history.alerts()).toEqual([]);
  });
});
