import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Context,
  type HrTime,
  type Link,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  ValueType,
} from '@opentelemetry/api';
import { millisToHrTime, parseKeyPairsIntoRecord, setGlobalErrorHandler } from '@opentelemetry/core';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { BaseLogger } from 'pino';
import { ERROR_LINE_MS, FLUSH_MS_MAX, type Meter } from '../create_telemetry.ts';
import { METRICS, type MetricName } from '../metrics.ts';
import type { Attributes, Origin, Series, Span, Tracing } from '../types.ts';
import { readTraceContext, traceOutgoing, writeTraceContext } from './trace_outgoing.ts';

interface SendTracesDeps {
  readonly settings: Pick<ExportSettings, 'sampler' | 'samplerArg'>;
  readonly resource: Resource;
  readonly version: string;
  /** Hosts of the collectors; exports to them are not traced. */
  readonly collectors: readonly string[];
}

/** Exports spans of local work and outgoing requests, in batches. The current span is in the async context. */
export function sendTraces(
  exporter: SpanExporter,
  { settings, resource, version, collectors }: SendTracesDeps,
): { readonly tracing: Tracing; close(): Promise<void> } {
  const spanProcessors = [new BatchSpanProcessor({ exporter })];
  const provider = new TracerProvider({ resource, sampler: samplerOf(settings), spanProcessors });
  const tracer = provider.getTracer('atelier', version);
  const running = new AsyncLocalStorage<Context>();
  const current = () => running.getStore() ?? ROOT_CONTEXT;

  async function within<T>(
    parent: Context,
    { name, kind, attributes, links = [] }: Begun,
    work: (span: Span) => Promise<T>,
  ): Promise<T> {
    const span = tracer.startSpan(name, { kind, attributes: { ...attributes }, links }, parent);
    try {
      return await running.run(trace.setSpan(parent, span), () =>
        work({
          set: (more) => void span.setAttributes({ ...more }),
          rename: (other) => void span.updateName(other),
        }),
      );
    } catch (error) {
      // The error message may contain client input.
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', typeOf(error));
      throw error;
    } finally {
      span.end();
    }
  }
  const stopOutgoing = traceOutgoing({ tracer, current, collectors });
  return {
    tracing: {
      span: (name, attributes, work) =>
        within(current(), { name, attributes, kind: SpanKind.INTERNAL }, work),
      enter: (from, name, attributes, work) => {
        const { parent, links } = beginning(from);
        return within(parent, { name, attributes, links, kind: KINDS[from.by] }, work);
      },
      traceContext: () => writeTraceContext(current()),
    },
    close: async () => {
      stopOutgoing();
      await provider.shutdown();
    },
  };
}

interface Begun {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  readonly links?: Link[];
}

const KINDS = { request: SpanKind.SERVER, job: SpanKind.CONSUMER } as const;

function beginning({ isTrusted, ...sent }: Origin): { parent: Context; links: Link[] } {
  const parent = readTraceContext(sent);
  const context = trace.getSpanContext(parent);
  return context && !isTrusted ? { parent: ROOT_CONTEXT, links: [{ context }] } : { parent, links: [] };
}

function typeOf(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return String(code ?? name ?? 'unknown');
}

function samplerOf({ sampler, samplerArg }: SendTracesDeps['settings']): Sampler {
  const [, isParentBased, kind] = /^(parentbased_)?(.*)$/.exec(sampler)!;
  const root =
    kind === 'always_off'
      ? new AlwaysOffSampler()
      : kind === 'traceidratio'
        ? new TraceIdRatioBasedSampler(samplerArg)
        : new AlwaysOnSampler();
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

interface SendMetricsDeps {
  readonly settings: Pick<ExportSettings, 'metricIntervalMs'>;
  readonly resource: Resource;
  readonly meter: Pick<Meter, 'read'>;
  readonly version: string;
}

/** Exports every metric, with names and labels as in /metrics. */
function sendMetrics(
  exporter: PushMetricExporter,
  { settings, resource, meter, version }: SendMetricsDeps,
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
      ...shared,
      dataPointType: DataPointType.SUM,
      isMonotonic: true,
      dataPoints: points(({ value }) => value),
    };
  const boundaries = [...METRICS[name].buckets];
  return {
    ...shared,
    dataPointType: DataPointType.HISTOGRAM,
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

interface ExportDeps {
  readonly meter: Meter;
  readonly version: string;
  readonly logger: Pick<BaseLogger, 'warn'>;
}

interface Export {
  readonly tracing?: Tracing;
  /** Exports the rest and stops. */
  flush(): Promise<void>;
}

/** Exports traces and metrics to collectors. Failed exports are dropped and logged. */
export async function openExport(
  settings: ExportSettings,
  { meter, version, logger }: ExportDeps,
): Promise<Export> {
  const { tracesUrl, metricsUrl } = settings;
  setGlobalErrorHandler(
    onceIn(ERROR_LINE_MS, (error) => logger.warn({ err: error }, 'failed to send telemetry')),
  );
  const resource = resourceOf(settings, version);
  const exporters = await exportersOf(settings);
  const traces =
    tracesUrl === undefined
      ? undefined
      : sendTraces(exporters.traces(tracesUrl), {
          settings,
          resource,
          version,
          collectors: [tracesUrl, metricsUrl].flatMap((url) => (url ? new URL(url).host : [])),
        });
  const metrics =
    metricsUrl === undefined
      ? undefined
      : sendMetrics(exporters.metrics(metricsUrl), { settings, resource, meter, version });
  return {
    ...(traces && { tracing: traces.tracing }),
    flush: async () => {
      // An unreachable collector is retried without end; shutdown does not wait for it.
      const sent = Promise.allSettled([traces?.close(), metrics?.close()]);
      await Promise.race([sent, wait(FLUSH_MS_MAX, undefined, { ref: false })]);
    },
  };
}

function resourceOf({ serviceName, resourceAttributes }: ExportSettings, version: string): Resource {
  return resourceFromAttributes({
    'service.instance.id': randomUUID(),
    'service.version': version,
    'process.pid': process.pid,
    ...parseKeyPairsIntoRecord(resourceAttributes),
    'service.name': serviceName,
  });
}

interface Exporters {
  traces(url: string): SpanExporter;
  metrics(url: string): PushMetricExporter;
}

async function exportersOf({ protocol, headers: written }: ExportSettings): Promise<Exporters> {
  const headers = parseKeyPairsIntoRecord(written);
  const isJson = protocol === 'http/json';
  const [{ OTLPTraceExporter }, { OTLPMetricExporter }] = isJson
    ? await Promise.all([
        import('@opentelemetry/exporter-trace-otlp-http'),
        import('@opentelemetry/exporter-metrics-otlp-http'),
      ])
    : await Promise.all([
        import('@opentelemetry/exporter-trace-otlp-proto'),
        import('@opentelemetry/exporter-metrics-otlp-proto'),
      ]);
  return {
    traces: (url) => new OTLPTraceExporter({ url, headers }),
    metrics: (url) => new OTLPMetricExporter({ url, headers }),
  };
}

/** Limits log lines about an unreachable collector. */
function onceIn<T>(ms: number, tell: (said: T) => void): (said: T) => void {
  let until = Number.NEGATIVE_INFINITY;
  return (said) => {
    const now = performance.now();
    if (now < until) return;
    until = now + ms;
    tell(said);
  };
}

/** Configured endpoints. Undefined: that signal is not exported. */
interface ExportSettings {
  readonly protocol: 'http/protobuf' | 'http/json';
  readonly tracesUrl: string | undefined;
  readonly metricsUrl: string | undefined;
  readonly headers: string | undefined;
  readonly serviceName: string;
  readonly resourceAttributes: string | undefined;
  readonly sampler: string;
  readonly samplerArg: number;
  readonly metricIntervalMs: number;
}
