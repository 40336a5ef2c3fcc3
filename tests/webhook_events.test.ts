import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../src/features/definitions/example_image.ts';
import { EVENT_NAMES, EVENTS, type EventName } from '../src/features/webhooks/routes/events.ts';
import { type FakeFacilitator, startFakeFacilitator } from './support/fake_facilitator.ts';
import { forEachApp } from './support/for_each_app.ts';
import { ENDED, EVERY_SPECK, jobIn, noise, postJob } from './support/job_calls.ts';
import type { TestApp } from './support/open_test_app.ts';
import { bearer, newOwner, type Owner } from './support/owner.ts';
import { openReceiver, type Receiver, verified } from './support/receiver.ts';
import { newPayer, v2, X402_SETTINGS } from './support/x402_payer.ts';

// Everything that can be told is made to happen in the whole service, and has to arrive as it is described.

/** Too small and too flat, which is found out once the price is held. */
const UNFIT = { image: EXAMPLE_PNG_B64, title: 'Sun', artist: 'Ada' };

forEachApp((open) => {
  let app: TestApp;
  let facilitator: FakeFacilitator;
  let receiver: Receiver;
  let owner: Owner;
  let secret: string;
  beforeAll(async () => {
    facilitator = await startFakeFacilitator();
    app = await open({
      PAYMENTS: 'simulated',
      ALLOW_PRIVATE_FETCH: 'true',
      CAFE_POSTS_PER_DAY: '100',
      ...X402_SETTINGS(facilitator.url),
    });
    receiver = await openReceiver((response, { path }) =>
      response.writeHead(path === '/gone' ? 410 : 204).end(),
    );
    owner = await newOwner(app);
    ({ secret } = (await register(receiver.url, owner.bare)).body);
  });
  afterAll(async () => {
    await app.close();
    await receiver.close();
    await facilitator.close();
  });

  const register = (url: string, headers: Record<string, string>, more: object = {}) =>
    app.post('/api/webhooks/register', { url, ...more }, headers);
  const call = (tool: string, body: object, headers: Record<string, string> = owner.bare) =>
    app.post(`/api/tools/${tool}`, body, headers);
  const told = (type: EventName, by = secret) =>
    receiver.received
      .filter(({ path }) => path === '/hook')
      .map((notice) => verified(by, notice))
      .filter((notice) => notice.type === type);
  /** The notices of one type, once there are so many; each as the reference has it. */
  async function heard(type: EventName, count = 1): Promise<Record<string, unknown>[]> {
    await expect.poll(() => told(type).length).toBeGreaterThanOrEqual(count);
    return told(type).map(({ data }) => EVENTS[type].data.parse(data));
  }
  const endOf = async (job: { body: { job_id: string } }, states = ENDED) =>
    jobIn(app, job.body.job_id, states, owner.bare);

  test('calls: paid, free and failed', async () => {
    const { body } = await call('save_asset', { wallet: owner.wallet, key: 'a.txt', data: 'aGVsbG8=' });
    const free = await call('search_tools', {});
    const failed = await call('register_hash', UNFIT);
    expect([free.status, failed.status >= 400]).toEqual([200, true]);
    const { receipt_id } = body.payment;
    const completed = await heard('tool.completed', 2);
    expect(completed).toContainEqual({ tool: 'save_asset', credits: 1, receipt_id, job_id: null });
    expect(completed).toContainEqual({ tool: 'search_tools', credits: 0, receipt_id: null, job_id: null });
    const { code, request_id } = failed.body;
    expect(await heard('tool.failed')).toEqual([{ tool: 'register_hash', code, request_id, job_id: null }]);
  });

  test('workspaces: items, acts and comments', async () => {
    const { id } = (await app.post('/api/workspaces', { title: 'Mugs' }, owner.bare)).body;
    await call('resize_image', { image: EXAMPLE_PNG_B64, width: 4, height: 4, workspace: id });
    await app.post(`/api/workspaces/${id}/comments`, { text: 'Good' }, owner.bare);
    const kinds = (await heard('workspace.changed', 3)).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['act_done', 'commented', 'items_added']);
  });

  test('assets: saved, once paid, and deleted; changes undone by a failed call emit no event', async () => {
    await call('delete_asset', { wallet: owner.wallet, key: 'a.txt' });
    expect(await heard('asset.saved')).toEqual([{ key: 'a.txt' }]);
    expect(await heard('asset.deleted')).toEqual([{ key: 'a.txt' }]);
  });

  test('jobs: queued, completed, failed, canceled, and a batch', async () => {
    const done = await postJob(app, 'search_tools', {}, owner.bare);
    const failed = await postJob(app, 'register_hash', UNFIT, owner.bare);
    const batch = await postJob(app, 'batch_download', {}, owner.bare);
    const long = { image: await noise(900), ...EVERY_SPECK };
    const canceled = await postJob(app, 'vectorize_image', long, owner.bare);
    await app.post(`/api/jobs/${canceled.body.job_id}/cancel`, {}, owner.bare);
    for (const job of [done, failed, batch, canceled]) await endOf(job);
    const view = (job: typeof done, tool: string) => ({
      job_id: job.body.job_id,
      tool,
      url: `http://atelier.test/api/jobs/${job.body.job_id}`,
    });
    expect(await heard('job.queued', 4)).toContainEqual(view(canceled, 'vectorize_image'));
    expect(await heard('job.completed', 2)).toContainEqual(view(done, 'search_tools'));
    expect(await heard('job.canceled')).toEqual([view(canceled, 'vectorize_image')]);
    const [failure] = await heard('job.failed');
    expect(failure).toMatchObject(view(failed, 'register_hash'));
    expect(await heard('dataset.batch_ready')).toMatchObject([{ job_id: batch.body.job_id }]);
    const job_id = done.body.job_id;
    expect(await heard('tool.completed', 4)).toContainEqual({
      tool: 'search_tools',
      credits: 0,
      receipt_id: null,
      job_id,
    });
  });

  test('credits: bought, taken back, and low', async () => {
    const { body } = await app.post('/api/credits/checkout', { wallet: owner.wallet, pack: 'starter' });
    await app.post('/api/dev/pay-checkout', { session_id: body.session_id });
    const [bought] = await heard('credits.purchased');
    await app.post('/api/dev/reverse-payment', { payment_id: body.session_id });
    const [taken] = await heard('credits.refunded');
    expect(taken).toMatchObject({ credits: bought!.credits, direction: 'taken_back' });
    for (let n = 0; n < 6; n += 1)
      await call('save_asset', { wallet: owner.wallet, key: `${n}.txt`, data: 'aGVsbG8=' });
    const [low] = await heard('credits.low');
    expect(low).toMatchObject({ below: 5 });
    expect(low!.balance as number).toBeLessThan(5);
  });

  test('card payments are captured, or released if the call fails', async () => {
    const paidFor = async (tool_name: string) => {
      const { body } = await app.post('/api/create-payment-intent', { tool_name, wallet: owner.wallet });
      await app.post('/api/dev/confirm-payment-intent', { payment_intent_id: body.id });
      return { ...owner.bare, 'X-Payment-Intent': body.id as string };
    };
    const taken = await paidFor('save_asset');
    await call('save_asset', { wallet: owner.wallet, key: 'card.txt', data: 'aGVsbG8=' }, taken);
    const released = await paidFor('register_hash');
    await call('register_hash', UNFIT, released);
    const view = (headers: typeof taken, tool: string) => ({
      method: 'card',
      tool,
      payment_id: headers['X-Payment-Intent'],
      amount_usd: 0.5,
    });
    expect(await heard('payment.captured')).toEqual([view(taken, 'save_asset')]);
    expect(await heard('payment.released')).toEqual([view(released, 'register_hash')]);
  });

  test('provenance: registration, and a match by another client but not by the owner', async () => {
    await app.post('/api/dev/pay-checkout', {
      session_id: (await app.post('/api/credits/checkout', { wallet: owner.wallet, pack: 'starter' })).body
        .session_id,
    });
    const image = await noise(300);
    const { body } = await call('register_hash', { image, title: 'Noise', artist: 'Ada' });
    const [registered] = await heard('provenance.registered');
    await call('verify_provenance', { image });
    await call('verify_provenance', { image }, {});
    const [met] = await heard('provenance.match_found');
    expect(met).toMatchObject({ by: 'file', registration_id: registered!.registration_id });
    expect(body.payment).toBeDefined();
    expect(told('provenance.match_found')).toHaveLength(1);
  });

  test('post events reach every subscriber, without the text', async () => {
    await app.get('/api/cafe/post?name=Ada&message=Good%20morning');
    await app.post('/api/gallery/post', {
      name: 'Ada',
      title: 'Sea',
      image_url: 'https://example.org/sea.png',
    });
    await app.post('/api/registry/quick-sign', { name: 'Ada', type: 'wanderer' });
    for (const type of ['cafe.posted', 'gallery.posted', 'registry.signed'] as const) {
      const [post] = await heard(type);
      expect(JSON.stringify(post)).not.toMatch(/Ada|morning|Sea/);
    }
  });

  test('payments by x402 notify their payer', async () => {
    const payer = newPayer();
    await app.post('/api/wallet/register', { wallet: payer.wallet });
    const { body } = await register(`${receiver.url}?x402`, bearer(payer.wallet));
    const paid = v2(await payer.pay());
    const saved = await call('save_asset', { wallet: payer.wallet, key: 'a', data: 'aGVsbG8=' }, paid);
    expect(saved.status).toBe(200);
    const arrived = () =>
      receiver.received
        .filter(({ path }) => path === '/hook?x402')
        .map((notice) => verified(body.secret, notice))
        .map(({ type, data }) => ({ type, data: EVENTS[type as EventName].data.parse(data) }));
    for (const expected of [
      { type: 'payment.captured', data: { method: 'x402', tool: 'save_asset' } },
      { type: 'tool.completed', data: { receipt_id: saved.body.payment.receipt_id, credits: 1 } },
      { type: 'asset.saved', data: { key: 'a' } },
    ])
      await expect.poll(arrived).toContainEqual(
        expect.objectContaining({
          ...expected,
          data: expect.objectContaining(expected.data),
        }),
      );
  });

  test('an awaited wallet receives events from its registration on', async () => {
    const wallet = `0x${crypto.randomUUID().replaceAll('-', '')}00000000`;
    const { body } = await register(`${receiver.url}?awaited`, { Authorization: `Bearer ${wallet}` });
    await app.post('/api/wallet/register', { wallet });
    const arrived = () =>
      receiver.received
        .filter(({ path }) => path === '/hook?awaited')
        .map((notice) => verified(body.secret, notice))
        .find(({ type }) => type === 'wallet.registered');
    await expect.poll(arrived).toMatchObject({ data: { wallet } });
    EVENTS['wallet.registered'].data.parse(arrived()!.data);
  });

  test('an endpoint that is gone, a test, and a lock', async () => {
    const { body: gone } = await register(new URL('/gone', receiver.url).href, owner.bare);
    await app.post(`/api/webhooks/${gone.id}/test`, {}, owner.bare);
    expect(await heard('webhook.disabled')).toMatchObject([
      { webhook_id: gone.id, url: `http://atelier.test/api/webhooks/${gone.id}` },
    ]);
    const session = await owner.signIn();
    const { body: proved } = await register(receiver.url, session);
    secret = proved.secret;
    await app.post(`/api/webhooks/${proved.id}/test`, {}, session);
    await app.post('/api/wallet/lock', {}, session);
    const ofNew = (type: EventName) => () =>
      receiver.received.find(
        ({ path, body, headers }) =>
          path === '/hook' && JSON.parse(body).type === type && verified(secret, { path, body, headers }),
      );
    for (const type of ['webhook.test', 'wallet.locked'] as const) {
      await expect.poll(ofNew(type)).toBeDefined();
      EVENTS[type].data.parse(JSON.parse(ofNew(type)()!.body).data);
    }
  });

  test('nothing that is described was left out', () => {
    const types = new Set(receiver.received.map(({ body }) => JSON.parse(body).type));
    expect(EVENT_NAMES.filter((name) => !types.has(name))).toEqual([]);
  });
});
