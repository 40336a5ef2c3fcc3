import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachApp } from './support/for_each_app.ts';
import type { TestApp, TestReply } from './support/open_test_app.ts';
import { bearer, newOwner } from './support/owner.ts';
import { openReceiver, type Receiver, verified } from './support/receiver.ts';
import { WAIT_MS_MAX } from './support/wait_ms_max.ts';

const WAIT = { timeout: WAIT_MS_MAX };

const URL = 'https://example.org/hook';

forEachApp((open) => {
  let app: TestApp;
  const receivers: Receiver[] = [];
  beforeAll(async () => {
    app = await open({ ALLOW_PRIVATE_FETCH: 'true' });
  });
  afterAll(async () => {
    await app.close();
    for (const { close } of receivers) await close();
  });
  const register = (url: string, headers: Record<string, string>, more: object = {}) =>
    app.post('/api/webhooks/register', { url, ...more }, headers);
  const remove = async (path: string, headers: Record<string, string>) =>
    (await app.fetch(new Request(`http://atelier.test${path}`, { method: 'DELETE', headers }))).status;
  async function receiverOf() {
    const receiver = await openReceiver();
    receivers.push(receiver);
    return receiver;
  }
  const problem = ({ status, body }: TestReply) => [status, body.code];

  test('an empty object returns the available events', async () => {
    const { body } = await app.post('/api/webhooks/register', {});
    expect(body).toMatchObject({ status: 'no_endpoint', events: ['*'] });
    expect(body.available_events).toContain('tool.completed');
    expect(body.secret).toBeUndefined();
  });

  test('a registration shows its secret once, and names it does not know', async () => {
    const { bare } = await newOwner(app);
    const { body } = await register(URL, bare, { events: ['tool.*', 'moon.full'] });
    expect(body).toMatchObject({
      status: 'active',
      url: URL,
      events: ['tool.*'],
      unknown_events: ['moon.full'],
      secret: expect.stringMatching(/^whsec_/),
      disabled_because: null,
      dropped: 0,
    });
    const shown = await app.get(`/api/webhooks/${body.id}`, bare);
    expect([shown.status, shown.text.includes('whsec_')]).toEqual([200, false]);
  });

  test.each([
    { url: 'ftp://example.org/hook' },
    { url: 'https://user:secret@example.org/' },
    { url: 7 },
    { url: URL, events: 'tool.completed' },
    { url: URL, events: ['x'.repeat(101)] },
    { url: URL, events: Array.from({ length: 51 }, (_, index) => `event.${index}`) },
  ])('%j is refused', async (body) => {
    expect(problem(await app.post('/api/webhooks/register', body))).toEqual([400, 'invalid_input']);
  });

  test('a key needs account access and sees only its own registrations', async () => {
    const owner = await newOwner(app);
    const spender = await owner.makeKey({ scopes: ['spend'] });
    const reader = await owner.makeKey({ scopes: ['account:read'] });
    const [refused, taken] = [await register(URL, spender.header), await register(URL, reader.header)];
    const other = await register(`${URL}/2`, owner.bare);
    expect([problem(refused), taken.status]).toEqual([[403, 'scope_denied'], 200]);
    const idsOf = async (headers: Record<string, string>) =>
      (await app.get('/api/webhooks', headers)).body.webhooks.map(({ id }: { id: string }) => id);
    expect(await idsOf(reader.header)).toEqual([taken.body.id]);
    expect(await idsOf(owner.bare)).toEqual([taken.body.id, other.body.id]);
  });

  test('of a locked wallet the address alone shows and registers nothing', async () => {
    const owner = await newOwner(app);
    const session = await owner.signIn();
    const { body } = await register(URL, session);
    await app.post('/api/wallet/lock', {}, session);
    for (const refused of [
      await register(`${URL}/2`, owner.bare),
      await app.get('/api/webhooks', owner.bare),
      await app.post(`/api/webhooks/${body.id}/rotate-secret`, {}, owner.bare),
    ])
      expect(problem(refused)).toEqual([401, 'wallet_locked']);
    expect((await app.get(`/api/webhooks/${body.id}`, session)).body.status).toBe('active');
  });

  test('an endpoint without a wallet is managed by its secret and hidden from others', async () => {
    const { body } = await register(URL, {});
    const [secret, stranger] = [bearer(body.secret), (await newOwner(app)).bare];
    const path = `/api/webhooks/${body.id}`;
    expect((await app.get('/api/webhooks', secret)).body.webhooks).toMatchObject([{ id: body.id }]);
    for (const headers of [stranger, {}, bearer('whsec_AAAA')]) {
      expect(problem(await app.get(path, headers))).toEqual([404, 'webhook_not_found']);
      expect(problem(await app.post(`${path}/test`, {}, headers))).toEqual([404, 'webhook_not_found']);
      expect(await remove(path, headers)).toBe(404);
    }
    expect(await remove(path, secret)).toBe(200);
    expect(problem(await app.get(path, secret))).toEqual([404, 'webhook_not_found']);
  });

  test('the secret of a locked wallet does not bring an endpoint back that was registered by the address', async () => {
    const owner = await newOwner(app);
    const { body } = await register(URL, owner.bare);
    await app.post('/api/wallet/lock', {}, await owner.signIn());
    const enabled = await app.post(`/api/webhooks/${body.id}/enable`, {}, bearer(body.secret));
    expect(problem(enabled)).toEqual([401, 'wallet_locked']);
  });

  test('a test arrives, is logged, and is sent once more on demand; a new secret signs beside the old one', async () => {
    const { bare } = await newOwner(app);
    const { url, atLeast } = await receiverOf();
    const { body } = await register(url, bare, { events: ['webhook.test'] });
    const path = `/api/webhooks/${body.id}`;
    const tested = await app.post(`${path}/test`, {}, bare);
    const [first] = await atLeast(1);
    expect(first!.headers['webhook-id']).toBe(tested.body.event_id);
    expect(verified(body.secret, first!)).toMatchObject({ data: { webhook_id: body.id } });
    const log = () => app.get(`${path}/deliveries`, bare);
    await expect.poll(async () => (await log()).body.deliveries[0]?.status, WAIT).toBe('delivered');
    const [delivery] = (await log()).body.deliveries;
    expect(delivery).toMatchObject({ type: 'webhook.test', attempts: [{ status: 204, error: null }] });

    const rotated = await app.post(`${path}/rotate-secret`, {}, bare);
    const replayed = await app.post(`${path}/deliveries/${delivery.id}/replay`, {}, bare);
    expect(replayed.body.delivery).toMatchObject({ event_id: tested.body.event_id, status: 'pending' });
    const [, second] = await atLeast(2);
    for (const secret of [body.secret, rotated.body.secret]) verified(secret, second!);
    const page = await app.get(`${path}/deliveries?limit=1`, bare);
    const next = await app.get(`${path}/deliveries?limit=1&cursor=${page.body.next_cursor}`, bare);
    expect(next.body.deliveries).toMatchObject([{ id: delivery.id }]);
    const unknown = await app.post(`${path}/deliveries/dlv_0/replay`, {}, bare);
    expect(problem(unknown)).toEqual([404, 'webhook_not_found']);
  });

  test('without a wallet an endpoint hears public events alone', async () => {
    const { wallet, bare } = await newOwner(app);
    const { url, atLeast, received } = await receiverOf();
    await register(url, {});
    await app.post('/api/tools/save_asset', { wallet, key: 'a', data: 'aGVsbG8=' }, bare);
    await app.get('/api/cafe/post?name=Ada&message=Hello');
    await atLeast(1);
    expect(received.map(({ body }) => JSON.parse(body).type)).toEqual(['cafe.posted']);
  });

  test('wallets that are made up share the bound of their address', async () => {
    const wallet = (n: number) => `0x${n.toString(16).padStart(40, 'e')}`;
    const replies = [];
    for (let n = 0; n <= 20; n += 1) replies.push(await register(`${URL}/${n}`, bearer(wallet(n))));
    expect([replies[0]!.status, replies.at(-1)!.status]).toEqual([200, 400]);
  });
});
