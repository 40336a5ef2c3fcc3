import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { givenOwner, MINUTE_MS } from '../../../tests/support/given_owner.ts';
import { createWebhooks, WEBHOOKS_PER_CALLER_MAX } from './webhooks.ts';

const endpoint = {
  caller: 'ip:1.2.3.4',
  url: 'https://example.org/hook',
  events: ['*'],
  unknownEvents: ['moon.full'],
};

forEachDatabase((_name, open) => {
  test('a registration gets an id and a secret of 32 bytes', async () => {
    const { id, secret, ...kept } = await createWebhooks(await open()).register(endpoint);

    expect(id).toMatch(/^whe_[0-9a-f]{24}$/);
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
    expect(kept).toMatchObject(endpoint);
  });

  test('the same URL again keeps its id and gets a new secret', async () => {
    const database = await open();
    const webhooks = createWebhooks(database);
    const first = await webhooks.register(endpoint);
    const second = await webhooks.register({ ...endpoint, events: ['tool.*'] });
    const rows = await database.query('select events, secret from webhook_endpoints where id = $1', [
      first.id,
    ]);

    expect(second).toMatchObject({ id: first.id, createdAt: first.createdAt });
    expect(rows).toEqual([{ events: ['tool.*'], secret: second.secret }]);
    expect(second.secret).not.toBe(first.secret);
  });

  test('a caller keeps only so many, however many are sent at once', async () => {
    const webhooks = createWebhooks(await open());
    const sent = Array.from({ length: WEBHOOKS_PER_CALLER_MAX + 5 }, (_, index) =>
      webhooks.register({ ...endpoint, caller: 'ip:5.5.5.5', url: `https://example.org/${index}` }),
    );
    const refused = (await Promise.allSettled(sent)).filter(({ status }) => status === 'rejected');

    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ reason: { code: 'invalid_input' } });
    await expect(webhooks.register({ ...endpoint, caller: 'ip:6.6.6.6' })).resolves.toMatchObject({
      events: ['*'],
    });
  });

  test('what a key has registered ends with the key', async () => {
    const database = await open();
    const { ownership, proven, key, wallet, time } = await givenOwner(database);
    await ownership.openSession(await proven());
    const [revoked, expiring, lasting] = [
      await key(),
      await key({ expiresAt: new Date(time.now + MINUTE_MS) }),
      await key(),
    ];
    const webhooks = createWebhooks(database);
    for (const [n, keyId] of [revoked.key.id, expiring.key.id, lasting.key.id, undefined].entries()) {
      await webhooks.register({ ...endpoint, caller: wallet, url: `https://example.org/${n}`, keyId });
    }
    await ownership.revokeKey(wallet, revoked.key.id);
    expect(await webhooks.sweep(new Date(time.now + 2 * MINUTE_MS))).toBe(2);
    const kept = await database.query('select key_id as "keyId" from webhook_endpoints order by url');
    expect(kept).toEqual([{ keyId: lasting.key.id }, { keyId: null }]);
  });
});
