import { AsyncLocalStorage } from 'node:async_hooks';
import type { Meter } from './create_meter.ts';
import { METRICS, type MetricName } from './metrics.ts';
import type { Part, Series, Telemetry, Tracing } from './types.ts';

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
