import { type Context, trace } from '@opentelemetry/api';

/** W3C Trace Context, level 1; undefined where nothing is traced. */
export function traceparentOf(context: Context): string | undefined {
  const { traceId, spanId, traceFlags } = trace.getSpanContext(context) ?? {};
  return traceId === undefined ? undefined : `00-${traceId}-${spanId}-0${traceFlags}`;
}
