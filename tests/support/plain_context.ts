import { createMemoryLimiter } from '../../src/core/rate_limits/rate_limits.ts';
import { createRequestScopes } from '../../src/core/request_scope/request_scope.ts';
import { createDurations } from '../../src/pipeline/durations.ts';
import { NO_CPU_BUDGET } from './no_cpu_budget.ts';
import { quietTelemetry } from './quiet_telemetry.ts';
import { ROOMY_DISK } from './roomy_disk.ts';

/** Everything in a pipeline context except services and stored responses, without effective limits. */
export const plainContext = () => ({
  limiter: createMemoryLimiter(),
  rates: { 'free-tools': 1e6, 'paid-tools': 1e6, mcp: 1e6 },
  addressFactor: 4,
  deadlineMs: 10_000,
  jobDeadlineMs: 60_000,
  audit: { recordRefusal: () => {} },
  requestScopes: createRequestScopes({ bytesMax: 2 ** 30 }),
  disk: ROOMY_DISK,
  maintenance: { current: () => undefined },
  cpu: NO_CPU_BUDGET,
  durations: createDurations(),
  telemetry: quietTelemetry(),
  turns: new Map(),
});
