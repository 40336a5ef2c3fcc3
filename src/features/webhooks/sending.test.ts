import { afterEach, expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { givenWebhooks, WALLET } from '../../../tests/support/given_webhooks.ts';
import { openReceiver, type Receiver, verified } from '../../../tests/support/receiver.ts';
import type { Database } from '../../core/database/types.ts';
import { LOG_OF_ENDPOINT_MAX, WAITING_OF_CALLER_MAX } from './limits.ts';
import type { SenderDeps } from './service.ts';
import type { Delivery, Webhooks } from './types.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function receiver(answer?: Parameters<typeof openReceiver>[0]): Promise<Receiver> {
  const opened = await openReceiver(answer);
  closing.push(opened.close);
  return opened;
}

function given(database: Database, more: Partial<SenderDeps> = {}) {
  const one = givenWebhooks(database, more);
  closing.unshift(one.webhooks.close);
  one.webhooks.work();
  return one;
}

/** The newest delivery of an endpoint, once it has the expected state. */
async function newest(
  webhooks: Webhooks,
  id: string,
  is: (delivery: Delivery) => boolean,
): Promise<Delivery> {
  return await expect
    .poll(async () => (await webhooks.deliveries(id, { limit: 1 })).find(is), { timeout: 10_000 })
    .toBeDefined()
    .then(async () => (await webhooks.deliveries(id, { limit: 1 }))[0]!);
}

const fails = (status: number, headers = {}) =>
  receiver((response) => response.writeHead(status, headers).end());
const hasTried = ({ attempts }: Delivery) => attempts.length > 0;

forEachDatabase((_name, open) => {
  test('an event is delivered once, signed and logged', async () => {
    const { url, atLeast, received } = await receiver();
    const { webhooks, register, tell } = given(await open());
    const { id, secret } = await register(url);
    await tell();
    const [notice] = await atLeast(1);

    expect(verified(secret, notice!)).toEqual({
      type: 'tool.completed',
      data: { tool: 'paint' },
      timestamp: expect.stringMatching(/^2\d{3}-.*Z$/),
    });
    const delivery = await newest(webhooks, id, ({ state }) => state === 'delivered');
    expect(delivery).toMatchObject({ type: 'tool.completed', eventId: notice!.headers['webhook-id'] });
    expect(delivery.attempts).toMatchObject([{ status: 204, error: null }]);
    expect(received).toHaveLength(1);
  });

  test.each([
    [['*'], ['tool.failed', 'asset.saved']],
    [['tool.*'], ['tool.failed']],
    [['asset.saved'], ['asset.saved']],
    [['job.*', 'asset.deleted'], []],
  ])('a subscription to %j receives %j', async (events, wanted) => {
    const { url, atLeast } = await receiver();
    const { register, tell, webhooks } = given(await open());
    const { id, secret } = await register(url, { events });
    await tell('tool.failed');
    await tell('asset.saved');
    await webhooks.test(id);
    const notices = await atLeast(wanted.length + 1);
    const types = notices.map((notice) => verified(secret, notice).type);
    expect(types.toSorted()).toEqual([...wanted, 'webhook.test'].toSorted());
  });

  test('another wallet receives no notifications', async () => {
    const { url, atLeast } = await receiver();
    const { register, tell, webhooks } = given(await open());
    const { id } = await register(url);
    await tell('tool.failed', `0x${'b'.repeat(40)}`);
    await webhooks.test(id);
    expect(await atLeast(1)).toHaveLength(1);
  });

  test('a failed delivery is retried on schedule with the same id and body, signed anew', async () => {
    let status = 500;
    const { url, atLeast } = await receiver((response) => response.writeHead(status).end());
    const { webhooks, register, tell, time } = given(await open());
    const { id } = await register(url);
    await tell();
    const { dueAt, attempts } = await newest(webhooks, id, hasTried);
    expect(dueAt!.getTime() - Date.parse(attempts[0]!.at)).toBeLessThan(8000);
    expect(await webhooks.find(id, { wallet: WALLET })).toMatchObject({ failingSince: expect.any(Date) });
    status = 200;
    time.ahead = 6000;
    const [first, second] = await atLeast(2);
    expect(second!.body).toBe(first!.body);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.headers['webhook-timestamp']).not.toBe(first!.headers['webhook-timestamp']);
    await newest(webhooks, id, ({ state }) => state === 'delivered');
    expect(await webhooks.find(id, { wallet: WALLET })).toMatchObject({ failingSince: null });
  });

  test('a clock set back by a year does not delay a retry by a year', async () => {
    let status = 500;
    const { url, atLeast } = await receiver((response) => response.writeHead(status).end());
    const { webhooks, register, tell, time } = given(await open());
    const { id } = await register(url);
    await tell();
    await newest(webhooks, id, hasTried);
    status = 200;
    time.ahead = -365 * 86_400_000;
    await webhooks.sweep(new Date(Date.now() + time.ahead));
    await atLeast(2);
    await newest(webhooks, id, ({ state }) => state === 'delivered');
  });

  test('days of failure disable the endpoint; other endpoints of the wallet are still notified', async () => {
    const [{ url }, other] = [await fails(500), await receiver()];
    const { webhooks, register, time } = given(await open());
    const { id } = await register(url);
    const { secret } = await register(other.url, { events: ['webhook.disabled'] });
    await webhooks.test(id);
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const { dueAt } = await newest(webhooks, id, ({ attempts }) => attempts.length === attempt);
      if (dueAt) time.ahead = dueAt.getTime() - Date.now();
    }
    expect(await newest(webhooks, id, hasTried)).toMatchObject({ state: 'failed', dueAt: null });
    const [told] = await other.atLeast(1);
    expect(JSON.parse(told!.body).data).toMatchObject({
      webhook_id: id,
      url: `https://atelier.test/api/webhooks/${id}`,
      reason: expect.stringMatching(/^no delivery has succeeded since/),
    });
    expect(secret).toBeDefined();
    expect(await webhooks.find(id, { wallet: WALLET })).toMatchObject({ state: 'disabled' });
  });

  test('410 disables the endpoint; once re-enabled, missed deliveries can be resent', async () => {
    let status = 410;
    const { url, atLeast } = await receiver((response) => response.writeHead(status).end());
    const { webhooks, register, tell } = given(await open());
    const { id, secret } = await register(url);
    await tell();
    const failed = await newest(webhooks, id, ({ state }) => state === 'failed');
    await expect
      .poll(() => webhooks.find(id, { secret }), { timeout: 10_000 })
      .toMatchObject({ state: 'disabled' });
    status = 200;
    await webhooks.enable(id, false);
    const replayed = await webhooks.replay(id, failed.id);
    expect(replayed).toMatchObject({ eventId: failed.eventId, attempts: [] });
    const [first, again] = await atLeast(2);
    expect(again!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    await expect(webhooks.replay(id, 'dlv_none')).rejects.toMatchObject({ code: 'webhook_not_found' });
  });

  test('after a rotation both secrets are valid for a day, then only the new one', async () => {
    const { url, atLeast } = await receiver();
    const { webhooks, register, time } = given(await open());
    const { id, secret: before } = await register(url);
    const { secret } = await webhooks.rotateSecret(id);
    await webhooks.test(id);
    const [notice] = await atLeast(1);
    for (const either of [before, secret]) expect(verified(either, notice!).type).toBe('webhook.test');
    time.ahead = 25 * 3_600_000;
    await webhooks.test(id);
    const [, later] = await atLeast(2);
    expect(later!.headers['webhook-signature']).not.toContain(' ');
  });

  test('unresponsive receivers do not delay others', async () => {
    const slow = await receiver(() => {});
    const { url, atLeast } = await receiver();
    const { register, tell } = given(await open());
    await register(slow.url);
    for (let n = 0; n < 30; n += 1) await tell();
    const { secret } = await register(url, { caller: `0x${'b'.repeat(40)}` });
    const begun = performance.now();
    await tell('tool.failed', `0x${'b'.repeat(40)}`);
    const [notice] = await atLeast(1);
    expect(performance.now() - begun).toBeLessThan(3000);
    expect(verified(secret, notice!).type).toBe('tool.failed');
    expect(slow.received.length).toBeLessThanOrEqual(4);
  });

  test('two servers sharing a database deliver each notification once', async () => {
    const { url, atLeast, received } = await receiver();
    const database = await open();
    const [one] = [given(database), given(database)];
    await one.register(url);
    await Promise.all(Array.from({ length: 40 }, () => one.tell()));
    await atLeast(40);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(40);
    expect(received).toHaveLength(40);
    expect(one.failures).toEqual([]);
  });

  test('deliveries in progress on a stopped server are completed by another', async () => {
    let isDeaf = true;
    const { url, atLeast } = await receiver((response) => void (isDeaf || response.writeHead(200).end()));
    const database = await open();
    const first = given(database);
    const { id } = await first.register(url);
    await first.tell();
    await atLeast(1);
    await first.webhooks.close();
    isDeaf = false;
    const { webhooks } = given(database);
    expect(await newest(webhooks, id, ({ state }) => state === 'delivered')).toMatchObject({
      attempts: [{ status: 200 }],
    });
  });

  test('notifications beyond the queue limit of a client are dropped and counted', async () => {
    const { url } = await receiver();
    const database = await open();
    const { register, tell, webhooks } = givenWebhooks(database);
    const { id } = await register(url);
    await tell();
    await database.query('select spread_webhook_events(now(), 10, 10, 1000, 1000)');
    await database.query(
      `insert into webhook_deliveries (event_id, endpoint_id, host, caller, due_at, created_at)
       select event_id, endpoint_id, host, caller, 'infinity', now() from webhook_deliveries, generate_series(2, $1)`,
      [WAITING_OF_CALLER_MAX],
    );
    await tell();
    closing.unshift(webhooks.close);
    webhooks.work();
    const seen = () => webhooks.find(id, { wallet: WALLET });
    await expect.poll(seen, { timeout: 10_000 }).toMatchObject({ dropped: 1 });
  });

  test('only the newest completed deliveries are retained, for two weeks', async () => {
    const { url } = await receiver();
    const database = await open();
    const { register, tell, webhooks } = givenWebhooks(database);
    await register(url);
    for (let n = 0; n < 3; n += 1) await tell();
    await database.query('select spread_webhook_events(now(), 10, 10, 1000, 1000)');
    await database.query(`update webhook_deliveries set state = 'failed', ended_at = now()`);
    await database.query(
      `insert into webhook_deliveries (event_id, endpoint_id, host, caller, due_at, created_at, state, ended_at)
       select event_id, endpoint_id, host, caller, now(), now(), 'failed', now()
       from (select * from webhook_deliveries order by position desc limit 1) last, generate_series(1, $1)`,
      [LOG_OF_ENDPOINT_MAX],
    );
    await webhooks.sweep(new Date());
    const count = async () => (await database.query('select from webhook_deliveries')).length;
    expect(await count()).toBe(LOG_OF_ENDPOINT_MAX);
    expect(await database.query('select from webhook_events')).toHaveLength(1);
    await webhooks.sweep(new Date(Date.now() + 15 * 86_400_000));
    expect(await count()).toBe(0);
  });
});
