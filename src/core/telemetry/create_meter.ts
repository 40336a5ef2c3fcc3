import { METRICS, type MetricName } from './metrics.ts';
import type { Counting, Source, Tell } from './types.ts';

/** How long a look at queue, holds and webhooks counts: readers of the metrics may ask as often as they like. */
const LOOK_REMEMBERED_MS = 2_000;
/** What a source of values may take; below the ten seconds Prometheus waits. */
const LOOK_TIMEOUT_MS = 4_000;
/** Failed exports are logged at most this often. */
export const ERROR_LINE_MS = 60_000;
/** How often the event loop is looked at. */
export const EVENT_LOOP_LOOK_MS = 20;
/** What a process that stops waits for its last traces and metrics to be taken. */
export const FLUSH_MS_MAX = 3_000;

/** The values of one metric with one set of labels. */
export interface Series {
  /** In the order of the table. */
  readonly labels: readonly string[];
  /** Of a histogram: the sum of what was observed. */
  value: number;
  /** Of a histogram: how many were at most each bound, and above the last; not added up. */
  readonly counts: number[];
}

export interface Meter extends Counting {
  watch(source: Source): void;
  /** All series of all metrics, gauges as of now. Whoever asks while the sources are looked at, or right after, gets the same values. */
  read(): Promise<ReadonlyMap<MetricName, readonly Series[]>>;
}

type AnyLabels = Readonly<Record<string, string>>;

/**
 * Counters, gauges and times of the table, in memory. Written here because the usual client takes ten megabytes and two tenths of a second of
 * every start, for what are sums: docs/decisions/0120-metrics-and-traces.md
 */
export function createMeter({ now = () => performance.now(), timeoutMs = LOOK_TIMEOUT_MS } = {}): Meter {
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
  // What has not happened yet is told as 0, so that the first time shows as a rise.
  for (const name of Object.keys(METRICS) as MetricName[])
    if (METRICS[name].kind !== 'gauge' && METRICS[name].labels.length === 0) seriesOf(name, {});
  const lookNow = async () => {
    const told: Parameters<Tell>[] = [];
    await Promise.all(sources.map((source) => withinTime(timeoutMs, source, (...said) => told.push(said))));
    // What is gone, such as a tool without waiting jobs, is not told any more.
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
      if (!last || now() - last.at >= LOOK_REMEMBERED_MS) last = { at: now(), looked: lookNow() };
      await last.looked;
      return new Map([...all].map(([name, series]) => [name, [...series.values()]]));
    },
  };
}

/** A source that fails or hangs says nothing more, and holds up no other. */
async function withinTime(
  timeoutMs: number,
  source: Source,
  tell: (...said: Parameters<Tell>) => void,
): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, timeoutMs);
  let isOver = false;
  const tellInTime: Tell = (name, labels, value) => {
    if (!isOver) tell(name, labels as never, value);
  };
  try {
    // Health and `atelier_database_up` say what has failed; here its values are missing.
    await Promise.race([(async () => source(tellInTime))().catch(() => {}), late.promise]);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}
