import { expect, test } from 'vitest';
import { memoryTraces } from '../../../../tests/support/memory_traces.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;
const unsampled = traceparent.replace(/01$/, '00');
const ours = { traceparent, isTrusted: true, by: 'request' } as const;

test.each([
  ['always_on', 1, undefined, 1],
  ['always_off', 1, traceparent, 0],
  ['traceidratio', 1, unsampled, 1],
  ['traceidratio', 0, traceparent, 0],
  ['parentbased_always_on', 1, unsampled, 0],
  ['parentbased_always_off', 1, traceparent, 1],
  ['parentbased_always_off', 1, undefined, 0],
  ['parentbased_traceidratio', 0, traceparent, 1],
])('%s (%d) of a request with %s records %d', async (sampler, samplerArg, sent, expected) => {
  const { tracing, spans } = memoryTraces({ sampler, samplerArg });
  await tracing.enter({ traceparent: sent, isTrusted: true, by: 'request' }, 'request', {}, async () => {});
  expect(await spans()).toHaveLength(expected);
});

test('a trace from another process is continued and can be propagated', async () => {
  const { tracing, spans } = memoryTraces();
  const handed = await tracing.enter(ours, 'request', {}, () =>
    tracing.span('inner', { 'atelier.tool': 'x' }, async (span) => {
      span.set({ count: 2 });
      return tracing.traceContext()!.traceparent;
    }),
  );
  const [inner, request] = await spans();
  expect(request!.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
  expect(inner!.parentSpanContext?.spanId).toBe(request!.spanContext().spanId);
  expect(inner!.attributes).toEqual({ 'atelier.tool': 'x', count: 2 });
  expect(handed).toBe(`00-${TRACE}-${inner!.spanContext().spanId}-01`);
});

test('the tracestate of other tracers is propagated', async () => {
  const { tracing } = memoryTraces();
  const from = { ...ours, tracestate: 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE' };
  const handed = await tracing.enter(from, 'request', {}, async () => tracing.traceContext());
  expect(handed?.tracestate).toBe(from.tracestate);
});

test('an untrusted trace context starts a new trace that links to it', async () => {
  const { tracing, spans } = memoryTraces({ sampler: 'parentbased_always_on' });
  await tracing.enter(
    { traceparent: unsampled, isTrusted: false, by: 'request' },
    'request',
    {},
    async () => {},
  );
  const [request] = await spans();
  expect(request!.spanContext().traceId).not.toBe(TRACE);
  expect(request!.links.map(({ context }) => context.traceId)).toEqual([TRACE]);
});

test.each(['', 'no trace context', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, `${traceparent}\n00`])(
  'an invalid trace context starts a new trace: %j',
  async (sent) => {
    const { tracing, spans } = memoryTraces();
    await tracing.enter({ traceparent: sent, isTrusted: true, by: 'request' }, 'request', {}, async () => {});
    const [request] = await spans();
    expect(request!.parentSpanContext).toBe(undefined);
  },
);

test('a failure is recorded with its code, without its message', async () => {
  const { tracing, spans } = memoryTraces();
  const failure = Object.assign(new Error('secret'), { code: 'undecodable_image' });
  await expect(tracing.span('run', {}, () => Promise.reject(failure))).rejects.toBe(failure);
  const [run] = await spans();
  expect(run!.attributes).toEqual({ 'error.type': 'undecodable_image' });
  expect(run!.status).toEqual({ code: 2 });
  expect(run!.events).toEqual([]);
});
