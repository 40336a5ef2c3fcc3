import { createCpuBudget } from '../../src/core/cpu_budget/cpu_budget.ts';
import { quietTelemetry } from './quiet_telemetry.ts';

/** For services created by hand, which count no CPU time. */
export const NO_CPU_BUDGET = createCpuBudget({
  limits: { burst: 0, refill: 1 },
  telemetry: quietTelemetry(),
});
