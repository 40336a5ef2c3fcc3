import type { PixelControl, Pixels } from '../workers/types.ts';
import { wrapPixels } from '../workers/wrap_pixels.ts';
import type { CpuAccount, CpuBudget } from './types.ts';

interface Options {
  readonly cpu: Pick<CpuBudget, 'charge' | 'reserve'>;
  /** Account of the current request or job; undefined outside of both. */
  account(): CpuAccount | undefined;
}

/** Decorates the workers: charges the CPU seconds of every run to its request or job, whether it succeeds or fails. */
export function chargePixels(pixels: Pixels, options: Options): Pixels {
  return wrapPixels(pixels, {
    run: (engine, input, control) =>
      chargeRun(options, { control, predicted: pixels.predict(engine, input, control) }, (watched) =>
        pixels.run(engine, input, watched),
      ),
  });
}

async function chargeRun<T>(
  { cpu, account }: Options,
  { control, predicted }: { control: PixelControl; predicted: number },
  run: (watched: PixelControl) => Promise<T>,
): Promise<T> {
  const payer = account() ?? accountOf(control);
  const release = cpu.reserve(payer, predicted);
  let startedAt: number | undefined;
  let spent: number | undefined;
  const watched: PixelControl = {
    ...control,
    onStart() {
      startedAt = performance.now();
      control.onStart?.();
    },
    onSpent(parts) {
      spent = parts.cpu;
      control.onSpent?.(parts);
    },
  };
  try {
    return await run(watched);
  } finally {
    release();
    // A stopped process reports nothing: its run is charged as one core since its start.
    const ranSeconds = startedAt === undefined ? 0 : (performance.now() - startedAt) / 1000;
    cpu.charge(payer, spent ?? ranSeconds, 'engine');
  }
}

const accountOf = ({ address }: PixelControl): CpuAccount | undefined =>
  address === undefined ? undefined : { address };
