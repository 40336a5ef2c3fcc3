import type { Config } from '../../config/config.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { rateHeaders } from '../rate_limits/rate_limited.ts';
import { addressPrefixes } from '../rate_limits/rate_limits.ts';
import type { Telemetry } from '../telemetry/types.ts';
import type { PixelControl, Pixels } from '../workers/types.ts';
import { wrapPixels } from '../workers/wrap_pixels.ts';
import {
  CPU_CHARGE_STEP_SECONDS,
  CPU_CREDITS_FACTOR,
  CPU_EVICTION_TRIES,
  CPU_KEYS_MAX,
  CPU_NETWORK_FACTORS,
} from './limits.ts';
import type { CpuAccount, CpuBudget, CpuClass, CpuLimits, CpuScope } from './types.ts';

/** The configured budgets. */
export function openCpuBudget(config: Config, telemetry: Telemetry): CpuBudget {
  const { CPU_SECONDS_BURST: burst, CPU_SECONDS_REFILL: refill } = config;
  const cpu = createCpuBudget({ limits: { burst, refill }, telemetry });
  telemetry.watch((tell) => {
    for (const [scope, count] of Object.entries(cpu.exhausted()))
      tell('atelier_cpu_budgets_exhausted', { scope }, count);
  });
  return cpu;
}

interface Options {
  readonly limits: CpuLimits;
  readonly telemetry: Pick<Telemetry, 'count'>;
  readonly keysMax?: number;
  /** Monotonic milliseconds: setting the system clock must not release or block an address. */
  readonly now?: () => number;
}

/** Token buckets in the memory of this process: a restart fills them, and each server has its own. */
export function createCpuBudget({
  limits,
  telemetry,
  keysMax = CPU_KEYS_MAX,
  now = () => performance.now(),
}: Options): CpuBudget {
  const buckets = createBuckets<Budget>({ keysMax, now });
  const budgetsOf = createAccounts(limits);
  /** Collects small charges into larger ones. */
  const pending = new WeakMap<CpuAccount, Record<CpuClass, number>>();
  const isOff = limits.burst === 0;
  /** Budgets with refusals since they were last above zero. */
  const refused = new Set<string>();

  const budgetsIn = (account: CpuAccount | undefined) => (isOff || !account ? [] : budgetsOf(account));
  const take = (budgets: readonly Budget[], seconds: number) => {
    for (const budget of budgets) buckets.take(budget, seconds);
  };
  function settle(account: CpuAccount): void {
    const charged = Object.entries(pending.get(account) ?? {}) as [CpuClass, number][];
    pending.delete(account);
    for (const [cpuClass, seconds] of charged)
      if (seconds > 0) telemetry.count('atelier_cpu_seconds_total', { class: cpuClass }, seconds);
    take(
      budgetsIn(account),
      charged.reduce((sum, [, seconds]) => sum + seconds, 0),
    );
  }

  const waitOf = (budget: Budget) => Math.max(0, -buckets.level(budget) / budget.refill);

  function refuse(budget: Budget, waitSeconds: number): AtelierError {
    const isRepeat = refused.has(budget.key);
    if (refused.size >= keysMax) refused.clear();
    refused.add(budget.key);
    telemetry.count('atelier_cpu_refusals_total', { scope: budget.scope });
    return cpuRefusal(limits, budget, { waitSeconds, isRepeat });
  }

  return {
    require(account) {
      let longest: { budget: Budget; waitSeconds: number } | undefined;
      for (const budget of budgetsIn(account)) {
        if (buckets.level(budget) > 0) {
          refused.delete(budget.key);
          continue;
        }
        const waitSeconds = waitOf(budget);
        if (!longest || waitSeconds > longest.waitSeconds) longest = { budget, waitSeconds };
      }
      if (longest) throw refuse(longest.budget, longest.waitSeconds);
    },
    isExhausted: (account) => budgetsIn(account).some((budget) => buckets.level(budget) <= 0),
    charge(account, seconds, cpuClass) {
      if (!account) return telemetry.count('atelier_cpu_seconds_total', { class: cpuClass }, seconds);
      const charged = pending.get(account) ?? { main: 0, engine: 0, database: 0 };
      pending.set(account, charged);
      charged[cpuClass] += seconds;
      if (cpuClass === 'engine' || charged[cpuClass] >= CPU_CHARGE_STEP_SECONDS) settle(account);
    },
    settle,
    reserve(account, seconds) {
      const budgets = budgetsIn(account);
      take(budgets, seconds);
      return () => take(budgets, -seconds);
    },
    heaviest(countMax) {
      return buckets
        .entries()
        .filter(({ bucket }) => !bucket.key.startsWith(ALL))
        .map(({ bucket, level }) => ({
          name: bucket.name,
          scope: bucket.scope,
          usedSeconds: bucket.capacity - level,
          waitSeconds: Math.max(0, -level / bucket.refill),
        }))
        .sort((a, b) => b.usedSeconds - a.usedSeconds)
        .slice(0, countMax);
    },
    exhausted() {
      const counts: Record<CpuScope, number> = { address: 0, network: 0, wallet: 0 };
      for (const { bucket, level } of buckets.entries()) if (level <= 0) counts[bucket.scope] += 1;
      return counts;
    },
  };
}

interface ChargeOptions {
  readonly cpu: Pick<CpuBudget, 'charge' | 'reserve'>;
  /** Account of the current request or job; undefined outside of both. */
  account(): CpuAccount | undefined;
}

/** Decorates the workers: charges the CPU seconds of every run to its request or job, whether it succeeds or fails. */
export function chargePixels(pixels: Pixels, options: ChargeOptions): Pixels {
  return wrapPixels(pixels, {
    run: (engine, input, control) =>
      chargeRun(options, { control, predicted: pixels.predict(engine, input, control) }, (watched) =>
        pixels.run(engine, input, watched),
      ),
  });
}

async function chargeRun<T>(
  { cpu, account }: ChargeOptions,
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
function cpuRefusal(limits: CpuLimits, budget: Budget, { waitSeconds, isRepeat }: Refused): AtelierError {
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

/** A budget with its subject. */
interface Budget extends Bucket {
  readonly scope: CpuScope;
  /** Display name for operators. */
  readonly name: string;
}

/** The budgets an account draws on, computed once for each of its two states. */
function createAccounts(limits: CpuLimits): (account: CpuAccount) => readonly Budget[] {
  const known = new WeakMap<CpuAccount, { credits: CpuAccount['credits']; budgets: readonly Budget[] }>();
  return (account) => {
    const { credits } = account;
    const found = known.get(account);
    if (found && found.credits === credits) return found.budgets;
    const budgets = budgetsOf(limits, account);
    known.set(account, { credits, budgets });
    return budgets;
  };
}

/**
 * Work without credits draws on the address. All work of an address, with credits or without, draws on 4 times its budget and on the
 * networks: wallets cost nothing to make, so no number of them gets more from one address.
 */
function budgetsOf({ burst, refill }: CpuLimits, { address, credits }: CpuAccount): Budget[] {
  const [host, ...networks] = addressPrefixes(address) as [string, ...string[]];
  const budget = (scope: CpuScope, name: string, factor: number): Budget => ({
    scope,
    name,
    key: `${scope} ${name}`,
    capacity: burst * factor,
    refill: refill * factor,
  });
  const factorOf = (network: string) => CPU_NETWORK_FACTORS[network.split('/')[1]!]!;
  return [
    ...(credits ? [] : [budget('address', host, 1)]),
    ...(credits?.provenWallet ? [budget('wallet', credits.provenWallet, CPU_CREDITS_FACTOR)] : []),
    { ...budget('address', host, CPU_CREDITS_FACTOR), key: `${ALL} ${host}` },
    ...networks.map((network) => budget('network', network, factorOf(network))),
  ];
}

/** Key prefix of the budget for all work of one address. */
const ALL = 'all of';

/** Token buckets by key, in CPU seconds. A full bucket is dropped; debt is a negative level. */
interface Buckets<One extends Bucket> {
  /** Current level of the bucket; its capacity if it is not stored. */
  level(bucket: One): number;
  /** Takes seconds, into debt if necessary; a negative number returns them. */
  take(bucket: One, seconds: number): void;
  /** Every bucket that is not full, with its level now. */
  entries(): { readonly bucket: One; readonly level: number }[];
}

interface Bucket {
  readonly key: string;
  /** Level of a full bucket, CPU seconds. */
  readonly capacity: number;
  /** CPU seconds per second. */
  readonly refill: number;
}

interface Level<One> {
  bucket: One;
  level: number;
  /** Time of `level`, in monotonic ms. */
  at: number;
}

/** @param now monotonic milliseconds */
export function createBuckets<One extends Bucket>({
  keysMax,
  now,
}: {
  keysMax: number;
  now(): number;
}): Buckets<One> {
  const levels = new Map<string, Level<One>>();

  const levelAt = ({ bucket, level, at }: Level<One>, time: number): number =>
    Math.min(bucket.capacity, level + ((time - at) / 1000) * bucket.refill);

  /** The oldest bucket without debt, so that a flood of new keys does not clear the heaviest users. */
  const evict = (time: number) => {
    for (let tried = 0; tried < CPU_EVICTION_TRIES; tried += 1) {
      const [key, oldest] = levels.entries().next().value!;
      levels.delete(key);
      if (levelAt(oldest, time) > 0) return;
      levels.set(key, oldest);
    }
    levels.delete(levels.keys().next().value!);
  };

  return {
    level(bucket) {
      const known = levels.get(bucket.key);
      return known ? levelAt(known, now()) : bucket.capacity;
    },
    take(bucket, seconds) {
      const time = now();
      const known = levels.get(bucket.key);
      const level = Math.min(bucket.capacity, (known ? levelAt(known, time) : bucket.capacity) - seconds);
      levels.delete(bucket.key);
      if (level >= bucket.capacity) return;
      levels.set(bucket.key, { bucket, level, at: time });
      if (levels.size > keysMax) evict(time);
    },
    entries() {
      const time = now();
      return [...levels.values()]
        .map((known) => ({ bucket: known.bucket, level: levelAt(known, time) }))
        .filter(({ bucket, level }) => level < bucket.capacity);
    },
  };
}
