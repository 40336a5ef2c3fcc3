import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { parseKeyPairsIntoRecord, setGlobalErrorHandler } from '@opentelemetry/core';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { BaseLogger } from 'pino';
import type { Meter } from '../create_meter.ts';
import { ERROR_LINE_MS, FLUSH_MS_MAX } from '../limits.ts';
import type { Tracing } from '../types.ts';
import { sendMetrics } from './send_metrics.ts';
import { sendTraces } from './send_traces.ts';
import type { ExportSettings } from './types.ts';

interface Parts {
  readonly meter: Meter;
  readonly version: string;
  readonly logger: Pick<BaseLogger, 'warn'>;
}

interface Export {
  readonly tracing?: Tracing;
  /** Sends what is left, and no more after that. */
  flush(): Promise<void>;
}

/** Sends traces and metrics to collectors. What cannot be sent is dropped and told in the log. */
export async function openExport(
  settings: ExportSettings,
  { meter, version, logger }: Parts,
): Promise<Export> {
  const { tracesUrl, metricsUrl } = settings;
  setGlobalErrorHandler(
    onceIn(ERROR_LINE_MS, (error) => logger.warn({ err: error }, 'telemetry was not sent')),
  );
  const resource = resourceOf(settings, version);
  const exporters = await exportersOf(settings);
  const traces =
    tracesUrl === undefined
      ? undefined
      : sendTraces(exporters.traces(tracesUrl), {
          ...{ settings, resource, version },
          collectors: [tracesUrl, metricsUrl].flatMap((url) => (url ? new URL(url).host : [])),
        });
  const metrics =
    metricsUrl === undefined
      ? undefined
      : sendMetrics(exporters.metrics(metricsUrl), { settings, resource, meter, version });
  return {
    ...(traces && { tracing: traces.tracing }),
    flush: async () => {
      // A collector that is away is tried again and again; a server that stops does not wait for that.
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

/** A collector that is away is told once in a while, not at every try. */
function onceIn<T>(ms: number, tell: (said: T) => void): (said: T) => void {
  let until = Number.NEGATIVE_INFINITY;
  return (said) => {
    const now = performance.now();
    if (now < until) return;
    until = now + ms;
    tell(said);
  };
}
