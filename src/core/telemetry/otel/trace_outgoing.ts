import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { TraceContext } from '../types.ts';

const propagator = new W3CTraceContextPropagator();

/** Trace context of another process; the root where it is missing or malformed. */
export const readTraceContext = (sent: TraceContext): Context =>
  propagator.extract(ROOT_CONTEXT, sent, defaultTextMapGetter);

/** Trace context for another process; undefined outside of a trace. */
export function writeTraceContext(context: Context): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  propagator.inject(context, headers, defaultTextMapSetter);
  return headers.traceparent === undefined ? undefined : headers;
}

interface Options {
  readonly tracer: Tracer;
  current(): Context;
  /** Hosts whose requests are not traced. */
  readonly collectors: readonly string[];
}

/** Diagnostics of `fetch`. */
interface Fetched {
  readonly origin: string | URL;
  readonly method: string;
  addHeader(name: string, value: string): void;
}

/** Diagnostics of `http.request`. */
interface Requested {
  readonly host: string;
  readonly method: string;
}

type Listener = (message: never) => void;

/**
 * Traces every outgoing request that is sent within a trace, through the diagnostics channels of Node. Requests by `fetch` go to
 * services that the operator has configured (models, payments, stores) and carry the trace context. Requests to addresses from
 * clients use `http.request` and carry none. Returns how to stop.
 */
export function traceOutgoing({ tracer, current, collectors }: Options): () => void {
  const open = new WeakMap<object, Span>();
  const begin = (request: object, method: string, host: string): Context | undefined => {
    const parent = current();
    if (parent === ROOT_CONTEXT || collectors.includes(host)) return undefined;
    const attributes = { 'http.request.method': method, 'server.address': host };
    const span = tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, parent);
    open.set(request, span);
    return trace.setSpan(parent, span);
  };
  const end = (request: object, status?: number) => {
    const span = open.get(request);
    if (!span) return;
    open.delete(request);
    if (status !== undefined) span.setAttribute('http.response.status_code', status);
    if (status === undefined || status >= 400) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  const listeners: Record<string, Listener> = {
    'undici:request:create': ({ request }: { request: Fetched }) => {
      const context = begin(request, request.method, new URL(request.origin).host);
      const headers = context && writeTraceContext(context);
      for (const [name, value] of Object.entries(headers ?? {})) request.addHeader(name, value);
    },
    'undici:request:headers': (told: { request: Fetched; response: { statusCode: number } }) =>
      end(told.request, told.response.statusCode),
    'undici:request:error': ({ request }: { request: Fetched }) => end(request),
    'http.client.request.start': ({ request }: { request: Requested }) =>
      void begin(request, request.method, request.host),
    'http.client.response.finish': (told: { request: Requested; response: { statusCode: number } }) =>
      end(told.request, told.response.statusCode),
    'http.client.request.error': ({ request }: { request: Requested }) => end(request),
  };
  const all = Object.entries(listeners) as [string, (message: unknown) => void][];
  for (const [channel, listener] of all) subscribe(channel, listener);
  return () => {
    for (const [channel, listener] of all) unsubscribe(channel, listener);
  };
}
