import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachApp } from './support/for_each_app.ts';
import type { TestApp } from './support/open_test_app.ts';
import { openVisitor } from './support/open_visitor.ts';
import { newOwner } from './support/owner.ts';
import { makeOperatorTokens, startIssuer } from './support/token_issuer.ts';

forEachApp((open) => {
  let app: TestApp;
  let issuer: Awaited<ReturnType<typeof startIssuer>>;
  let money: Record<string, string>;
  beforeAll(async () => {
    issuer = await startIssuer();
    app = await open({
      PAYMENTS: 'simulated',
      SELLER_NAME: 'Atelier Ltd',
      SELLER_TAX_PERCENT: '19',
      ...issuer.settings,
    });
    money = (await makeOperatorTokens(app, issuer.tokenOf(['staff']))).money;
  });
  afterAll(async () => {
    await app?.close();
    await issuer?.close();
  });

  /** A pack bought with a simulated card. @returns the id of the purchase */
  async function buy(wallet: string): Promise<string> {
    const { body } = await app.post('/api/credits/checkout', { wallet, pack: 'starter' });
    await app.post('/api/dev/pay-checkout', { session_id: body.session_id, card: '4242424242424242' });
    return `checkout:${body.session_id}`;
  }

  test('a buyer fetches the invoice of a purchase as PDF, another wallet does not', async () => {
    const [owner, other] = [await newOwner(app), await newOwner(app)];
    const purchase = await buy(owner.wallet);
    const session = await owner.signIn();
    const { invoices } = (await app.get('/api/wallet/invoices', session)).body;
    expect(invoices).toMatchObject([{ purchase, amount: 5, currency: 'USD', means: 'simulated' }]);
    const path = `/api/wallet/invoices/${invoices[0].number}`;
    const fetched = await app.get(path, session);
    expect([fetched.status, fetched.text.slice(0, 5)]).toEqual([200, '%PDF-']);
    expect((await app.get(path, await other.signIn())).body.code).toBe('invoice_not_found');
    expect((await app.get(`/api/operator/invoice?purchase=${purchase}`, money)).text).toBe(fetched.text);
  });

  test('a card payment for calls of a tool has an invoice, once it was taken', async () => {
    const { wallet } = await newOwner(app);
    const { id } = (await app.post('/api/create-payment-intent', { tool_name: 'save_asset', wallet })).body;
    await app.post('/api/dev/confirm-payment-intent', { payment_intent_id: id });
    const listed = async () => (await app.get(`/api/wallet/invoices?wallet=${wallet}`)).body.invoices;
    expect(await listed()).toEqual([]);
    await app.post(
      '/api/tools/save_asset',
      { wallet, key: 'k', data: 'aGVsbG8=' },
      { 'X-Payment-Intent': id },
    );
    expect(await listed()).toMatchObject([
      { purchase: `capture:${id}`, item: 'save_asset', credits: 5, amount: 0.5 },
    ]);
  });

  test('the wallet page links to the invoice and shows the buyer', async () => {
    const owner = await newOwner(app);
    await buy(owner.wallet);
    const visitor = openVisitor(app, (await owner.signIn()).Authorization!.slice('Bearer '.length));
    await visitor.press('/wallet', { act: 'buyer', name: 'Eve & Sons', address: 'Rue 1', tax_id: '' });
    const { text } = await visitor.look('/wallet');
    expect(text).toContain('value="Eve &amp; Sons"');
    const [, path] = /href="(\/wallet\/invoices\/TEST-[\d-]+)"/.exec(text) ?? [];
    expect((await visitor.look(path!)).text.slice(0, 5)).toBe('%PDF-');
  });

  test.each([[{ name: 'a\u202eb' }], [{ address: 'a\nb' }], [{ tax_id: '1'.repeat(61) }]])(
    '%j is not printed',
    async (sent) => {
      const owner = await newOwner(app);
      expect((await app.post('/api/wallet/invoice_buyer', sent, await owner.signIn())).status).toBe(400);
    },
  );
});
