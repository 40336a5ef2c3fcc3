import type { Reading } from '../../src/core/telemetry/types.ts';
import type { EngineHealth } from '../../src/features/operator/health/health.ts';

/** Metrics without access, for tests that do not read them. */
export const CLOSED_METRICS: Reading = {
  mayRead: () => false,
  exposition: () => Promise.reject(new Error('not asked')),
};

/** A server without engine self-tests. */
export const NO_ENGINES: EngineHealth = { check: async () => ({}) };
