import { AsyncLocalStorage } from 'node:async_hooks';
import { METRICS, type MetricName } from './metrics.ts';
import type {
  Counted,
  MetricRecorder,
  Part,
  Series,
  SetMetric,
  Source,
  Telemetry,
  Tracing,
} from './types.ts';

/** All metrics in the Prometheus text format 0.0.4. */
export async function writeExposition(meter: Pick<Meter, 'read'>): Promise<string> {
  const found = await meter.read();
  return (Object.keys(METRICS) as MetricName[]).map((name) => ofMetric(name, found.get(name) ?? [])).join('');
}

const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

function ofMetric(name: MetricName, series: readonly Series[]): string {
  const { kind, help } = METRICS[name];
  const lines = series.flatMap((one) => (kind === 'histogram' ? histogram(name, one) : [line(name, one)]));
  return [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${kind}`, ...lines, ''].join('\n');
}

function line(name: MetricName, { labels, value }: Series): string {
  return `${name}${labelled(name, labels)} ${value}`;
}

function histogram(name: MetricName, { labels, value, counts }: Series): string[] {
  const metric = METRICS[name];
  const bounds = 'buckets' in metric ? [...metric.buckets.map(String), '+Inf'] : [];
  let sum = 0;
  const buckets = bounds.map((bound, at) => {
    sum += counts[at] ?? 0;
    return `${name}_bucket${labelled(name, labels, bound)} ${sum}`;
  });
  const ofAll = labelled(name, labels);
  return [...buckets, `${name}_sum${ofAll} ${value}`, `${name}_count${ofAll} ${sum}`];
}

function labelled(name: MetricName, values: readonly string[], bound?: string): string {
  const pairs = METRICS[name].labels.map(
    (label, at) => `${label}="${escaped(values[at]!).replaceAll('"', '\\"')}"`,
  );
  const all = bound === undefined ? pairs : [...pairs, `le="${bound}"`];
  return all.length > 0 ? `{${all.join(',')}}` : '';
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

interface TelemetryDeps {
  readonly meter: Meter;
  /** Absent: no tracing. */
  readonly tracing?: Tracing;
  /** Flushes pending exports. */
  readonly flush?: () => Promise<void>;
}

/** Seconds per phase of a tool's work. */
type Taken = Map<Part, number>;

export function createTelemetry({
  meter,
  tracing = NO_TRACING,
  flush = async () => {},
}: TelemetryDeps): Telemetry {
  const running = new AsyncLocalStorage<Taken>();
  return {
    ...tracing,
    count: meter.count,
    observe: meter.observe,
    watch: meter.watch,
    counted: meter.counted,
    async timeCall(tool, work) {
      const taken: Taken = new Map();
      const began = performance.now();
      try {
        return await running.run(taken, () => tracing.span(`run ${tool}`, {}, work));
      } finally {
        meter.observe('atelier_call_seconds', { tool }, (performance.now() - began) / 1000);
        for (const [part, seconds] of taken)
          meter.observe('atelier_call_part_seconds', { tool, part }, seconds);
      }
    },
    addPart(part, seconds) {
      const taken = running.getStore();
      taken?.set(part, (taken.get(part) ?? 0) + seconds);
    },
    exposition: async () => ({ text: await writeExposition(meter), contentType: EXPOSITION_TYPE }),
    close: flush,
  };
}

const NO_SPAN = { set: () => {}, rename: () => {} };

const NO_TRACING: Tracing = {
  span: (_name, _attributes, work) => work(NO_SPAN),
  enter: (_from, _name, _attributes, work) => work(NO_SPAN),
  traceContext: () => undefined,
};

/** Cache lifetime of queue, hold and webhook metrics, whatever the scrape rate. */
const METRICS_CACHE_MS = 2_000;
/** Timeout of a metrics source; below the ten seconds of Prometheus. */
const SOURCE_TIMEOUT_MS = 4_000;
/** Minimum interval of log lines about failed exports. */
export const ERROR_LINE_MS = 60_000;
/** Sampling interval of the event loop. */
export const EVENT_LOOP_SAMPLE_MS = 20;
/** Timeout of the final export at shutdown. */
export const FLUSH_MS_MAX = 3_000;

export interface Meter extends MetricRecorder {
  watch(source: Source): void;
  /**
   * All series of all metrics, gauges at their current value. Concurrent and immediately following reads share one set of values.
   */
  read(): Promise<Counted>;
  /** Counters and histograms as they stand, without reading the sources. */
  counted(): Counted;
}

type AnyLabels = Readonly<Record<string, string>>;

/**
 * In-memory counters, gauges and histograms. Not prom-client, which takes 10 MB and 0.2 s of every start:
 * docs/decisions/0043-observability.md
 */
export function createMeter({ now = () => performance.now(), timeoutMs = SOURCE_TIMEOUT_MS } = {}): Meter {
  const all = new Map<MetricName, Map<string, Series>>();
  const sources: Source[] = [];
  let last: { readonly at: number; readonly looked: Promise<void> } | undefined;

  const seriesOf = (name: MetricName, labels: AnyLabels): Series => {
    const values = METRICS[name].labels.map((label) => labels[label]!);
    const key = values.join('\0');
    const ofName = all.get(name) ?? new Map<string, Series>();
    const series = ofName.get(key) ?? { labels: values, value: 0, counts: [] };
    all.set(name, ofName.set(key, series));
    return series;
  };
  // Counters start at 0, so that the first event shows as an increase.
  for (const name of Object.keys(METRICS) as MetricName[])
    if (METRICS[name].kind !== 'gauge' && METRICS[name].labels.length === 0) seriesOf(name, {});
  const lookNow = async () => {
    const told: Parameters<SetMetric>[] = [];
    await Promise.all(sources.map((source) => withinTime(timeoutMs, source, (...said) => told.push(said))));
    // Drops gauges without a current value, such as a tool without waiting jobs.
    for (const [name, series] of all) if (METRICS[name].kind === 'gauge') series.clear();
    for (const [name, labels, value] of told) seriesOf(name, labels).value = value;
  };
  return {
    count(name, labels, by = 1) {
      seriesOf(name, labels).value += by;
    },
    observe(name, labels, seconds) {
      const series = seriesOf(name, labels);
      const { buckets } = METRICS[name];
      const found = buckets.findIndex((bound) => seconds <= bound);
      const at = found < 0 ? buckets.length : found;
      series.counts[at] = (series.counts[at] ?? 0) + 1;
      series.value += seconds;
    },
    watch: (source) => void sources.push(source),
    async read() {
      if (!last || now() - last.at >= METRICS_CACHE_MS) last = { at: now(), looked: lookNow() };
      await last.looked;
      return seriesByName(all);
    },
    counted: () => seriesByName(all),
  };
}

const seriesByName = (all: ReadonlyMap<MetricName, ReadonlyMap<string, Series>>): Counted =>
  new Map([...all].map(([name, series]) => [name, [...series.values()]]));

/** A source that fails or hangs is skipped and does not block the others. */
async function withinTime(
  timeoutMs: number,
  source: Source,
  tell: (...said: Parameters<SetMetric>) => void,
): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, timeoutMs);
  let isOver = false;
  const tellInTime: SetMetric = (name, labels, value) => {
    if (!isOver) tell(name, labels as never, value);
  };
  try {
    // Health and `atelier_database_up` report the failure; its values are missing here.
    await Promise.race([(async () => source(tellInTime))().catch(() => {}), late.promise]);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}
