import { afterAll, beforeAll, expect, test } from 'vitest';
import { inParallel } from '../support/in_parallel.ts';
import { type OddRequest, oddMcpCalls, oddRequests } from '../support/odd_requests.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { bearer } from '../support/owner.ts';
import { toppedUp } from '../support/topped_up.ts';

/**
 * Odd values in every field of every tool and every other endpoint: an answer or a clear refusal, never a fault of ours. What belongs
 * together as JSON is also sent over MCP.
 */

const WALLET = `0x${'f'.repeat(40)}`;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ UPLOADS_PER_HOUR: '1000000' });
  await toppedUp(app.post, WALLET);
});
afterAll(() => app?.close());

test('every endpoint handles odd values in each field without a server error', async () => {
  const requests = oddRequests((await app.get('/openapi.json')).body, WALLET);
  expect(requests.length).toBeGreaterThan(4000);
  expect(await faultsOf(requests)).toEqual([]);
}, 900_000);

test('every tool handles odd values over MCP without a server error', async () => {
  expect(await faultsOf(oddMcpCalls())).toEqual([]);
}, 900_000);

async function faultsOf(requests: readonly OddRequest[]): Promise<string[]> {
  const faults: string[] = [];
  await inParallel(requests, 4, async ({ what, method, path, body }) => {
    const headers = { 'Content-Type': 'application/json', ...bearer(WALLET) };
    const request = new Request(`http://atelier.test${path}`, { method, headers, ...(body && { body }) });
    const response = await app.fetch(request);
    const text = await response.text();
    const isFault = response.status >= 500 || /"code":(-32603|"internal_error")/.test(text);
    if (isFault) faults.push(`${what}: ${response.status} ${text.slice(-300)}`);
  });
  return faults;
}
