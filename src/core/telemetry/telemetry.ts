import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { BaseLogger } from 'pino';
import type { Config } from '../../config/config.ts';
import { createMeter, createTelemetry, EVENT_LOOP_SAMPLE_MS } from './create_telemetry.ts';
import type { Source, Telemetry } from './types.ts';

interface TelemetryDeps {
  /** The version of this service. */
  readonly version: string;
  readonly logger: Pick<BaseLogger, 'warn'>;
}

/** Creates the telemetry, with exports if the settings name collectors; the exporters are loaded only then. */
export async function openTelemetry(config: Config, { version, logger }: TelemetryDeps): Promise<Telemetry> {
  const meter = createMeter();
  meter.watch(describeProcess());
  const urls = { tracesUrl: tracesUrl(config), metricsUrl: metricsUrl(config) };
  if (config.OTEL_SDK_DISABLED || (urls.tracesUrl ?? urls.metricsUrl) === undefined)
    return createTelemetry({ meter });
  const { openExport } = await import('./otel/open_export.ts');
  const settings = {
    ...urls,
    protocol: config.OTEL_EXPORTER_OTLP_PROTOCOL,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: config.OTEL_SERVICE_NAME,
    resourceAttributes: config.OTEL_RESOURCE_ATTRIBUTES,
    sampler: config.OTEL_TRACES_SAMPLER,
    samplerArg: config.OTEL_TRACES_SAMPLER_ARG,
    metricIntervalMs: config.OTEL_METRIC_EXPORT_INTERVAL,
  };
  return createTelemetry({ meter, ...(await openExport(settings, { meter, version, logger })) });
}

const tracesUrl = (config: Config): string | undefined =>
  config.OTEL_TRACES_EXPORTER === 'none'
    ? undefined
    : (config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? under(config, 'v1/traces'));
const metricsUrl = (config: Config): string | undefined =>
  config.OTEL_METRICS_EXPORTER === 'none'
    ? undefined
    : (config.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? under(config, 'v1/metrics'));

/**
 * OpenTelemetry specification, OTLP exporter: the common endpoint is a base for the signal paths; a signal endpoint is used as it
 * is.
 */
const under = ({ OTEL_EXPORTER_OTLP_ENDPOINT: base }: Config, path: string): string | undefined =>
  base === undefined ? undefined : `${base.replace(/\/+$/, '')}/${path}`;

/** Process and event loop metrics, the latter since the last read. */
function describeProcess(): Source {
  const delay = monitorEventLoopDelay({ resolution: EVENT_LOOP_SAMPLE_MS });
  delay.enable();
  let before = performance.eventLoopUtilization();
  // The histogram covers the time between two reads.
  const lagSeconds = (percentile: number) =>
    Math.max(0, delay.percentile(percentile) / 1e9 - EVENT_LOOP_SAMPLE_MS / 1000);
  return (tell) => {
    const { rss, heapUsed, external } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const loop = performance.eventLoopUtilization();
    tell('process_start_time_seconds', {}, performance.timeOrigin / 1000);
    tell('process_cpu_seconds_total', {}, (user + system) / 1e6);
    tell('process_resident_memory_bytes', {}, rss);
    tell('nodejs_heap_size_used_bytes', {}, heapUsed);
    tell('nodejs_external_memory_bytes', {}, external);
    tell('nodejs_eventloop_lag_p50_seconds', {}, lagSeconds(50));
    tell('nodejs_eventloop_lag_p99_seconds', {}, lagSeconds(99));
    tell(
      'nodejs_eventloop_utilization_ratio',
      {},
      performance.eventLoopUtilization(loop, before).utilization,
    );
    before = loop;
    delay.reset();
  };
}
