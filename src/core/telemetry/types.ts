import type { CounterName, HistogramName, LabelsOf, MetricName } from './metrics.ts';

/** What happens here, counted and timed, and as traces where somebody collects them. */
export interface Telemetry extends Counting, Tracing {
  /** Runs a tool, and adds where its time went in work on pixels. Seconds. */
  timeCall<T>(tool: string, work: () => Promise<T>): Promise<T>;
  /** Adds to the tool that runs now. */
  addPart(part: Part, seconds: number): void;
  /** Asks this source whenever somebody looks. What fails or hangs is left out. */
  watch(source: Source): void;
  /** All metrics in Prometheus' text format. Asked often, it looks at the sources only now and then. */
  exposition(): Promise<Exposition>;
  /** Sends what is still to be sent. */
  close(): Promise<void>;
}

export interface Counting {
  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, seconds: number): void;
}

/** Tells a value as it is now: of a gauge, or of a counter that somebody else counts. */
export type Tell = <Name extends Exclude<MetricName, HistogramName>>(
  name: Name,
  labels: LabelsOf<Name>,
  value: number,
) => void;
export type Source = (tell: Tell) => void | Promise<void>;

export interface Exposition {
  readonly text: string;
  readonly contentType: string;
}

/** What is measured here, for whoever may know. */
export interface Reading {
  exposition(): Promise<Exposition>;
  mayRead(reader: Reader): boolean;
}

/** Somebody who wants to know. */
export interface Reader {
  readonly address: string;
  readonly bearer?: string | undefined;
  /** Of the request. */
  header(name: string): string | undefined;
}

export type Part = 'waiting' | 'decoding' | 'engine' | 'encoding';

export interface Tracing {
  /** Runs work as a span of the trace that runs now, or of a new one. Without a collector it only runs it. */
  span<T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T>;
  /** The same within the trace another process has begun, as it named it. */
  enter<T>(from: Origin, name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T>;
  /** Of what runs now, for whoever goes on with it; undefined where nothing is traced. */
  traceContext(): TraceContext | undefined;
}

/** W3C Trace Context, as its headers have it. */
export interface TraceContext {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}

/** Who began a trace, and what goes on with it here. */
export interface Origin extends TraceContext {
  readonly by: 'request' | 'job';
  /** Ours goes on with it. Of anybody else it is only linked to: strangers must not decide what is recorded. */
  readonly isTrusted: boolean;
}

/** Names from our own lists, and numbers: no secret, nothing a caller has written. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Span {
  set(attributes: Attributes): void;
  rename(name: string): void;
}
