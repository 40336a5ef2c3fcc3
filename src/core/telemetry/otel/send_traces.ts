import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, type Link, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Attributes, Origin, Span, Tracing } from '../types.ts';
import { traceOutgoing } from './trace_outgoing.ts';
import type { ExportSettings } from './types.ts';
import { readTraceContext, writeTraceContext } from './w3c_context.ts';

interface Parts {
  readonly settings: Pick<ExportSettings, 'sampler' | 'samplerArg'>;
  readonly resource: Resource;
  readonly version: string;
  /** Hosts of the collectors: what is sent there is not traced itself. */
  readonly collectors: readonly string[];
}

/** Spans of what runs here and of what it asks others, in batches. What runs now is known from its asynchronous context. */
export function sendTraces(
  exporter: SpanExporter,
  { settings, resource, version, collectors }: Parts,
): { readonly tracing: Tracing; close(): Promise<void> } {
  const spanProcessors = [new BatchSpanProcessor({ exporter })];
  const provider = new TracerProvider({ resource, sampler: samplerOf(settings), spanProcessors });
  const tracer = provider.getTracer('atelier', version);
  const running = new AsyncLocalStorage<Context>();
  const current = () => running.getStore() ?? ROOT_CONTEXT;

  async function within<T>(
    parent: Context,
    { name, kind, attributes, links = [] }: Begun,
    work: (span: Span) => Promise<T>,
  ): Promise<T> {
    const span = tracer.startSpan(name, { kind, attributes: { ...attributes }, links }, parent);
    try {
      return await running.run(trace.setSpan(parent, span), () =>
        work({
          set: (more) => void span.setAttributes({ ...more }),
          rename: (other) => void span.updateName(other),
        }),
      );
    } catch (error) {
      // What the error says may repeat what a caller has sent.
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', typeOf(error));
      throw error;
    } finally {
      span.end();
    }
  }
  const stopOutgoing = traceOutgoing({ tracer, current, collectors });
  return {
    tracing: {
      span: (name, attributes, work) =>
        within(current(), { name, attributes, kind: SpanKind.INTERNAL }, work),
      enter: (from, name, attributes, work) => {
        const { parent, links } = beginning(from);
        return within(parent, { name, attributes, links, kind: KINDS[from.by] }, work);
      },
      traceContext: () => writeTraceContext(current()),
    },
    close: async () => {
      stopOutgoing();
      await provider.shutdown();
    },
  };
}

interface Begun {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  readonly links?: Link[];
}

const KINDS = { request: SpanKind.SERVER, job: SpanKind.CONSUMER } as const;

function beginning({ isTrusted, ...sent }: Origin): { parent: Context; links: Link[] } {
  const parent = readTraceContext(sent);
  const context = trace.getSpanContext(parent);
  return context && !isTrusted ? { parent: ROOT_CONTEXT, links: [{ context }] } : { parent, links: [] };
}

function typeOf(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return String(code ?? name ?? 'unknown');
}

function samplerOf({ sampler, samplerArg }: Parts['settings']): Sampler {
  const [, isParentBased, kind] = /^(parentbased_)?(.*)$/.exec(sampler)!;
  const root =
    kind === 'always_off'
      ? new AlwaysOffSampler()
      : kind === 'traceidratio'
        ? new TraceIdRatioBasedSampler(samplerArg)
        : new AlwaysOnSampler();
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}
