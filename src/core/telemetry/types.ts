import type { CounterName, HistogramName, LabelsOf, MetricName } from './metrics.ts';

/** One metric with one set of labels. */
export interface Series {
  /** In the order of the table. */
  readonly labels: readonly string[];
  /** For a histogram: the sum of observations. */
  value: number;
  /** For a histogram: observations per bucket, not cumulative; the last bucket is unbounded. */
  readonly counts: number[];
}

/** Series by metric. */
export type Counted = ReadonlyMap<MetricName, readonly Series[]>;

/** Metrics, and traces if a collector is configured. */
export interface Telemetry extends MetricRecorder, Tracing {
  /** Runs a tool, and records the phases of its pixel work in seconds. */
  timeCall<T>(tool: string, work: () => Promise<T>): Promise<T>;
  /** Adds seconds to a phase of the current tool. */
  addPart(part: Part, seconds: number): void;
  /** Registers a source that is read at each scrape. A source that fails or hangs is skipped. */
  watch(source: Source): void;
  /** All metrics in the Prometheus text format. Sources are cached briefly. */
  exposition(): Promise<Exposition>;
  /** Counters and histograms at their current values, without reading the sources. */
  counted(): Counted;
  /** Flushes pending exports. */
  close(): Promise<void>;
}

export interface MetricRecorder {
  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, seconds: number): void;
}

/** Sets the current value of a gauge, or of a counter that another component counts. */
export type SetMetric = <Name extends Exclude<MetricName, HistogramName>>(
  name: Name,
  labels: LabelsOf<Name>,
  value: number,
) => void;
export type Source = (tell: SetMetric) => void | Promise<void>;

export interface Exposition {
  readonly text: string;
  readonly contentType: string;
}

/** Read access to metrics, for authorised clients. */
export interface Reading {
  exposition(): Promise<Exposition>;
  mayRead(reader: Reader): boolean;
}

/** A client that reads metrics. */
export interface Reader {
  readonly address: string;
  readonly bearer?: string | undefined;
  /** Header of the request. */
  header(name: string): string | undefined;
}

export type Part = 'waiting' | 'decoding' | 'engine' | 'encoding';

export interface Tracing {
  /** Runs work in a child span, or in a new trace. Without a collector it only runs the work. */
  span<T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T>;
  /** The same within the trace of another process. */
  enter<T>(from: Origin, name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T>;
  /** Context of the current span, to propagate to downstream work; undefined if nothing is traced. */
  traceContext(): TraceContext | undefined;
}

/** W3C Trace Context, as in its headers. */
export interface TraceContext {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}

/** Origin of a trace, and its continuation here. */
export interface Origin extends TraceContext {
  readonly by: 'request' | 'job';
  /** Trusted: continue the trace. Otherwise only link to it: clients must not control sampling. */
  readonly isTrusted: boolean;
}

/** Names from fixed lists, and numbers: no secrets, no client input. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Span {
  set(attributes: Attributes): void;
  rename(name: string): void;
}
