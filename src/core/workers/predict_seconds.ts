import { availableParallelism } from 'node:os';
import { seedOf, UNPREDICTABLE, WRITES_A_FILE } from './engine_seconds.ts';
import type { EngineName } from './engines.ts';
import {
  CORRECTION_MAX,
  CORRECTION_MIN,
  RATIO_SECONDS_MIN,
  RATIOS_KEPT,
  RATIOS_NEEDED,
  RATIOS_OF_AN_ADDRESS_MAX,
  SHORT_WORK_SECONDS,
} from './limits.ts';
import type { PixelControl, WorkLength } from './types.ts';

export interface Prediction {
  /** CPU seconds of all threads. */
  readonly seconds: number;
  /** The same before the correction by earlier runs. */
  readonly seedSeconds: number;
  /** Runs with the same key share a correction: engine and class of parameters. */
  readonly key: string;
}

/** What a run took in the end. */
export interface Outcome {
  readonly cpuSeconds: number;
  /** It was stopped: it would have taken more. */
  readonly isStopped: boolean;
  readonly address: string;
}

export interface Predictor {
  predict(
    engine: EngineName,
    input: unknown,
    control: Pick<PixelControl, 'pixels' | 'estimatedSeconds'>,
  ): Prediction;
  /** Corrects later predictions with the same key. */
  learn(prediction: Prediction, outcome: Outcome): void;
}

interface Ratio {
  readonly address: string;
  readonly ratio: number;
}

/**
 * Predicts from the table, times the median of measured ÷ predicted of the last runs. The median, its bounds, and the few runs of one address
 * that count keep a client from moving the prediction for everybody else's work.
 */
export function createPredictor(cores = availableParallelism()): Predictor {
  const ratios = new Map<string, Ratio[]>();
  const correctionOf = (key: string): number => {
    const kept = ratios.get(key) ?? [];
    if (kept.length < RATIOS_NEEDED) return 1;
    const sorted = kept.map(({ ratio }) => ratio).sort((one, other) => one - other);
    return Math.min(CORRECTION_MAX, Math.max(CORRECTION_MIN, sorted[Math.floor(sorted.length / 2)]!));
  };
  return {
    predict(engine, input, { pixels, estimatedSeconds }) {
      if (estimatedSeconds !== undefined) {
        const seconds = estimatedSeconds * cores;
        return { seconds, seedSeconds: seconds, key: `${engine} estimated` };
      }
      const { seconds, variant } = seedOf(engine, input, pixels);
      const key = `${engine} ${variant}`;
      return { seconds: seconds * correctionOf(key), seedSeconds: seconds, key };
    },
    learn({ key, seedSeconds }, { cpuSeconds, isStopped, address }) {
      if (Math.max(cpuSeconds, seedSeconds) < RATIO_SECONDS_MIN) return;
      const ratio = cpuSeconds / seedSeconds;
      if (isStopped && ratio < correctionOf(key)) return;
      const kept = [...(ratios.get(key) ?? []), { address, ratio }];
      const own = kept.filter((one) => one.address === address);
      const [surplus] = own.length > RATIOS_OF_AN_ADDRESS_MAX ? own : kept.length > RATIOS_KEPT ? kept : [];
      ratios.set(
        key,
        kept.filter((one) => one !== surplus),
      );
    },
  };
}

/**
 * A run that writes a file cannot be interrupted and repeated, so it could not make room for others and is never short. Nor is one whose time
 * is unknown: several of them would fill every process until they have overrun.
 * @param seconds predicted CPU seconds
 */
export const lengthOf = (engine: EngineName, seconds: number): WorkLength =>
  seconds < SHORT_WORK_SECONDS && !WRITES_A_FILE.has(engine) && !UNPREDICTABLE.has(engine) ? 'short' : 'long';
