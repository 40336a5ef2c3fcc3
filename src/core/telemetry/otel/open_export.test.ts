import { expect, test, vi } from 'vitest';
import { createMeter } from '../create_telemetry.ts';
import { openExport } from './open_export.ts';

test('an unreachable collector is reported once and does not delay shutdown', async () => {
  const logger = { warn: vi.fn() };
  const { tracing, flush } = await openExport(
    {
      tracesUrl: 'http://127.0.0.1:9/v1/traces',
      metricsUrl: 'http://127.0.0.1:9/v1/metrics',
      protocol: 'http/protobuf',
      headers: undefined,
      resourceAttributes: undefined,
      serviceName: 'atelier',
      sampler: 'always_on',
      samplerArg: 1,
      metricIntervalMs: 60_000,
    },
    { meter: createMeter(), version: '0', logger },
  );
  await tracing!.span('work', {}, async () => {});
  const stopped = performance.now();
  await flush();
  expect(performance.now() - stopped).toBeLessThan(10_000);
  expect(logger.warn.mock.calls.length).toBeLessThanOrEqual(1);
});
