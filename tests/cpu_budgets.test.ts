import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { EXAMPLE_PNG_B64 } from '../src/features/definitions/example_image.ts';
import { ENDED, EVERY_SPECK, jobIn, noise, postJob } from './support/job_calls.ts';
import { openTestApp, type TestApp } from './support/open_test_app.ts';
import { bearer, newOwner } from './support/owner.ts';
import { makeOperatorTokens, startIssuer } from './support/token_issuer.ts';
import { WAIT_MS_MAX } from './support/wait_ms_max.ts';

// A trace of noise takes seconds of CPU time, on a busy machine more of the wall's.

const SMALL = {
  TRUSTED_PROXIES: '127.0.0.1',
  CPU_SECONDS_BURST: '0.5',
  // Nothing that is used up here is refilled while a test runs.
  CPU_SECONDS_REFILL: '0.001',
};
const from = (address: string) => ({ 'X-Forwarded-For': address });

let lastHost = 0;
/** An address that has called nothing yet. */
const newAddress = () => {
  lastHost += 1;
  return `203.0.113.${lastHost}`;
};
const fromAnybody = () => from(newAddress());
const palette = (app: TestApp, address: string, headers = {}) =>
  app.post('/api/tools/extract_palette', { image: EXAMPLE_PNG_B64 }, { ...from(address), ...headers });

/** Calls until the budget is used up: the last call that is admitted may take more than is left. */
async function useUp(app: TestApp, address: string): Promise<void> {
  // Small, so that the last call does not use up the larger budget of wallets, on a slow machine either.
  const image = await noise(32);
  await vi.waitFor(
    async () => {
      const body = { image, ...EVERY_SPECK };
      const { status } = await app.post('/api/tools/vectorize_image', body, from(address));
      expect(status).toBe(429);
    },
    { timeout: WAIT_MS_MAX, interval: 0 },
  );
}

describe('an address that has used up its CPU-seconds', () => {
  let app: TestApp;
  let issuer: Awaited<ReturnType<typeof startIssuer>>;
  const spent = newAddress();
  beforeAll(async () => {
    issuer = await startIssuer();
    app = await openTestApp({ ...SMALL, ...issuer.settings });
    await useUp(app, spent);
  });
  afterAll(async () => {
    await app?.close();
    await issuer?.close();
  });

  test('reports when to retry and that nothing was charged', async () => {
    const { status, body, headers } = await palette(app, spent);
    expect([status, body.code, body.violated_policies]).toEqual([429, 'rate_limited', ['cpu-seconds']]);
    expect(body.detail).toMatch(/^Your IP address has used its CPU time: .* You were not charged\.$/);
    const wait = Number(headers.get('Retry-After'));
    expect(wait).toBeGreaterThan(10);
    expect(headers.get('RateLimit')).toBe(`"cpu-seconds";r=0;t=${wait}`);
  });

  test('does not affect other addresses', async () => {
    expect((await palette(app, newAddress())).status).toBe(200);
  });

  test('finds documents and health open', async () => {
    const paths = ['/health', '/openapi.json', '/llms.txt', '/.well-known/jwks.json'];
    const statuses = await Promise.all(paths.map(async (path) => (await app.get(path, from(spent))).status));
    expect(statuses).toEqual(paths.map(() => 200));
  });

  test.each([
    ['POST', '/api/tools/resize_image'],
    ['POST', '/mcp'],
    ['POST', '/api/uploads'],
    ['POST', '/api/wallet/register'],
  ])('is refused before its body is read: %s %s', async (method, path) => {
    let isRead = false;
    const body = new ReadableStream(
      {
        pull(controller) {
          isRead = true;
          controller.enqueue(new TextEncoder().encode('{}'));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { 'Content-Type': 'application/json', ...from(spent) };
    const sent = new Request(`http://atelier.test${path}`, {
      method,
      body,
      headers,
      duplex: 'half',
    } as never);
    const { status } = await app.fetch(sent);
    expect([status, isRead]).toEqual([429, false]);
  });

  test.each(['/docs', '/gallery', '/iiif/collection', '/api/results/none.png', '/api/jobs/none'])(
    'is refused at GET %s',
    async (path) => {
      expect((await app.get(path, from(spent))).status).toBe(429);
    },
  );

  test('is admitted with a wallet that has credits, named or proven, until 4 times the budget is used up', async () => {
    const owner = await newOwner(app);
    expect((await palette(app, spent, owner.bare)).status).toBe(200);
    expect((await palette(app, spent, await owner.signIn())).status).toBe(200);
  });

  test('gains nothing from a wallet that is made up or has no credits', async () => {
    const madeUp = bearer(`0x${'c'.repeat(40)}`);
    expect((await palette(app, spent, madeUp)).status).toBe(429);
    expect((await palette(app, spent, bearer('atl_key_of_nobody'))).status).not.toBe(200);
  });

  test('is visible to operators, whose own calls still work', async () => {
    const tokens = await makeOperatorTokens(app, issuer.tokenOf(['staff']));
    const { status, body } = await app.get('/api/operator/overview', { ...tokens.read, ...from(spent) });
    expect(status).toBe(200);
    expect(body.cpu[0]).toMatchObject({ name: spent, scope: 'address', wait_s: expect.any(Number) });
    expect(body.refusals).toContainEqual(expect.objectContaining({ code: 'rate_limited', address: spent }));
  });
});

describe('of CPU time', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ ...SMALL, JOBS_AT_ONCE: '1' });
  });
  afterAll(() => app.close());

  test('a call that fails is charged as well', async () => {
    const address = newAddress();
    const deep = `[${'0,'.repeat(500_000)}0]`;
    let status = 0;
    for (let call = 0; call < 3000 && status !== 429; call += 1)
      status = (await app.post('/api/tools/extract_palette', `{"image": ${deep}}`, from(address))).status;
    expect(status).toBe(429);
  });

  test('addresses of one /64 share 4 times the budget of one, and adjacent networks have their own', async () => {
    const address = (host: number) => `2001:db8:5:5::${host}`;
    for (let host = 1; host <= 4; host += 1) await useUp(app, address(host));
    const { status, body } = await palette(app, address(99));
    expect([status, body.detail]).toEqual([
      429,
      expect.stringContaining('Your network 2001:db8:5:5::/64 has used'),
    ]);
    expect((await palette(app, '2001:db8:5:6::1')).status).toBe(200);
  });

  test('a job stays queued while its address has no budget, and jobs of others continue', async () => {
    const address = newAddress();
    const image = await noise(200);
    const first = await postJob(app, 'vectorize_image', { image, ...EVERY_SPECK }, from(address));
    const second = await postJob(app, 'extract_palette', { image: EXAMPLE_PNG_B64 }, from(address));
    expect([first.status, second.status]).toEqual([202, 202]);
    await jobIn(app, first.body.job_id, ['succeeded'], fromAnybody);
    const other = await postJob(app, 'extract_palette', { image: EXAMPLE_PNG_B64 }, from(newAddress()));
    await jobIn(app, other.body.job_id, ENDED, fromAnybody);
    expect((await app.get(`/api/jobs/${second.body.job_id}`, fromAnybody())).body).toMatchObject({
      state: 'queued',
    });
  });
});
