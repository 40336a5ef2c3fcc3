import { AtelierError } from '../errors/atelier_error.ts';
import { rateHeaders } from '../rate_limits/rate_limited.ts';
import type { PixelControl, Pixels } from '../workers/types.ts';
import { wrapPixels } from '../workers/wrap_pixels.ts';
import type { Budget } from './accounts.ts';
import type { CpuAccount, CpuBudget, CpuLimits } from './types.ts';

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

/** The name of the limit in RateLimit headers and in `violated_policies`. */
const POLICY = 'cpu-seconds';

interface Refused {
  readonly waitSeconds: number;
  readonly isRepeat: boolean;
}

/** The error of a client whose budget is exhausted. Retry-After is the time until work is admitted again. */
export function cpuRefusal(
  limits: CpuLimits,
  budget: Budget,
  { waitSeconds, isRepeat }: Refused,
): AtelierError {
  // Rounded up, so that no client returns too early: at exactly zero the budget is still exhausted.
  const retryAfterSeconds = Math.floor(waitSeconds) + 1;
  const policy = {
    name: POLICY,
    calls: budget.capacity,
    perSeconds: Math.ceil(limits.burst / limits.refill),
  };
  return new AtelierError(
    'rate_limited',
    `${OWNERS[budget.scope](budget.name)} has used its CPU time: a budget of ${numberText(budget.capacity)} CPU-seconds, refilled at ${numberText(budget.refill)} per second. Retry in ${retryAfterSeconds} s.${advice(budget, limits)} You were not charged.`,
    {
      isRepeat,
      retryAfterSeconds,
      headers: rateHeaders(policy, { remaining: 0, resetSeconds: retryAfterSeconds }),
      members: { violated_policies: [POLICY] },
    },
  );
}

const OWNERS: Readonly<Record<Budget['scope'], (name: string) => string>> = {
  address: () => 'Your IP address',
  network: (name) => `Your network ${name}`,
  wallet: () => 'Your wallet',
};

/** Credits help only if the budget without credits is exhausted. */
const advice = ({ scope, capacity }: Budget, { burst }: CpuLimits): string =>
  scope === 'address' && capacity === burst
    ? ' Calls of a wallet with credits have 4 times that budget.'
    : '';

const numberText = (value: number): string => String(Math.round(value * 1000) / 1000);

/** Whether an error is the refusal of an exhausted CPU budget. */
export const isCpuRefusal = (error: unknown): error is AtelierError =>
  error instanceof AtelierError &&
  error.code === 'rate_limited' &&
  (error.details.members?.violated_policies as string[] | undefined)?.[0] === POLICY;
