import { randomUUID } from 'node:crypto';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { beforeAll, describe, expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import type { Database } from '../../database/index.ts';
import { createWallets } from '../wallets/index.ts';
import { createOwnership, type NewKey } from './index.ts';

const START = Date.parse('2026-11-21T10:00:00Z');
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

forEachDatabase((_name, open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  /** An owner with a registered wallet (10 credits), and a clock that only moves when told. */
  async function given() {
    const time = { now: START };
    const clock = () => new Date(time.now);
    const ownership = createOwnership({ database, publicUrl: 'https://atelier.test', clock });
    const wallets = createWallets(database, clock);
    const account = privateKeyToAccount(generatePrivateKey());
    const wallet = account.address.toLowerCase();
    await wallets.register(wallet);
    const proven = async (by: PrivateKeyAccount = account) => {
      const { message } = await ownership.challenge(wallet, 1);
      return { message, signature: await by.signMessage({ message }) };
    };
    const key = (more: Partial<NewKey> = {}) =>
      ownership.createKey(wallet, { name: 'agent', scopes: ['spend'], ...more });
    const call = (amount = 1000) => ({
      id: `call_${randomUUID()}`,
      wallet,
      amount,
      tool: 'paint',
      expiresAt: new Date(time.now + 15 * MINUTE_MS),
    });
    const keyNow = async (id: string) => (await ownership.keys(wallet)).find((one) => one.id === id)!;
    return { time, ownership, wallets, account, wallet, proven, key, call, keyNow };
  }

  describe('proving', () => {
    test('the owner gets a session, and the wallet is claimed', async () => {
      const { ownership, wallet, proven } = await given();
      expect(await ownership.stateOf(wallet)).toEqual({ state: 'open' });
      const { token } = await ownership.openSession(await proven());
      expect(await ownership.proofOf(token)).toEqual({ wallet, by: 'session' });
      expect(await ownership.stateOf(wallet)).toMatchObject({ state: 'claimed' });
    });

    test('a message counts once', async () => {
      const { ownership, proven } = await given();
      const signed = await proven();
      await ownership.openSession(signed);
      await expect(ownership.openSession(signed)).rejects.toMatchObject({ code: 'invalid_signature' });
    });

    test('of twenty that send the same message at once, one gets a session', async () => {
      const { ownership, proven } = await given();
      const signed = await proven();
      const all = await Promise.allSettled(Array.from({ length: 20 }, () => ownership.openSession(signed)));
      expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test('somebody else’s signature opens nothing and does not use the message up', async () => {
      const { ownership, proven, account } = await given();
      const forged = await proven(privateKeyToAccount(generatePrivateKey()));
      await expect(ownership.openSession(forged)).rejects.toMatchObject({ code: 'invalid_signature' });
      const signature = await account.signMessage({ message: forged.message });
      expect(await ownership.openSession({ ...forged, signature })).toHaveProperty('token');
    });

    const altered: [string, (fields: Parameters<typeof createSiweMessage>[0]) => object][] = [
      ['another domain', () => ({ domain: 'evil.test' })],
      ['another port', () => ({ domain: 'atelier.test:8443' })],
      ['another URI', () => ({ uri: 'https://evil.test/' })],
      ['a URI that only begins like ours', () => ({ uri: 'https://atelier.test.evil.test' })],
      ['another scheme', () => ({ scheme: 'http' })],
      ['another chain', () => ({ chainId: 137 })],
      ['a nonce of its own', () => ({ nonce: 'f'.repeat(32) })],
      ['an end that has passed', () => ({ expirationTime: new Date(START - 1) })],
      ['a beginning that lies ahead', () => ({ notBefore: new Date(START + DAY_MS) })],
      ['an issue that lies ahead', () => ({ issuedAt: new Date(START + DAY_MS) })],
    ];
    test.each(altered)('a message of %s is refused, though the owner signed it', async (_what, change) => {
      const { ownership, wallet, account } = await given();
      const { nonce } = await ownership.challenge(wallet, 1);
      const right = {
        domain: 'atelier.test',
        address: account.address,
        uri: 'https://atelier.test',
        version: '1' as const,
        chainId: 1,
        nonce,
        issuedAt: new Date(START),
      };
      const message = createSiweMessage({ ...right, ...change(right) });
      const signed = { message, signature: await account.signMessage({ message }) };
      await expect(ownership.openSession(signed)).rejects.toMatchObject({ code: 'invalid_signature' });
      const plain = createSiweMessage(right);
      const signature = await account.signMessage({ message: plain });
      expect(await ownership.openSession({ message: plain, signature })).toHaveProperty('token');
    });

    test('a nonce given for one wallet does not open another', async () => {
      const { ownership, wallet } = await given();
      const thief = privateKeyToAccount(generatePrivateKey());
      const { message } = await ownership.challenge(wallet, 1);
      const stolen = message.replace(/0x[0-9a-fA-F]{40}/, thief.address);
      const signed = { message: stolen, signature: await thief.signMessage({ message: stolen }) };
      await expect(ownership.openSession(signed)).rejects.toMatchObject({ code: 'invalid_signature' });
    });

    test('a message ends after ten minutes', async () => {
      const { ownership, proven, time } = await given();
      const signed = await proven();
      time.now += 10 * MINUTE_MS;
      await expect(ownership.openSession(signed)).rejects.toMatchObject({ code: 'invalid_signature' });
    });

    test('a session ends after twelve hours', async () => {
      const { ownership, proven, time } = await given();
      const { token } = await ownership.openSession(await proven());
      time.now += DAY_MS / 2;
      await expect(ownership.proofOf(token)).rejects.toMatchObject({ code: 'invalid_token' });
    });

    test.each([
      'atl_',
      'atl_sess_',
      `atl_sess_${'A'.repeat(43)}`,
      `atl_key_${'A'.repeat(43)}`,
      `atl_key_${'é'.repeat(43)}`,
    ])('the token %s opens nothing', async (token) => {
      const { ownership } = await given();
      await expect(ownership.proofOf(token)).rejects.toMatchObject({ code: 'invalid_token' });
    });

    test('locking ends every other session; keys go on', async () => {
      const { ownership, wallet, proven, key } = await given();
      const [mine, other] = [
        await ownership.openSession(await proven()),
        await ownership.openSession(await proven()),
      ];
      const { token } = await key();
      await ownership.lock(wallet, mine.token);
      expect(await ownership.proofOf(mine.token)).toMatchObject({ by: 'session' });
      expect(await ownership.proofOf(token)).toMatchObject({ by: 'key' });
      await expect(ownership.proofOf(other.token)).rejects.toMatchObject({ code: 'invalid_token' });
    });

    test('no token stands in the database', async () => {
      const { ownership, proven, key } = await given();
      const tokens = [(await ownership.openSession(await proven())).token, (await key()).token];
      const rows = await database.query(
        `select s::text as text from wallet_sessions s union all select k::text from wallet_keys k
         union all select e::text from wallet_events e`,
      );
      for (const token of tokens) expect(JSON.stringify(rows)).not.toContain(token.slice(10));
    });

    test('what has ended is swept', async () => {
      const { ownership, proven, time } = await given();
      const { token } = await ownership.openSession(await proven());
      time.now += DAY_MS;
      expect(await ownership.sweep(new Date(time.now))).toBeGreaterThanOrEqual(1);
      await expect(ownership.proofOf(token)).rejects.toMatchObject({ code: 'invalid_token' });
    });
  });

  describe('keys', () => {
    test('a key proves what it was made for', async () => {
      const { ownership, wallet, key } = await given();
      const made = await key({ scopes: ['assets:read'], tools: ['get_asset'] });
      expect(await ownership.proofOf(made.token)).toEqual({
        wallet,
        by: 'key',
        key: { id: made.key.id, name: 'agent', scopes: ['assets:read'], tools: ['get_asset'] },
      });
    });

    test('a key that has expired or was revoked proves nothing and holds nothing', async () => {
      const { ownership, wallet, key, call, time } = await given();
      const [short, revoked] = [await key({ expiresAt: new Date(START + MINUTE_MS) }), await key()];
      await ownership.revokeKey(wallet, revoked.key.id);
      time.now += MINUTE_MS;
      for (const { token, key: made } of [short, revoked]) {
        await expect(ownership.proofOf(token)).rejects.toMatchObject({ code: 'invalid_token' });
        await expect(ownership.hold(made.id, call())).rejects.toMatchObject({ code: 'invalid_token' });
      }
    });

    test('a key cannot hold credits of another wallet', async () => {
      const [mine, theirs] = [await given(), await given()];
      const { key } = await mine.key();
      await expect(mine.ownership.hold(key.id, theirs.call())).rejects.toMatchObject({
        code: 'invalid_token',
      });
      expect((await theirs.wallets.find(theirs.wallet))?.held).toBe(0);
    });

    test('nobody revokes the key of another wallet', async () => {
      const [mine, theirs] = [await given(), await given()];
      const { key, token } = await theirs.key();
      await expect(mine.ownership.revokeKey(mine.wallet, key.id)).rejects.toMatchObject({
        code: 'key_not_found',
      });
      expect(await theirs.ownership.proofOf(token)).toMatchObject({ by: 'key' });
    });

    test.each([
      ['', 'empty'],
      [' \u3000 ', 'blank'],
      ['a'.repeat(61), 'long'],
      ['a\u0000b', 'a zero'],
      ['a\nb', 'two lines'],
      ['admin\u200b', 'a zero-width space'],
      ['\u202egnp.exe', 'text turned around'],
      ['a\u2066b', 'an isolate'],
      ['\u3164', 'a filler that shows nothing'],
      ['x\ud800', 'half a character'],
      ['a\u{e0041}', 'a tag'],
      ['\u2028', 'a line separator'],
    ])('the name %j is refused (%s)', async (name) => {
      const { key } = await given();
      await expect(key({ name })).rejects.toMatchObject({ code: 'invalid_input' });
    });

    test.each([
      [' Köln ', 'Köln'],
      ['Ko\u0308ln', 'Köln'],
      ['猫 🐈 №1', '猫 🐈 №1'],
    ])('the name %j is kept as %j', async (name, kept) => {
      const { key } = await given();
      expect((await key({ name })).key.name).toBe(kept);
    });

    test('a wallet has at most a hundred keys in force', async () => {
      const { key, ownership, wallet } = await given();
      const made = [];
      for (let count = 0; count < 99; count += 1) made.push(await key());
      const last = await Promise.allSettled([key(), key(), key()]);
      expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await ownership.revokeKey(wallet, made[0]!.key.id);
      expect(await key()).toHaveProperty('token');
    });
  });

  describe('budgets', () => {
    test('a call within the budget is held and counted', async () => {
      const { ownership, wallets, wallet, key, call, keyNow } = await given();
      const { key: made } = await key({ maxTotal: 5000, maxDaily: 3000 });
      const { budget } = await ownership.hold(made.id, call(2000));
      expect(budget).toEqual({ maxTotal: 5000, spent: 2000, maxDaily: 3000, spentToday: 2000 });
      expect((await wallets.find(wallet))?.held).toBe(2000);
      expect(await keyNow(made.id)).toMatchObject({ spent: 2000, spentToday: 2000 });
    });

    test('one credit over either cap is refused, and nothing moves', async () => {
      const { ownership, wallets, wallet, key, call } = await given();
      const [total, daily] = [await key({ maxTotal: 2000 }), await key({ maxDaily: 2000 })];
      for (const { key: made } of [total, daily]) {
        const { hold } = await ownership.hold(made.id, call(2000));
        await expect(ownership.hold(made.id, call(1000))).rejects.toMatchObject({
          code: 'budget_refused',
          status: 403,
        });
        await wallets.release(hold);
      }
      expect((await wallets.find(wallet))?.held).toBe(0);
    });

    test('a call that fails gives the budget back, one that is settled does not', async () => {
      const { ownership, wallets, key, call, keyNow } = await given();
      const { key: made } = await key({ maxTotal: 2000 });
      await wallets.release((await ownership.hold(made.id, call(1000))).hold);
      expect(await keyNow(made.id)).toMatchObject({ spent: 0, spentToday: 0 });
      await wallets.settle((await ownership.hold(made.id, call(1000))).hold);
      expect(await keyNow(made.id)).toMatchObject({ spent: 1000, spentToday: 1000 });
    });

    test('a call whose process died gives the budget back when its hold expires', async () => {
      const { ownership, wallets, key, call, keyNow, time } = await given();
      const { key: made } = await key({ maxTotal: 1000 });
      await ownership.hold(made.id, call(1000));
      time.now += 16 * MINUTE_MS;
      await wallets.expireHolds(new Date(time.now));
      expect((await keyNow(made.id)).spent).toBe(0);
    });

    test('a wallet with too little answers as ever, and the budget stays whole', async () => {
      const { ownership, key, call, keyNow } = await given();
      const { key: made } = await key({ maxTotal: 50_000 });
      await expect(ownership.hold(made.id, call(11_000))).rejects.toMatchObject({
        code: 'insufficient_credits',
      });
      expect((await keyNow(made.id)).spent).toBe(0);
    });

    test('the day changes at midnight UTC; the sum of all days does not start over', async () => {
      const { ownership, wallets, key, call, time } = await given();
      const { key: made } = await key({ maxDaily: 2000, maxTotal: 3000 });
      await wallets.settle((await ownership.hold(made.id, call(2000))).hold);
      time.now = Date.parse('2026-11-22T00:00:00Z');
      expect((await ownership.keys(call().wallet))[0]).toMatchObject({ spentToday: 0, spent: 2000 });
      await wallets.settle((await ownership.hold(made.id, call(1000))).hold);
      await expect(ownership.hold(made.id, call(1000))).rejects.toMatchObject({ code: 'budget_refused' });
    });

    test('a failure after midnight gives nothing back to the new day', async () => {
      const { ownership, wallets, key, call, keyNow, time } = await given();
      const { key: made } = await key({ maxDaily: 2000 });
      time.now = Date.parse('2026-11-21T23:59:00Z');
      const { hold } = await ownership.hold(made.id, call(2000));
      time.now += 2 * MINUTE_MS;
      const second = await ownership.hold(made.id, call(1000));
      await wallets.release(hold);
      expect(await keyNow(made.id)).toMatchObject({ spent: 1000, spentToday: 1000 });
      await wallets.release(second.hold);
      expect(await keyNow(made.id)).toMatchObject({ spent: 0, spentToday: 0 });
    });

    test('a clock that runs behind opens no day that is over', async () => {
      const { ownership, key, call, time } = await given();
      const { key: made } = await key({ maxDaily: 1000 });
      await ownership.hold(made.id, call(1000));
      time.now -= DAY_MS;
      await expect(ownership.hold(made.id, call(1000))).rejects.toMatchObject({ code: 'budget_refused' });
    });

    test('the same call held twice takes from the budget once', async () => {
      const { ownership, key, call, keyNow } = await given();
      const { key: made } = await key({ maxTotal: 1000 });
      const once = call(1000);
      await Promise.all([ownership.hold(made.id, once), ownership.hold(made.id, once)]);
      expect((await keyNow(made.id)).spent).toBe(1000);
    });

    test('of forty calls at once at the cap, never more get through than it allows', async () => {
      const { ownership, wallets, key, call, keyNow } = await given();
      const { key: made } = await key({ maxTotal: 5000, maxDaily: 4000 });
      const outcomes = await Promise.allSettled(
        Array.from({ length: 40 }, async (_, at) => {
          const { hold } = await ownership.hold(made.id, call(1000));
          await (at % 2 ? wallets.release(hold) : wallets.settle(hold));
          return at % 2 ? 'released' : 'settled';
        }),
      );
      const settled = outcomes.filter((one) => one.status === 'fulfilled' && one.value === 'settled').length;
      const refused = outcomes.filter((one) => one.status === 'rejected').map((one) => one.reason.code);
      expect(new Set(refused)).toEqual(new Set(refused.length > 0 ? ['budget_refused'] : []));
      expect(settled).toBeLessThanOrEqual(4);
      expect(await keyNow(made.id)).toMatchObject({ spent: settled * 1000, spentToday: settled * 1000 });
      expect(await wallets.audit()).toMatchObject({ balanced: true });
    });

    test('the database itself refuses a budget that is overdrawn', async () => {
      const { key } = await given();
      const { key: made } = await key({ maxTotal: 1000 });
      const overdraw = database.query('update wallet_keys set spent = 1001 where id = $1', [made.id]);
      await expect(overdraw).rejects.toMatchObject({ code: '23514' });
    });
  });

  test('what happened is on record, a repeated refusal in one line', async () => {
    const { ownership, wallet, proven, key, call } = await given();
    await ownership.openSession(await proven());
    const { key: made } = await key({ maxTotal: 1000 });
    for (let tries = 0; tries < 3; tries += 1) await ownership.hold(made.id, call(2000)).catch(() => {});
    expect((await ownership.events(wallet)).map(({ event, about, times }) => [event, about, times])).toEqual([
      ['refused_budget', made.id, 3],
      ['key_created', made.id, 1],
      ['session_opened', '', 1],
    ]);
  });
});
