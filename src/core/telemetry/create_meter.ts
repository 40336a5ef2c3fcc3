import { METRICS, type MetricName } from './metrics.ts';
import type { Counted, Counting, Series, Source, Tell } from './types.ts';

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

export interface Meter extends Counting {
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
    const told: Parameters<Tell>[] = [];
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
  tell: (...said: Parameters<Tell>) => void,
): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, timeoutMs);
  let isOver = false;
  const tellInTime: Tell = (name, labels, value) => {
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
