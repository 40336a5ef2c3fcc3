/** How long calls took since the server started, so that a dry run can say what to expect. */
export interface Durations {
  record(run: Run): void;
  /** From runs with the same tool and price, and a similar number of pixels where there are any. */
  estimate(asked: Omit<Run, 'ms' | 'isStopped'>): Estimate;
}

interface Run {
  readonly tool: string;
  /** Price of the call: where it depends on a field, that field determines the work as well. */
  readonly credit: number;
  /** Megapixels of all images in the input together; absent without images, or where a size is not known. */
  readonly megapixels?: number | undefined;
  readonly ms: number;
  /** Whether it was stopped at its deadline, so that its duration is a lower bound. */
  readonly isStopped?: boolean;
}

export interface Estimate {
  /** Median. */
  readonly typical_ms: number | null;
  /** 90th percentile. */
  readonly slow_ms: number | null;
  readonly runs: number;
  readonly basis: string;
}

/** Stored runs per tool and price; the oldest are dropped. */
const RUNS_KEPT = 200;
/** Runs are similar between half and double the pixels. */
const ALIKE = 2;

export function createDurations(): Durations {
  const kept = new Map<string, Run[]>();
  const nameOf = ({ tool, credit }: Pick<Run, 'tool' | 'credit'>) => `${tool} ${credit}`;
  return {
    record(run) {
      const runs = kept.get(nameOf(run)) ?? [];
      runs.push(run);
      if (runs.length > RUNS_KEPT) runs.shift();
      kept.set(nameOf(run), runs);
    },
    estimate: (asked) => estimateFrom(kept.get(nameOf(asked)) ?? [], asked.megapixels),
  };
}

function estimateFrom(runs: readonly Run[], megapixels: number | undefined): Estimate {
  if (runs.length === 0) {
    const basis = 'No estimate: this call has not run since the server started.';
    return { typical_ms: null, slow_ms: null, runs: 0, basis };
  }
  const alike =
    megapixels === undefined ? [] : runs.filter((run) => areAlike(run.megapixels ?? 0, megapixels));
  const size = `between ${roundToTwoDigits((megapixels ?? 0) / ALIKE)} and ${roundToTwoDigits((megapixels ?? 0) * ALIKE)} megapixels`;
  if (alike.length > 0) return measureRuns(alike, `with ${size}`);
  if (megapixels === undefined) return measureRuns(runs, 'of any size');
  return measureRuns(runs, `of other sizes, because none was ${size}; larger images take longer`);
}

const areAlike = (a: number, b: number): boolean => a >= b / ALIKE && a <= b * ALIKE;

function measureRuns(runs: readonly Run[], which: string): Estimate {
  const times = runs.map(({ ms }) => ms).sort((a, b) => a - b);
  const below = (share: number) => Math.ceil(times[Math.ceil(times.length * share) - 1]!);
  const count = times.length === 1 ? 'one run' : `the latest ${times.length} runs`;
  const stopped = runs.filter(({ isStopped }) => isStopped).length;
  const beside = stopped === 0 ? '' : `; ${stopped} of them were stopped at the deadline`;
  return {
    typical_ms: below(0.5),
    slow_ms: below(0.9),
    runs: times.length,
    basis: `Measured on this server: ${count} ${which}${beside}.`,
  };
}

const roundToTwoDigits = (value: number): number => Number(value.toPrecision(2));
