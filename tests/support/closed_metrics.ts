import type { EngineHealth } from '../../src/services/health/contract.ts';
import type { Reading } from '../../src/services/telemetry/contract.ts';

/** Metrics nobody may read, for tests that are not about them. */
export const CLOSED_METRICS: Reading = {
  mayRead: () => false,
  exposition: () => Promise.reject(new Error('not asked')),
};

/** A server whose engines nobody tries. */
export const NO_ENGINES: EngineHealth = { check: async () => ({}) };
