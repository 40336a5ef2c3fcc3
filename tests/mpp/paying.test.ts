import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Receipt } from 'mppx';
import { McpClient } from 'mppx/mcp/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bank, stripeBank } from '../support/banks.ts';
import type { FakeStripe } from '../support/fake_stripe.ts';
import { forEachApp } from '../support/for_each_app.ts';
import { lintOpenApi } from '../support/lint_openapi.ts';
import { answerTo, cardOf, PROFILE, payingFetch } from '../support/mpp_payer.ts';
import type { TestApp } from '../support/open_test_app.ts';
import { freshWallet } from '../support/stripe_world.ts';

/** Calls paid by a shared payment token, over the whole service with a Stripe of our own; the client is the protocol's own. */

const PATH = '/api/tools/save_asset';
const noteOf = (key: string) => ({ wallet: freshWallet(), key, data: 'aGVsbG8=' });

forEachApp((open) => {
  describe('payments with the Payment scheme', () => {
    let bank: Bank & { readonly stripe: FakeStripe };
    let app: TestApp;
    beforeAll(async () => {
      bank = await stripeBank();
      app = await open({ ...bank.settings, STRIPE_PROFILE_ID: PROFILE });
    });
    afterAll(async () => {
      await app?.close();
      await bank?.close();
    });
    const unpaid = (body: object) => app.post(PATH, body);
    const taken = () => bank.stripe.requests.filter(({ path }) => path.endsWith('/capture')).length;
    const made = () =>
      bank.stripe.requests.filter(
        ({ method, path }) => method === 'POST' && path.endsWith('/payment_intents'),
      ).length;

    test('the client pays automatically and is charged once', async () => {
      const before = taken();
      const response = await payingFetch(app, bank.stripe)(`http://atelier.test${PATH}`, {
        method: 'POST',
        body: JSON.stringify(noteOf('a')),
      });
      const { payment } = (await response.json()) as { payment: Record<string, unknown> };
      expect(payment).toMatchObject({ method: 'card', charged_usd: 0.5, calls_left: 4 });
      expect(Receipt.fromResponse(response)).toMatchObject({
        method: 'stripe',
        reference: payment.payment_intent_id,
      });
      expect(taken() - before).toBe(1);
    });

    test('a client that got no response repeats the call and collects it without paying again', async () => {
      const body = noteOf('b');
      const paying = answerTo(await unpaid(body), bank.stripe.grantToken());
      const before = taken();
      const [first, again] = [await app.post(PATH, body, paying), await app.post(PATH, body, paying)];
      expect([first.status, again.text]).toEqual([200, first.text]);
      expect(again.headers.get('payment-receipt')).toBe(first.headers.get('payment-receipt'));
      expect(taken() - before).toBe(1);
    });

    test('a payment pays for one call, and its remainder only as a payment intent', async () => {
      const paying = answerTo(await unpaid(noteOf('c')), bank.stripe.grantToken());
      const first = await app.post(PATH, noteOf('c'), paying);
      const replies = [
        await app.post(PATH, noteOf('d'), paying),
        await app.post(PATH, noteOf('d'), { ...paying, 'Idempotency-Key': 'other' }),
      ];
      expect(replies.map(({ body }) => body.code)).toEqual(['payment_used', 'payment_used']);
      const intent = { 'X-Payment-Intent': first.body.payment.payment_intent_id };
      expect((await app.post(PATH, noteOf('d'), intent)).body.payment).toMatchObject({
        calls_left: 3,
        charged_usd: 0,
      });
    });

    test('concurrent requests get distinct challenges', async () => {
      const asked = await Promise.all(Array.from({ length: 40 }, () => unpaid(noteOf('f'))));
      expect(new Set(asked.map(({ headers }) => headers.get('www-authenticate'))).size).toBe(40);
    });

    test('one of several concurrent calls with the same payment succeeds', async () => {
      const paying = answerTo(await unpaid(noteOf('e')), bank.stripe.grantToken());
      const before = taken();
      const replies = await Promise.all(
        [1, 2, 3, 4].map((at) =>
          app.post(PATH, noteOf(`e${at}`), { ...paying, 'Idempotency-Key': `e${at}` }),
        ),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 402, 402, 402]);
      expect(taken() - before).toBe(1);
    });

    test.each([
      ['its amount', { request: { amount: '1', currency: 'usd', methodDetails: {} } }],
      ['its end', { expires: '2099-01-01T00:00:00.000Z' }],
      ['its tool', { opaque: Buffer.from('{"tool":"enrich_metadata"}').toString('base64url') }],
      ['its server', { realm: 'elsewhere.test' }],
    ])('a challenge with %s changed is refused without a card payment attempt', async (_what, change) => {
      const paying = answerTo(await unpaid(noteOf('f')), bank.stripe.grantToken(), change);
      const before = made();
      const { status, body, headers } = await app.post(PATH, noteOf('f'), paying);
      expect([status, body.code, made() - before]).toEqual([402, 'payment_refused', 0]);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer .*, Payment id="/);
    });

    test('a payment for one tool is refused for another', async () => {
      const paying = answerTo(await unpaid(noteOf('g')), bank.stripe.grantToken());
      const other = await app.post('/api/tools/upscale_image', { image: 'x' }, paying);
      expect(other.body).toMatchObject({ code: 'payment_refused', tool: 'upscale_image' });
    });

    test('a used token is refused for another challenge', async () => {
      const spt = bank.stripe.grantToken();
      await app.post(PATH, noteOf('h'), answerTo(await unpaid(noteOf('h')), spt));
      const again = await app.post(PATH, noteOf('i'), answerTo(await unpaid(noteOf('i')), spt));
      expect(again.body.code).toBe('payment_used');
    });

    test.each([
      [{ card: 'declined' } as const, /declined/],
      [{ card: 'asks' } as const, /requires_action/],
      [{ cents: 20 }, /is for less/],
    ])('a token of %o is refused with a new challenge', async (grant, why) => {
      const before = taken();
      const { status, body } = await app.post(
        PATH,
        noteOf('j'),
        answerTo(await unpaid(noteOf('j')), bank.stripe.grantToken(grant)),
      );
      expect([status, body.detail]).toEqual([402, expect.stringMatching(why)]);
      expect(taken() - before).toBe(0);
    });

    test('a failed call is not charged, and its payment covers the corrected call', async () => {
      const wrong = { ...noteOf('k'), data: '!' };
      const paying = answerTo(await unpaid(wrong), bank.stripe.grantToken());
      const before = taken();
      expect((await app.post(PATH, wrong, paying)).status).toBe(400);
      expect(taken() - before).toBe(0);
      expect((await app.post(PATH, noteOf('k'), paying)).status).toBe(200);
      expect((await app.get('/api/ledger/invariants')).body).toMatchObject({ balanced: true });
    });

    test('a bearer wallet with the payment owns the call and is credited the excess', async () => {
      const wallet = freshWallet();
      await app.post('/api/wallet/register', { wallet });
      const body = { ...noteOf('l'), wallet };
      const { Authorization } = answerTo(await unpaid(body), bank.stripe.grantToken());
      const both = { Authorization: `Bearer ${wallet}, ${Authorization}` };
      expect((await app.post(PATH, body, both)).body.payment).toMatchObject({ method: 'card', wallet });
    });

    test('the MCP client pays automatically and gets the payment details', async () => {
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(
        new StreamableHTTPClientTransport(new URL('http://atelier.test/mcp'), {
          fetch: async (url, init) => app.fetch(new Request(url, init as RequestInit)),
        }) as Parameters<typeof client.connect>[0],
      );
      const paying = McpClient.wrap(client, { methods: [cardOf(bank.stripe)] });
      const answer = await paying.callTool({ name: 'save_asset', arguments: noteOf('mcp') });
      expect(answer.structuredContent).toMatchObject({ payment: { method: 'card', charged_usd: 0.5 } });
      expect(answer.receipt).toMatchObject({ status: 'success', method: 'stripe' });
      await client.close();
    });

    test('a malformed credential gets 402 with a new challenge', async () => {
      const { status, body } = await app.post(PATH, noteOf('m'), { Authorization: 'Payment !' });
      expect([status, body.code]).toEqual([402, 'payment_refused']);
    });

    test('the OpenAPI document is valid, and cross-origin pages can read the receipt', async () => {
      const { body } = await app.get('/openapi.json');
      expect(lintOpenApi(body)).toBe('');
      const { post } = body.paths[PATH];
      expect(post['x-payment-info'].offers).toContainEqual(
        expect.objectContaining({ method: 'stripe', amount: '50' }),
      );
      expect(post.security).toContainEqual({ paymentCredential: [] });
      const { headers } = await app.post(PATH, noteOf('n'), { Origin: 'https://elsewhere.test' });
      expect(headers.get('access-control-expose-headers')).toMatch(/WWW-Authenticate.*Payment-Receipt/);
    });
  });
});
