import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const shared = { testTimeout: 20_000, hookTimeout: 60_000, pool: 'forks' as const };

export default defineConfig({
  test: {
    // Most tests wait for a database or a child process: on two cores three at a time take half as long as one.
    maxWorkers: Math.max(3, availableParallelism()),
    projects: [
      {
        test: {
          ...shared,
          name: 'units',
          include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: ['tests/conformance/**'],
          globalSetup: ['tests/support/runtime.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'conformance',
          include: ['tests/conformance/**/*.test.ts'],
          globalSetup: ['tests/support/runtime.ts', 'tests/conformance/server.ts'],
        },
      },
    ],
  },
});
