import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forEachApp } from '../support/for_each_app.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { bearer, newOwner } from '../support/owner.ts';

/** Wallets cost nothing to make, so what is counted by wallet is counted by address as well. */

let app: TestApp;

const wallet = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const SEARCH = '/api/tools/search_tools';

/** POST from another address than the tests usually have. */
async function from(remoteAddress: string, path: string, body: object, headers = {}) {
  const text = JSON.stringify(body);
  const json = { 'Content-Type': 'application/json', ...headers };
  const request = new Request(`http://atelier.test${path}`, { method: 'POST', headers: json, body: text });
  const incoming = Object.assign(Readable.from([Buffer.from(text)]), {
    socket: { remoteAddress },
    url: path,
  });
  const response = await app.fetch(request, { incoming } as never);
  return {
    status: response.status,
    body: (await response.json()) as { violated_policies?: string[] },
  };
}
const register = (n: number, address = '203.0.113.5') =>
  from(address, '/api/wallet/register', { wallet: wallet(n) });
const search = (n: number, address = '203.0.113.5') => from(address, SEARCH, {}, bearer(wallet(n)));
const statuses = async (replies: Promise<{ status: number }>[]) =>
  (await Promise.all(replies)).map(({ status }) => status);

/** One service for all tests of a group, which use addresses and wallets of their own. */
function withApp(open: () => Promise<TestApp>): void {
  beforeAll(async () => {
    app = await open();
  });
  afterAll(() => app?.close());
}

describe('by default', () => {
  withApp(() => openTestApp({ REGISTRATIONS_PER_HOUR: '' }));

  test('an address can register 100 wallets an hour', async () => {
    for (let n = 1; n <= 100; n += 1) expect((await register(n)).status).toBe(200);
    expect((await register(101)).body.violated_policies).toEqual(['registrations']);
    expect((await register(101, '203.0.113.6')).status).toBe(200);
  });
});

describe('a limit of two wallets a day per address', () => {
  withApp(() => openTestApp({ REGISTRATIONS_PER_DAY: '2' }));

  test('refuses a third wallet through any endpoint', async () => {
    await register(1);
    await from('203.0.113.5', '/api/tools/register_wallet', { wallet: wallet(2) });
    expect((await register(3)).body.violated_policies).toEqual(['registrations-a-day']);
  });
});

describe('a limit of two wallets a day across all addresses', () => {
  withApp(() => openTestApp({ REGISTRATIONS_PER_HOUR: '1', REGISTRATIONS_PER_DAY_OF_ALL: '2' }));

  test('is not used up by refusals under another limit', async () => {
    await register(1, '203.0.113.5');
    await statuses([register(2), register(2), register(2)]);
    expect((await register(3, '203.0.113.6')).status).toBe(200);
  });

  test('refuses every address once it is reached', async () => {
    expect((await register(4, '203.0.113.7')).body.violated_policies).toEqual(['registrations-of-all']);
  });
});

describe('a ceiling of two rate windows per address', () => {
  withApp(() => openTestApp({ FREE_TOOLS_PER_HOUR: '4', ADDRESS_LIMIT_FACTOR: '2' }));

  test('applies to all its wallets together', async () => {
    // Registering through its endpoint is no tool call.
    for (let n = 1; n <= 3; n += 1) await register(n);
    for (const n of [1, 1, 1, 1, 2, 2, 2, 2]) expect((await search(n)).status).toBe(200);
    const refused = await search(3);
    expect([refused.status, refused.body.violated_policies]).toEqual([429, ['free-tools-of-address']]);
    expect((await search(3, '203.0.113.6')).status).toBe(200);
  });
});

describe('limits of two calls and two wallets an hour', () => {
  withApp(() => openTestApp({ FREE_TOOLS_PER_HOUR: '2', REGISTRATIONS_PER_HOUR: '2' }));

  test('registering a known wallet again, or a dry run, is not counted', async () => {
    await register(1);
    await register(1);
    await from('203.0.113.5', '/api/tools/register_wallet', { wallet: wallet(2), dry_run: true });
    expect((await register(2)).status).toBe(200);
  });

  test('unregistered wallets get no window of their own', async () => {
    const made = [11, 12, 13].map((n) => search(n, '203.0.113.10'));
    expect(await statuses(made)).toEqual([200, 200, 429]);
  });

  test('naming a wallet does not use up its owner’s window elsewhere', async () => {
    await register(21, '203.0.113.20');
    const named = [21, 21, 21].map((n) => search(n, '203.0.113.20'));
    expect(await statuses(named)).toEqual([200, 200, 429]);
    expect((await search(21, '203.0.113.21')).status).toBe(200);
  });

  test('a verified wallet has one window across all addresses', async () => {
    const session = await (await newOwner(app)).signIn();
    const calls = ['203.0.113.30', '203.0.113.31', '203.0.113.32'].map((address) =>
      from(address, SEARCH, {}, session),
    );
    expect(await statuses(calls)).toEqual([200, 200, 429]);
  });
});

forEachApp((open) => {
  withApp(() => open({ BONUS_NEEDS_PROOF: 'true' }));

  test('the bonus can be withheld until the wallet is verified', async () => {
    const owner = await newOwner(app);
    const bare = await app.post('/api/wallet/register', { wallet: owner.wallet });
    expect(bare.body).toMatchObject({ bonus_credits: 0, balance: 0, already_registered: true });
    const balance = async () =>
      (await app.post('/api/tools/check_balance', { wallet: owner.wallet })).body.balance;
    expect(await balance()).toBe(0);
    await Promise.all([owner.signIn(), owner.signIn()]);
    await owner.signIn();
    expect(await balance()).toBe(10);
    const { body } = await app.get('/api/ledger/invariants');
    expect(body.balanced).toBe(true);
  });

  test('a withheld bonus is announced at registration', async () => {
    const { body } = await app.post('/api/wallet/register', { wallet: wallet(7) });
    expect(body).toMatchObject({
      bonus_credits: 0,
      warnings: [expect.stringContaining('/api/wallet/session')],
    });
  });
});
