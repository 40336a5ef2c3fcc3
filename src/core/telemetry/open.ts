import type { BaseLogger } from 'pino';
import type { Config } from '../../config/config.ts';
import { createMeter } from './create_meter.ts';
import { createTelemetry } from './create_telemetry.ts';
import { describeProcess } from './describe_process.ts';
import type { Telemetry } from './types.ts';

interface Parts {
  /** The version of this service. */
  readonly version: string;
  readonly logger: Pick<BaseLogger, 'warn'>;
}

/** What is measured here, sent to collectors where the settings name them; only then is anything loaded for it. */
export async function openTelemetry(config: Config, { version, logger }: Parts): Promise<Telemetry> {
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

/** OpenTelemetry specification, OTLP exporter: what all signals share is a base that their paths are added to; the address of one is taken as it is. */
const under = ({ OTEL_EXPORTER_OTLP_ENDPOINT: base }: Config, path: string): string | undefined =>
  base === undefined ? undefined : `${base.replace(/\/+$/, '')}/${path}`;
