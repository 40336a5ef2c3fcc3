import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { forEachApp } from './support/for_each_app.ts';
import { openTestApp, type TestApp } from './support/open_test_app.ts';
import { bearer, newOwner } from './support/owner.ts';

/** Wallets cost nothing to make, so what is counted by wallet is counted by address as well. */

let app: TestApp | undefined;
afterEach(() => app?.close());

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
  const response = await app!.fetch(request, { incoming } as never);
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

test('by default an address makes a hundred wallets an hour', async () => {
  app = await openTestApp({ REGISTRATIONS_PER_HOUR: '' });
  for (let n = 1; n <= 100; n += 1) expect((await register(n)).status).toBe(200);
  expect((await register(101)).body.violated_policies).toEqual(['registrations']);
  expect((await register(101, '203.0.113.6')).status).toBe(200);
});

test('and so many a day, by any way in', async () => {
  app = await openTestApp({ REGISTRATIONS_PER_DAY: '2' });
  await register(1);
  await from('203.0.113.5', '/api/tools/register_wallet', { wallet: wallet(2) });
  expect((await register(3)).body.violated_policies).toEqual(['registrations-a-day']);
});

test('all addresses together make so many a day', async () => {
  app = await openTestApp({ REGISTRATIONS_PER_DAY_OF_ALL: '2' });
  await register(1, '203.0.113.5');
  await register(2, '203.0.113.6');
  expect((await register(3, '203.0.113.7')).body.violated_policies).toEqual(['registrations-of-all']);
});

test('a refusal by one limit uses up none of the others', async () => {
  app = await openTestApp({ REGISTRATIONS_PER_HOUR: '1', REGISTRATIONS_PER_DAY_OF_ALL: '2' });
  await register(1, '203.0.113.5');
  await statuses([register(2), register(2), register(2)]);
  expect((await register(3, '203.0.113.6')).status).toBe(200);
});

test('registering a known wallet again, and asking what it would cost, is not counted', async () => {
  app = await openTestApp({ REGISTRATIONS_PER_HOUR: '2' });
  await register(1);
  await register(1);
  await from('203.0.113.5', '/api/tools/register_wallet', { wallet: wallet(2), dry_run: true });
  expect((await register(2)).status).toBe(200);
});

test('all wallets of an address together have a ceiling', async () => {
  app = await openTestApp({ FREE_TOOLS_PER_HOUR: '4', ADDRESS_LIMIT_FACTOR: '2' });
  // Registering through its endpoint is no tool call.
  for (let n = 1; n <= 3; n += 1) await register(n);
  for (const n of [1, 1, 1, 1, 2, 2, 2, 2]) expect((await search(n)).status).toBe(200);
  const refused = await search(3);
  expect([refused.status, refused.body.violated_policies]).toEqual([429, ['free-tools-of-address']]);
  expect((await search(3, '203.0.113.6')).status).toBe(200);
});

test('wallets that are made up bring no window of their own', async () => {
  app = await openTestApp({ FREE_TOOLS_PER_HOUR: '2' });
  expect(await statuses([search(1), search(2), search(3)])).toEqual([200, 200, 429]);
});

test('who merely names a wallet uses up nothing its owner has elsewhere', async () => {
  app = await openTestApp({ FREE_TOOLS_PER_HOUR: '2' });
  await register(1);
  expect(await statuses([search(1), search(1), search(1)])).toEqual([200, 200, 429]);
  expect((await search(1, '203.0.113.6')).status).toBe(200);
});

test('who proves a wallet has one window, wherever the calls come from', async () => {
  app = await openTestApp({ FREE_TOOLS_PER_HOUR: '2' });
  const session = await (await newOwner(app)).signIn();
  const call = (address: string) => from(address, SEARCH, {}, session);
  expect(await statuses([call('203.0.113.5'), call('203.0.113.6'), call('203.0.113.7')])).toEqual([
    200, 200, 429,
  ]);
});

forEachApp((open) => {
  test('the bonus may wait until the wallet has proved itself', async () => {
    app = await open({ BONUS_NEEDS_PROOF: 'true' });
    const owner = await newOwner(app);
    const bare = await app.post('/api/wallet/register', { wallet: owner.wallet });
    expect(bare.body).toMatchObject({ bonus_credits: 0, balance: 0, already_registered: true });
    const balance = async () =>
      (await app!.post('/api/tools/check_balance', { wallet: owner.wallet })).body.balance;
    expect(await balance()).toBe(0);
    await Promise.all([owner.signIn(), owner.signIn()]);
    await owner.signIn();
    expect(await balance()).toBe(10);
    const { body } = await app.get('/api/ledger/invariants');
    expect(body.balanced).toBe(true);
  });

  test('and is announced where it is kept back', async () => {
    app = await open({ BONUS_NEEDS_PROOF: 'true' });
    const { body } = await app.post('/api/wallet/register', { wallet: wallet(7) });
    expect(body).toMatchObject({
      bonus_credits: 0,
      warnings: [expect.stringContaining('/api/wallet/session')],
    });
  });
});
