import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMcp, createMcpFixtures } from '../../src/interfaces/mcp/index.ts';
import { EXPECTED_GAPS } from './expected_gaps.ts';
import { fakeContext } from './fake_context.ts';
import { type Listening, listen } from './listen.ts';
import { runSuite } from './run_suite.ts';

const options = { publicUrl: 'http://atelier.test', allowedOrigins: [], version: '0.5.0' };

let fixtures: Listening;
let catalogue: Listening;

beforeAll(async () => {
  fixtures = await listen(createMcpFixtures(options));
  catalogue = await listen(createMcp(fakeContext(), options));
});

afterAll(() => {
  fixtures.close();
  catalogue.close();
});

const gaps = (name: string): string[] => Object.keys(EXPECTED_GAPS[name]!).sort();

test.each([
  ['2026-07-28', 50],
  ['2025-11-25', 33],
])('the official suite for %s passes except for known gaps', async (revision, scenarios) => {
  const { ran, failed } = await runSuite('current', fixtures.url, ['--requirements', revision]);

  expect(failed).toEqual(gaps(revision));
  expect(ran).toHaveLength(scenarios);
});

test('the released official suite passes except for known gaps', async () => {
  const { ran, failed } = await runSuite('released', fixtures.url);

  expect(failed).toEqual(gaps('the released suite'));
  expect(ran).toHaveLength(30);
});

test.each([
  ['2026-07-28', 'tools-list'],
  ['2026-07-28', 'prompts-list'],
  ['2026-07-28', 'resources-list'],
  ['2026-07-28', 'caching'],
  ['2026-07-28', 'http-header-validation'],
  ['2026-07-28', 'sep-2164-resource-not-found'],
  ['2025-11-25', 'server-initialize'],
  ['2025-11-25', 'tools-list'],
  ['2025-11-25', 'prompts-list'],
  ['2025-11-25', 'resources-list'],
  ['2025-11-25', 'logging-set-level'],
])('the tool catalogue itself passes, in %s, %s', async (revision, scenario) => {
  const { ran, failed } = await runSuite('current', catalogue.url, [
    '--spec-version',
    revision,
    '--scenario',
    scenario,
  ]);

  expect({ ran, failed }).toEqual({ ran: [scenario], failed: gaps('the catalogue itself') });
});
