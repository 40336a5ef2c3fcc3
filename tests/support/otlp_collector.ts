import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import root from 'otlp-by-protobufjs/build/src/generated/root.js';

/** A span in OTLP, with ids in hexadecimal. */
export interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly attributes: Record<string, unknown>;
  readonly links: readonly { readonly traceId: string }[];
}

/** A collector that stores what it receives, decoded by protobufjs from OpenTelemetry's own definitions. */
export interface OtlpCollector {
  readonly url: string;
  readonly headers: IncomingHttpHeaders[];
  readonly spans: SentSpan[];
  /** The last value sent of each metric. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says which metric it reads
  readonly metrics: Map<string, any>;
  readonly resources: Record<string, unknown>[];
  close(): Promise<void>;
}

export async function openOtlpCollector(): Promise<OtlpCollector> {
  const spans: SentSpan[] = [];
  const metrics = new Map<string, unknown>();
  const resources: Record<string, unknown>[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    headers.push(request.headers);
    const signal = request.url === '/v1/traces' ? 'trace' : 'metrics';
    const sent = decode(signal, Buffer.concat(chunks), request.headers['content-type'] ?? '');
    for (const { resource, scopeSpans = [], scopeMetrics = [] } of sent) {
      resources.push(valuesIn(resource.attributes));
      for (const scope of scopeSpans) spans.push(...scope.spans.map(spanOf));
      for (const scope of scopeMetrics) for (const metric of scope.metrics) metrics.set(metric.name, metric);
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    headers,
    spans,
    metrics,
    resources,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: messages of a generated decoder
type Message = any;

function decode(signal: 'trace' | 'metrics', body: Buffer, type: string): Message[] {
  if (type.startsWith('application/json')) {
    const { resourceSpans, resourceMetrics } = JSON.parse(body.toString());
    return resourceSpans ?? resourceMetrics;
  }
  const { collector } = (root as Message).opentelemetry.proto;
  const { ExportTraceServiceRequest } = collector.trace.v1;
  const { ExportMetricsServiceRequest } = collector.metrics.v1;
  const Request = signal === 'trace' ? ExportTraceServiceRequest : ExportMetricsServiceRequest;
  const { resourceSpans, resourceMetrics } = Request.toObject(Request.decode(body), { longs: Number });
  return resourceSpans ?? resourceMetrics;
}

const valuesIn = (attributes: Message[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const hex = (id: Uint8Array | string | undefined): string =>
  typeof id === 'string' ? id : Buffer.from(id ?? []).toString('hex');

const spanOf = ({ name, traceId, spanId, parentSpanId, attributes, links = [] }: Message): SentSpan => ({
  name,
  traceId: hex(traceId),
  spanId: hex(spanId),
  parentSpanId: hex(parentSpanId),
  attributes: valuesIn(attributes),
  links: links.map((link: Message) => ({ traceId: hex(link.traceId) })),
});
