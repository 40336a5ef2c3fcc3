import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { givenConsents } from '../../../../tests/support/given_consents.ts';
import type { Database } from '../../../core/database/types.ts';
import { CONSENT_LIFETIME_MS, KEY_REQUESTS_OPEN_MAX } from './limits.ts';

/** Key requests of agents: what the owner signs, and how often a key can be redeemed. */

forEachDatabase((_name, open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  async function given() {
    const owner = await givenConsents(database);
    const ask = () =>
      owner.consents.requestKey({ name: 'my agent', withFiles: false, askedBy: `ip:${owner.wallet}` });
    return { ...owner, ask };
  }

  test('a granted request is redeemed once for a key with the owner-defined terms', async () => {
    const { consents, ask, grant, ownership, wallet, keyNow } = await given();
    const { id, code, check } = await ask();
    expect(await consents.redeemKey(code)).toEqual({ state: 'waiting' });
    expect(await consents.findKeyRequest(id)).toMatchObject({ state: 'waiting', check, name: 'my agent' });
    await grant(id, { tools: ['paint'], maxTotal: 3000 });
    const both = await Promise.all([consents.redeemKey(code), consents.redeemKey(code)]);
    expect(both.map(({ state }) => state).sort()).toEqual(['redeemed', 'used']);
    const redeemed = both.find((one) => one.state === 'redeemed')!;
    expect(await ownership.proofOf(redeemed.token)).toMatchObject({
      wallet,
      key: { name: 'my agent', scopes: ['spend'], tools: ['paint'] },
    });
    expect(await keyNow(redeemed.keyId)).toMatchObject({ maxTotal: 3000, maxDaily: null });
  });

  test('the request link cannot redeem a key, and an invalid code reveals nothing', async () => {
    const { consents, ask, grant } = await given();
    const { id } = await ask();
    await grant(id);
    for (const code of [id, `keycode_${'A'.repeat(43)}`, '', 'x'.repeat(5000)])
      expect(await consents.redeemKey(code)).toEqual({ state: 'unknown' });
  });

  test('a signer grants a key only for their own wallet and with the signed permissions', async () => {
    const { consents, ask, grant, terms, account } = await given();
    const { id } = await ask();
    await expect(grant(id, {}, privateKeyToAccount(generatePrivateKey()))).rejects.toMatchObject({
      code: 'invalid_signature',
    });
    const signature = await account.signMessage({ message: await consents.keyMessage(id, terms()) });
    for (const more of [
      { maxTotal: 9000 },
      { maxTotal: undefined },
      { tools: ['paint'] },
      { withFiles: true },
      { chainId: 2 },
    ])
      await expect(consents.decideKey(id, { ...terms(more), signature })).rejects.toMatchObject({
        code: 'invalid_signature',
      });
    await consents.decideKey(id, { ...terms(), signature });
    await expect(consents.decideKey(id, { ...terms(), signature })).rejects.toMatchObject({
      code: 'consent_over',
    });
  });

  test('a denied or expired request yields no key', async () => {
    const { consents, ask, grant, time } = await given();
    const [refused, late] = [await ask(), await ask()];
    await grant(refused.id, { isGranted: false });
    expect(await consents.redeemKey(refused.code)).toEqual({ state: 'refused' });
    time.now += CONSENT_LIFETIME_MS;
    await expect(grant(late.id)).rejects.toMatchObject({ code: 'consent_over' });
    expect(await consents.redeemKey(late.code)).toEqual({ state: 'expired' });
  });

  test('a granted request that is not redeemed in time yields no key', async () => {
    const { consents, ask, grant, time, ownership, wallet } = await given();
    const { id, code } = await ask();
    await grant(id);
    time.now += CONSENT_LIFETIME_MS;
    expect(await consents.redeemKey(code)).toEqual({ state: 'expired' });
    expect(await ownership.keys(wallet)).toEqual([]);
  });

  test('pending requests per client are limited, and misleading names are rejected', async () => {
    const { consents, ask } = await given();
    for (let asked = 0; asked < KEY_REQUESTS_OPEN_MAX; asked += 1) await ask();
    await expect(ask()).rejects.toMatchObject({ code: 'too_many_requests' });
    await expect(
      consents.requestKey({ name: 'a\u202eb', withFiles: false, askedBy: 'x' }),
    ).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});
