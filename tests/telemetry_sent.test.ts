import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readProgram } from '../src/config/program.ts';
import { EXAMPLE_PNG_B64 } from '../src/features/definitions/example_image.ts';
import { jobIn, postJob } from './support/job_calls.ts';
import { openTestApp, type TestApp } from './support/open_test_app.ts';
import { type OtlpCollector, openOtlpCollector, type SentSpan } from './support/otlp_collector.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const traceparent = `00-${TRACE}-${PARENT}-01`;
const WALLET = '0x00000000000000000000000000000000000000e9';
const TRACE_OF_JOB = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACE_OVER_MCP = '80e1afed08e019fc1110464cfa66635c';
const SECRET = 'atl_key_what_nobody_else_may_read';

/** One address for all, or one for each. */
const ADDRESSES = {
  'http/protobuf': (url: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/` }),
  'http/json': (url: string) => ({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces`,
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${url}/v1/metrics`,
  }),
} as const;

describe.each(['http/protobuf', 'http/json'] as const)('over %s', (protocol) => {
  let collector: OtlpCollector;
  let app: TestApp;
  const named = (name: string, traceId = TRACE): SentSpan =>
    collector.spans.find((span) => span.name === name && span.traceId === traceId)!;

  beforeAll(async () => {
    collector = await openOtlpCollector();
    app = await openTestApp({
      ...ADDRESSES[protocol](collector.url),
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=of%20the%20collector',
      OTEL_SERVICE_NAME: 'workshop',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    await app.post('/api/wallet/register', { wallet: WALLET });
    const picture = { image: EXAMPLE_PNG_B64, width: 8, height: 8 };
    await app.post('/api/tools/resize_image', picture, { traceparent });
    const paid = { wallet: WALLET, key: SECRET, data: 'aGk=' };
    await app.post('/api/tools/save_asset', paid, {
      Authorization: `Bearer ${WALLET}`,
      'X-Approval': SECRET,
    });
    await app.get(`/api/jobs/${SECRET}?sig=${SECRET}`);
    const traced = { traceparent: traceparent.replace(TRACE, TRACE_OF_JOB) };
    const { body } = await postJob(app, 'resize_image', picture, traced);
    await jobIn(app, body.job_id, ['succeeded']);
    const _meta = { traceparent: traceparent.replace(TRACE, TRACE_OVER_MCP) };
    const params = { name: 'search_tools', arguments: {}, _meta };
    await app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    // Closing sends what is left.
    await app.close();
  });
  afterAll(() => collector?.close());

  test('a call is one trace: the request, its stages, the run and its engine, each within the other', () => {
    const request = named('POST /api/tools/{name}');
    const call = named('call resize_image');
    const run = named('run resize_image');
    const engine = named('engine resize');
    expect(request.parentSpanId).toBe(PARENT);
    expect(call.parentSpanId).toBe(request.spanId);
    expect(run.parentSpanId).toBe(call.spanId);
    expect(engine.parentSpanId).toBe(run.spanId);
    expect(named('admit').parentSpanId).toBe(call.spanId);
    expect(engine.attributes['atelier.engine_s']).toBeGreaterThan(0);
    expect(request.attributes['http.response.status_code']).toBe(200);
  });

  test('a job is a part of the trace of the call that made it', () => {
    const request = named('POST /api/tools/{name}', TRACE_OF_JOB);
    const calls = collector.spans.filter(({ name }) => name === 'call resize_image');
    const [accepted] = calls.filter(({ parentSpanId }) => parentSpanId === request.spanId);
    const [job] = calls.filter(({ parentSpanId }) => parentSpanId === accepted!.spanId);
    expect(job?.attributes['atelier.way']).toBe('job');
    expect(named('run resize_image', TRACE_OF_JOB).parentSpanId).toBe(job?.spanId);
  });

  test('over MCP a client names its trace in _meta', () => {
    const message = named('tools/call', TRACE_OVER_MCP);
    expect(message.parentSpanId).toBe(PARENT);
    expect(named('call search_tools', TRACE_OVER_MCP).parentSpanId).toBe(message.spanId);
  });

  test('statements of the database and stored bytes belong to the call they are for', () => {
    const { traceId } = collector.spans.find(({ name }) => name === 'call save_asset')!;
    const names = collector.spans.filter((span) => span.traceId === traceId).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['hold payment', 'select hold_credits', 'settle', 'storage write']),
    );
  });

  test('metrics arrive under the names they have at /metrics', () => {
    const calls = collector.metrics.get('atelier_calls_total');
    const seconds = collector.metrics.get('atelier_call_seconds').histogram.dataPoints[0];
    expect(calls.sum.isMonotonic).toBe(true);
    expect(seconds.bucketCounts).toHaveLength(seconds.explicitBounds.length + 1);
    expect(collector.metrics.get('atelier_database_up').gauge.dataPoints[0].asDouble).toBe(1);
  });

  test('the collector receives the service name and its key', () => {
    expect(collector.resources[0]).toMatchObject({
      'service.name': 'workshop',
      'service.version': readProgram().version,
      'deployment.environment.name': 'test',
    });
    expect(collector.headers[0]!['api-key']).toBe('of the collector');
  });

  test('it contains no client input', () => {
    const told = JSON.stringify([collector.spans, [...collector.metrics]]);
    expect(told).not.toContain(SECRET);
    expect(told).not.toContain(WALLET.slice(4));
  });
});
