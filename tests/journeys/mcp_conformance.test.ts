import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXPECTED_GAPS } from '../mcp/expected_gaps.ts';
import { listen } from '../mcp/listen.ts';
import { runSuite } from '../mcp/run_suite.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';

/** The official conformance suite against the whole service. What it does not pass needs fixtures; `tests/mcp/conformance.test.ts` has them. */

let app: TestApp;
let server: { url: string; close(): void };

beforeAll(async () => {
  app = await openTestApp();
  server = await listen(async (request) => app.fetch(request));
});
afterAll(async () => {
  server?.close();
  await app?.close();
});

test.each([
  ['2026-07-28', 50],
  ['2025-11-25', 33],
])('the service passes the suite for %s except for missing fixtures', async (revision, scenarios) => {
  const { ran, failed } = await runSuite('current', server.url, ['--requirements', revision]);

  expect(ran).toHaveLength(scenarios);
  expect(failed).toEqual(Object.keys(EXPECTED_GAPS[`the product, ${revision}`]!).sort());
});
