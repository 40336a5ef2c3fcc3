import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { WAIT_MS_MAX } from './tests/support/wait_ms_max.ts';

const common = {
  // Only what hangs fails: how long a thing takes is measured in bench/, and CI shares its machine.
  testTimeout: 180_000,
  expect: { poll: { timeout: WAIT_MS_MAX } },
  hookTimeout: 180_000,
  pool: 'forks' as const,
  globalSetup: ['tests/support/runtime.ts'],
  // No test uses the internet: servers they start fetch no networks.
  env: { MODELS_PULL: 'none' },
};
/** For what a disk adds nothing to but waiting. */
const IN_MEMORY = 'tests/support/temporary_folder.ts';
const CONFORMANCE = 'tests/conformance/**/*.test.ts';
const FAULTS = 'tests/faults/**/*.test.ts';
/** Pictures and odd values through the whole service, minutes of them: a command of its own. */
const JOURNEYS = 'tests/journeys/**/*.test.ts';
/** Known answers made by others, in a folder beside the repository that a clone does not have. */
const SHARED = '**/*.shared.test.ts';

export default defineConfig({
  test: {
    // Most tests wait for a database or a child process: on two cores three at a time take half as long as one.
    maxWorkers: Math.max(3, availableParallelism()),
    reporters: ['default', './tests/support/count_skipped.ts'],
    projects: [
      {
        test: {
          ...common,
          name: 'units',
          include: ['{packages,src,tests}/**/*.test.ts'],
          exclude: [CONFORMANCE, FAULTS, JOURNEYS, SHARED],
          globalSetup: [...common.globalSetup, IN_MEMORY],
        },
      },
      {
        test: {
          ...common,
          name: 'conformance',
          include: [CONFORMANCE],
          globalSetup: [...common.globalSetup, IN_MEMORY, 'tests/conformance/server.ts'],
        },
      },
      { test: { ...common, name: 'faults', include: [FAULTS] } },
      // Whole ways: several calls each, on machines that others keep busy.
      { test: { ...common, testTimeout: 240_000, name: 'journeys', include: [JOURNEYS] } },
      {
        test: { ...common, name: 'shared', include: [`{packages,src,tests}/${SHARED}`] },
      },
    ],
  },
});
