import { type Context, defaultTextMapGetter, defaultTextMapSetter, ROOT_CONTEXT } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { TraceContext } from '../types.ts';

const propagator = new W3CTraceContextPropagator();

/** Of another process; the root where it sent none, or none that can be read. */
export const readTraceContext = (sent: TraceContext): Context =>
  propagator.extract(ROOT_CONTEXT, sent, defaultTextMapGetter);

/** For another process; undefined where nothing is traced. */
export function writeTraceContext(context: Context): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  propagator.inject(context, headers, defaultTextMapSetter);
  return headers.traceparent === undefined ? undefined : headers;
}
