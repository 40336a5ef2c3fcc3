import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { givenOwner, MINUTE_MS } from '../../../tests/support/given_owner.ts';
import { givenWebhooks, WALLET } from '../../../tests/support/given_webhooks.ts';
import { WEBHOOKS_PER_CALLER_MAX } from './limits.ts';

const URL = 'https://example.org/hook';

forEachDatabase((_name, open) => {
  test('a registration gets an id and a secret of 32 bytes', async () => {
    const { register } = givenWebhooks(await open());
    const { id, secret, ...kept } = await register(URL, { unknownEvents: ['moon.full'] });

    expect(id).toMatch(/^whe_[0-9a-f]{24}$/);
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
    expect(kept).toMatchObject({ url: URL, events: ['*'], unknownEvents: ['moon.full'], state: 'active' });
  });

  test('re-registering a URL keeps its id and rotates its secret; the previous one still works', async () => {
    const { register, webhooks } = givenWebhooks(await open());
    const first = await register(URL);
    const second = await register(URL, { events: ['tool.*'] });

    expect(second).toMatchObject({ id: first.id, createdAt: first.createdAt });
    expect(second.secret).not.toBe(first.secret);
    for (const { secret } of [first, second])
      expect(await webhooks.find(first.id, { secret })).toMatchObject({ events: ['tool.*'] });
  });

  test('the number of endpoints per client is limited, also for concurrent requests', async () => {
    const { register } = givenWebhooks(await open());
    const sent = Array.from({ length: WEBHOOKS_PER_CALLER_MAX + 5 }, (_, index) =>
      register(`https://example.org/${index}`, { caller: 'ip:5.5.5.5' }),
    );
    const refused = (await Promise.allSettled(sent)).filter(({ status }) => status === 'rejected');

    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ reason: { code: 'invalid_input' } });
    await expect(register(URL, { caller: 'ip:6.6.6.6' })).resolves.toMatchObject({ events: ['*'] });
  });

  test('an endpoint is accessible only to its wallet, the creating key and its secret', async () => {
    const { register, webhooks } = givenWebhooks(await open());
    const { id, secret } = await register(URL, { keyId: 'key_1' });
    const askers = [{ wallet: WALLET }, { wallet: WALLET, keyId: 'key_1' }, { secret }];
    const strangers = [
      { wallet: `0x${'b'.repeat(40)}` },
      { wallet: WALLET, keyId: 'key_2' },
      { secret: 'x' },
      {},
    ];

    for (const asker of askers) expect(await webhooks.list(asker)).toMatchObject([{ id }]);
    for (const asker of strangers) {
      expect(await webhooks.list(asker)).toEqual([]);
      await expect(webhooks.find(id, asker)).rejects.toMatchObject({ code: 'webhook_not_found' });
    }
  });

  test('a rotated secret remains valid for a day', async () => {
    const { register, webhooks, time } = givenWebhooks(await open());
    const { id, secret } = await register(URL);
    const rotated = await webhooks.rotateSecret(id);
    expect(await webhooks.find(id, { secret })).toMatchObject({ id });
    time.ahead = 25 * 3_600_000;
    await expect(webhooks.find(id, { secret })).rejects.toMatchObject({ code: 'webhook_not_found' });
    expect(await webhooks.find(id, { secret: rotated.secret })).toMatchObject({ id });
  });

  test('endpoints registered by a key end with the key', async () => {
    const database = await open();
    const { ownership, proven, key, wallet, time } = await givenOwner(database);
    await ownership.openSession(await proven());
    const [revoked, expiring, lasting] = [
      await key(),
      await key({ expiresAt: new Date(time.now + MINUTE_MS) }),
      await key(),
    ];
    const { webhooks, register } = givenWebhooks(database);
    for (const [n, keyId] of [revoked.key.id, expiring.key.id, lasting.key.id, undefined].entries()) {
      await register(`https://example.org/${n}`, { caller: wallet, keyId });
    }
    await ownership.revokeKey(wallet, revoked.key.id);
    expect(await webhooks.sweep(new Date(time.now + 2 * MINUTE_MS))).toBe(2);
    const kept = await database.query('select key_id as "keyId" from webhook_endpoints order by url');
    expect(kept).toEqual([{ keyId: lasting.key.id }, { keyId: null }]);
  });

  test('locking a wallet disables endpoints registered by address alone; only the owner can enable them', async () => {
    const database = await open();
    const { ownership, proven, wallet } = await givenOwner(database);
    const { token } = await ownership.openSession(await proven());
    const { webhooks, register } = givenWebhooks(database);
    const bare = await register(URL, { caller: wallet });
    const proved = await register(`${URL}/2`, { caller: wallet, isProved: true });
    await ownership.lock(wallet, token);

    const seen = await webhooks.list({ wallet });
    expect(seen.map(({ state }) => state)).toEqual(['disabled', 'active']);
    expect(seen[0]?.disabledBecause).toContain('its address alone');
    await expect(webhooks.enable(bare.id, false)).rejects.toMatchObject({ code: 'wallet_locked' });
    await webhooks.enable(bare.id, true);
    await expect(webhooks.find(bare.id, { wallet })).resolves.toMatchObject({ state: 'active' });
    const told = await database.query('select wallet, type from webhook_events order by position');
    expect(told).toContainEqual({ wallet, type: 'wallet.locked' });
    expect(proved.state).toBe('active');
  });
});
