import { beforeAll, expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { givenOwner, MINUTE_MS, START } from '../../../../tests/support/given_owner.ts';
import type { Database } from '../../../core/database/types.ts';

/** Keys: permissions, names and revocation. */

forEachDatabase((_name, open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  const given = () => givenOwner(database);

  test('a key proves its wallet with its scopes and tools', async () => {
    const { ownership, wallet, key } = await given();
    const made = await key({ scopes: ['assets:read'], tools: ['get_asset'] });
    expect(await ownership.proofOf(made.token)).toEqual({
      wallet,
      by: 'key',
      key: { id: made.key.id, name: 'agent', scopes: ['assets:read'], tools: ['get_asset'] },
    });
  });

  test('an expired or revoked key proves nothing and cannot hold credits', async () => {
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

  test('the key of another wallet cannot be revoked', async () => {
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
  ])('the name %j is rejected (%s)', async (name) => {
    const { key } = await given();
    await expect(key({ name })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test.each([
    [' Köln ', 'Köln'],
    ['Ko\u0308ln', 'Köln'],
    ['猫 🐈 №1', '猫 🐈 №1'],
  ])('the name %j is stored as %j', async (name, kept) => {
    const { key } = await given();
    expect((await key({ name })).key.name).toBe(kept);
  });

  test('a wallet has at most a hundred active keys', async () => {
    const { key, ownership, wallet } = await given();
    const made = [];
    for (let count = 0; count < 99; count += 1) made.push(await key());
    const last = await Promise.allSettled([key(), key(), key()]);
    expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await ownership.revokeKey(wallet, made[0]!.key.id);
    expect(await key()).toHaveProperty('token');
  });
});
