import { type HrTime, ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import type { Meter, Series } from '../create_meter.ts';
import { METRICS, type MetricName } from '../metrics.ts';
import type { ExportSettings } from './types.ts';

interface Parts {
  readonly settings: Pick<ExportSettings, 'metricIntervalMs'>;
  readonly resource: Resource;
  readonly meter: Pick<Meter, 'read'>;
  readonly version: string;
}

/** Sends every metric of the table, under the names and with the labels it has at /metrics. */
export function sendMetrics(
  exporter: PushMetricExporter,
  { settings, resource, meter, version }: Parts,
): { close(): Promise<void> } {
  const scope = { name: 'atelier', version };
  const collect = async () => {
    const found = await meter.read();
    const metrics = [...found].map(([name, series]) => metricData(name, series));
    return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
  };
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: settings.metricIntervalMs,
    exportTimeoutMillis: settings.metricIntervalMs,
    metricProducers: [{ collect }],
  });
  const provider = new MeterProvider({ resource, readers: [reader] });
  return { close: () => provider.shutdown() };
}

const STARTED = millisToHrTime(performance.timeOrigin);

function metricData(name: MetricName, series: readonly Series[]): MetricData {
  const { kind, help } = METRICS[name];
  const unit = /_seconds(_total)?$/.test(name) ? 's' : name.endsWith('_bytes') ? 'By' : '';
  const shared = {
    descriptor: { name, description: help, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const points = <T>(read: (one: Series) => T) => pointsOf(name, series, read);
  if (kind === 'gauge')
    return { ...shared, dataPointType: DataPointType.GAUGE, dataPoints: points(({ value }) => value) };
  if (kind === 'counter')
    return {
      ...{ ...shared, dataPointType: DataPointType.SUM, isMonotonic: true },
      dataPoints: points(({ value }) => value),
    };
  const boundaries = [...METRICS[name].buckets];
  return {
    ...{ ...shared, dataPointType: DataPointType.HISTOGRAM },
    dataPoints: points(({ value: sum, counts: found }) => {
      const counts = Array.from({ length: boundaries.length + 1 }, (_, at) => found[at] ?? 0);
      const count = counts.reduce((all, some) => all + some, 0);
      return { buckets: { boundaries, counts }, sum, count };
    }),
  };
}

function pointsOf<T>(name: MetricName, series: readonly Series[], read: (one: Series) => T) {
  const endTime: HrTime = millisToHrTime(Date.now());
  return series.map((one) => ({
    startTime: STARTED,
    endTime,
    attributes: Object.fromEntries(METRICS[name].labels.map((label, at) => [label, one.labels[at]!])),
    value: read(one),
  }));
}
