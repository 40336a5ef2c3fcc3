import type { Reading } from '../../src/core/telemetry/types.ts';
import type { EngineHealth } from '../../src/features/operator/health/health.ts';

/** Metrics nobody may read, for tests that are not about them. */
export const CLOSED_METRICS: Reading = {
  mayRead: () => false,
  exposition: () => Promise.reject(new Error('not asked')),
};

/** A server whose engines nobody tries. */
export const NO_ENGINES: EngineHealth = { check: async () => ({}) };
