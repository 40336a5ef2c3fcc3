import { emptyResource } from '@opentelemetry/resources';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { sendTraces } from '../../src/core/telemetry/otel/open_export.ts';
import type { Tracing } from '../../src/core/telemetry/types.ts';

interface Wish {
  readonly sampler?: string;
  readonly samplerArg?: number;
  readonly collectors?: readonly string[];
}

/**
 * Traces in memory, in the form in which they are sent: `spans` ends tracing and returns the recorded spans.
 */
export function memoryTraces({ sampler = 'always_on', samplerArg = 1, collectors = [] }: Wish = {}): {
  tracing: Tracing;
  spans(): Promise<ReadableSpan[]>;
} {
  const exporter = new InMemorySpanExporter();
  const sent: ReadableSpan[] = [];
  const { tracing, close } = sendTraces(
    {
      export(spans, done) {
        sent.push(...spans);
        exporter.export(spans, done);
      },
      shutdown: () => exporter.shutdown(),
    },
    { settings: { sampler, samplerArg }, resource: emptyResource(), version: '0', collectors },
  );
  return { tracing, spans: () => close().then(() => sent) };
}
