import type { Config } from '../../config/config.ts';
import type { Telemetry } from '../telemetry/types.ts';
import { createCpuBudget } from './cpu_budget.ts';
import type { CpuBudget } from './types.ts';

/** The budgets of the settings. */
export function openCpuBudget(config: Config, telemetry: Telemetry): CpuBudget {
  const { CPU_SECONDS_BURST: burst, CPU_SECONDS_REFILL: refill } = config;
  const cpu = createCpuBudget({ limits: { burst, refill }, telemetry });
  telemetry.watch((tell) => {
    for (const [scope, count] of Object.entries(cpu.exhausted()))
      tell('atelier_cpu_budgets_exhausted', { scope }, count);
  });
  return cpu;
}
