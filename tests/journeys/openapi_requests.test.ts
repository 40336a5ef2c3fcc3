import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importExampleWork } from '../support/import_example_work.ts';
import { installNoiseModel } from '../support/install_model.ts';
import { makeOperator } from '../support/openapi_requests/identities.ts';
import { type Played, playRequests } from '../support/openapi_requests/play_requests.ts';
import { startService } from '../support/start_service.ts';
import { UNLIMITED } from '../support/unlimited.ts';

/** Requests made from the served document, of every kind and by all kinds of callers. Decision 1 has figures of ten thousand. */

const COUNT = 1_500;
/** The same requests in every run: what fails fails again. */
const SEED = 180_628_650;

const folder = mkdtempSync(join(tmpdir(), 'atelier-requests-'));
let played: Played;
beforeAll(async () => {
  const settings = { ...UNLIMITED, DATA_DIR: folder, TRUSTED_PROXIES: '127.0.0.1' };
  await importExampleWork(folder);
  await installNoiseModel(folder);
  const token = await makeOperator(settings);
  const service = await startService(settings);
  played = await playRequests({ url: service.url, token, count: COUNT, seed: SEED });
  service.process.kill('SIGKILL');
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every response matches the OpenAPI document without server errors', () => {
  expect(played.problems).toEqual([]);
});

test('the ledger balances after the requests', () => {
  expect(played.isBalanced).toBe(true);
});

test('every kind of request is answered, and most operations are reached', () => {
  expect(played.counts.size).toBe(9);
  expect(played.unreached.length).toBeLessThan(played.operations / 2);
});
