import { expect, test } from 'vitest';
import { createMeter, writeExposition } from './create_telemetry.ts';

const linesOf = async (meter: ReturnType<typeof createMeter>, name: string) =>
  (await writeExposition(meter)).split('\n').filter((line) => line.startsWith(name));

test('counts are summed per label set', async () => {
  const meter = createMeter();
  meter.count('atelier_calls_total', { tool: 'a', way: 'job', outcome: 'ok' });
  meter.count('atelier_calls_total', { tool: 'a', way: 'job', outcome: 'ok' }, 2);
  meter.count('atelier_calls_total', { tool: 'b', way: 'job', outcome: 'ok' });
  expect(await linesOf(meter, 'atelier_calls_total')).toEqual([
    'atelier_calls_total{tool="a",way="job",outcome="ok"} 3',
    'atelier_calls_total{tool="b",way="job",outcome="ok"} 1',
  ]);
});

test('durations count in the first bucket whose bound they do not exceed, and in all later ones', async () => {
  const meter = createMeter();
  for (const seconds of [0.0005, 0.3, 99])
    meter.observe('atelier_database_seconds', { operation: 'query' }, seconds);
  const lines = await linesOf(meter, 'atelier_database_seconds');
  expect(lines).toContain('atelier_database_seconds_bucket{operation="query",le="0.0005"} 1');
  expect(lines).toContain('atelier_database_seconds_bucket{operation="query",le="0.25"} 1');
  expect(lines).toContain('atelier_database_seconds_bucket{operation="query",le="1"} 2');
  expect(lines).toContain('atelier_database_seconds_bucket{operation="query",le="+Inf"} 3');
  expect(lines).toContain('atelier_database_seconds_sum{operation="query"} 99.3005');
  expect(lines).toContain('atelier_database_seconds_count{operation="query"} 3');
});

test('a value that disappears is no longer reported', async () => {
  const clock = { ms: 0 };
  const meter = createMeter({ now: () => clock.ms });
  const waiting = ['paint', 'carve'];
  meter.watch((tell) => {
    for (const tool of waiting.splice(0, 1)) tell('atelier_jobs_waiting', { tool }, 1);
  });
  expect(await linesOf(meter, 'atelier_jobs_waiting')).toEqual(['atelier_jobs_waiting{tool="paint"} 1']);
  // The values are cached briefly.
  expect(await linesOf(meter, 'atelier_jobs_waiting')).toEqual(['atelier_jobs_waiting{tool="paint"} 1']);
  clock.ms += 2_000;
  expect(await linesOf(meter, 'atelier_jobs_waiting')).toEqual(['atelier_jobs_waiting{tool="carve"} 1']);
});

test('a failing or hanging source reports nothing and does not delay other sources', async () => {
  const meter = createMeter({ timeoutMs: 20 });
  meter.watch(() => Promise.reject(new Error('the database is away')));
  meter.watch(() => {
    throw new Error('at once');
  });
  meter.watch(() => new Promise(() => {}));
  meter.watch((tell) => tell('atelier_jobs_running', {}, 2));
  expect(await linesOf(meter, 'atelier_jobs_running')).toEqual(['atelier_jobs_running 2']);
});

test('label values are escaped', async () => {
  const meter = createMeter();
  meter.count('atelier_refusals_total', { code: 'a"b\\c\nd' });
  expect(await linesOf(meter, 'atelier_refusals_total')).toEqual([
    'atelier_refusals_total{code="a\\"b\\\\c\\nd"} 1',
  ]);
});
