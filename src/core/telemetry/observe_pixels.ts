import { AtelierError } from '../errors/atelier_error.ts';
import type { EngineName } from '../workers/engines.ts';
import { lengthOf } from '../workers/predict_seconds.ts';
import type { PixelControl, Pixels, Spent } from '../workers/types.ts';
import { wrapPixels } from '../workers/wrap_pixels.ts';
import type { Part, Telemetry } from './types.ts';

type Noting = Pick<Telemetry, 'span' | 'count' | 'addPart'>;

/** Decorates the workers: counts every run, times it for its tool and records a span. */
export function observePixels(pixels: Pixels, telemetry: Noting): Pixels {
  return wrapPixels(pixels, {
    run: (engine, input, control) =>
      observeRun(
        telemetry,
        { engine, control, predictedSeconds: pixels.predict(engine, input, control) },
        (watched) => pixels.run(engine, input, watched),
      ),
    reserve(input, control, work) {
      const asked = performance.now();
      return pixels.reserve(input, control, (within) => {
        telemetry.addPart('waiting', (performance.now() - asked) / 1000);
        return work(within);
      });
    },
  });
}

interface Run {
  readonly engine: EngineName;
  readonly control: PixelControl;
  /** CPU seconds. */
  readonly predictedSeconds: number;
}

function observeRun<T>(
  telemetry: Noting,
  { engine, control, predictedSeconds }: Run,
  run: (watched: PixelControl) => Promise<T>,
): Promise<T> {
  return telemetry.span(`engine ${engine}`, { 'atelier.pixels': control.pixels }, async (span) => {
    const asked = performance.now();
    const length = lengthOf(engine, predictedSeconds);
    let started: number | undefined;
    let spent: Spent | undefined;
    const watched: PixelControl = {
      ...control,
      onStart() {
        started = performance.now();
        control.onStart?.();
      },
      onSpent(parts) {
        spent = parts;
        control.onSpent?.(parts);
      },
    };
    const count = (outcome: string) => telemetry.count('atelier_engine_runs_total', { engine, outcome });
    try {
      const output = await run(watched);
      count('ok');
      return output;
    } catch (error) {
      count(outcomeOf(error));
      throw error;
    } finally {
      // Recorded here: the callbacks run in the call that freed the memory, which may be another one.
      const ended = performance.now();
      const waiting = ((started ?? ended) - asked) / 1000;
      const parts = partsOf({ waiting, spent, ranSeconds: (ended - (started ?? ended)) / 1000 });
      for (const [part, seconds] of parts) telemetry.addPart(part, seconds);
      if (started !== undefined) {
        const count = (kind: 'predicted' | 'spent', seconds: number) =>
          telemetry.count('atelier_engine_cpu_seconds_total', { engine, length, kind }, seconds);
        count('predicted', predictedSeconds);
        count('spent', spent?.cpu ?? 0);
      }
      span.set(Object.fromEntries(parts.map(([part, seconds]) => [`atelier.${part}_s`, seconds])));
    }
  });
}

function partsOf({
  waiting,
  spent,
  ranSeconds,
}: {
  waiting: number;
  spent: Spent | undefined;
  ranSeconds: number;
}): [Part, number][] {
  const { decoding = 0, engine = ranSeconds, encoding = 0 } = spent ?? {};
  const all = { waiting, decoding, engine, encoding };
  return (Object.entries(all) as [Part, number][]).filter(([, seconds]) => seconds > 0);
}

function outcomeOf(error: unknown): string {
  if (!(error instanceof AtelierError)) return 'failed';
  if (error.code === 'busy' || error.code === 'timed_out') return error.code;
  return error.status < 500 ? 'refused' : 'failed';
}
