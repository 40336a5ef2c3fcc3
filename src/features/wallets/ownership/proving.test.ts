import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { beforeAll, expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { DAY_MS, givenOwner, MINUTE_MS, START } from '../../../../tests/support/given_owner.ts';
import type { Database } from '../../../core/database/types.ts';

/** Proof of ownership: single-use messages, and the end of sessions. */

forEachDatabase((_name, open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  const given = () => givenOwner(database);

  test('the owner gets a session, and the wallet is claimed', async () => {
    const { ownership, wallet, proven } = await given();
    expect(await ownership.stateOf(wallet)).toEqual({ state: 'open' });
    const { token } = await ownership.openSession(await proven());
    expect(await ownership.proofOf(token)).toEqual({ wallet, by: 'session' });
    expect(await ownership.stateOf(wallet)).toMatchObject({ state: 'claimed' });
  });

  test('a signed message is accepted once', async () => {
    const { ownership, proven } = await given();
    const signed = await proven();
    await ownership.openSession(signed);
    await expect(ownership.openSession(signed)).rejects.toMatchObject({ code: 'invalid_signature' });
  });

  test('of twenty concurrent requests with the same message, one gets a session', async () => {
    const { ownership, proven } = await given();
    const signed = await proven();
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => ownership.openSession(signed)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a signature of another wallet opens no session and does not consume the message', async () => {
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
  test.each(altered)('a message of %s is rejected even when signed by the owner', async (_what, change) => {
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

  test('a nonce issued for one wallet does not open a session for another', async () => {
    const { ownership, wallet } = await given();
    const thief = privateKeyToAccount(generatePrivateKey());
    const { message } = await ownership.challenge(wallet, 1);
    const stolen = message.replace(/0x[0-9a-fA-F]{40}/, thief.address);
    const signed = { message: stolen, signature: await thief.signMessage({ message: stolen }) };
    await expect(ownership.openSession(signed)).rejects.toMatchObject({ code: 'invalid_signature' });
  });

  test('a message expires after ten minutes', async () => {
    const { ownership, proven, time } = await given();
    const signed = await proven();
    time.now += 10 * MINUTE_MS;
    await expect(ownership.openSession(signed)).rejects.toMatchObject({ code: 'invalid_signature' });
  });

  test('a session expires after twelve hours', async () => {
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
  ])('the token %s is rejected', async (token) => {
    const { ownership } = await given();
    await expect(ownership.proofOf(token)).rejects.toMatchObject({ code: 'invalid_token' });
  });

  test('locking ends every other session, and keys remain valid', async () => {
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

  test('no token is stored in the database in plain text', async () => {
    const { ownership, proven, key } = await given();
    const tokens = [(await ownership.openSession(await proven())).token, (await key()).token];
    const rows = await database.query(
      `select s::text as text from wallet_sessions s union all select k::text from wallet_keys k
       union all select e::text from wallet_events e`,
    );
    for (const token of tokens) expect(JSON.stringify(rows)).not.toContain(token.slice(10));
  });

  test('expired sessions are deleted', async () => {
    const { ownership, proven, time } = await given();
    const { token } = await ownership.openSession(await proven());
    time.now += DAY_MS;
    expect(await ownership.sweep(new Date(time.now))).toBeGreaterThanOrEqual(1);
    await expect(ownership.proofOf(token)).rejects.toMatchObject({ code: 'invalid_token' });
  });
});
