import type { Config } from '../../config/config.ts';
import type { AtelierError } from '../errors/atelier_error.ts';
import type { Telemetry } from '../telemetry/types.ts';
import { ALL, type Budget, createAccounts } from './accounts.ts';
import { createBuckets } from './buckets.ts';
import { cpuRefusal } from './charge_pixels.ts';
import { CPU_CHARGE_STEP_SECONDS, CPU_KEYS_MAX } from './limits.ts';
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
