import { x402Client } from '@x402/core/client';
import { AuthCaptureEvmScheme } from '@x402/evm/auth-capture/client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { OPERATOR } from '../support/fake_escrow.ts';
import { type FakeFacilitator, startFakeFacilitator } from '../support/fake_facilitator.ts';
import { forEachApp } from '../support/for_each_app.ts';
import type { TestApp } from '../support/open_test_app.ts';
import { decoded, encoded, NETWORK, newPayer, v2, X402_SETTINGS } from '../support/x402_payer.ts';

/** An entry of the 402. */
interface Offer {
  readonly scheme: string;
  readonly amount: string;
  readonly extra: object;
}

/** Paying by a hold in escrow: signed by the protocol's own client, judged by an escrow written after its specification. */

forEachApp((open) => {
  let facilitator: FakeFacilitator;
  let app: TestApp;
  beforeAll(async () => {
    facilitator = await startFakeFacilitator();
    app = await open({
      ...X402_SETTINGS(facilitator.url),
      EVM_RPC_URL: facilitator.rpcUrl,
      X402_CAPTURE_AUTHORIZER: OPERATOR,
    });
  });
  beforeEach(() => {
    facilitator.escrow.acts.splice(0);
    facilitator.escrow.payments.clear();
  });
  afterAll(async () => {
    expect((await app.get('/api/ledger/invariants')).body).toMatchObject({ balanced: true, problems: [] });
    await app?.close();
    await facilitator?.close();
  });

  const STRANGER = `0x${'5'.repeat(40)}`;
  const GOOD = { key: 'note', data: 'SGVsbG8=', content_type: 'text/plain' };
  /** Fails while it runs: a PNG of 8 × 8 whose pixels are no zlib stream. */
  const BAD = {
    image: 'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAADklEQVRubyB6bGliIHN0cmVhbcISVWgAAAAASUVORK5CYII=',
  };
  const acts = () => facilitator.escrow.acts;
  const balances = () =>
    [...facilitator.escrow.payments.values()].map((one) => [one.capturable, one.refundable]);

  async function signed(
    tool: string,
    fields: object,
    change: (requirements: Offer) => object = (same) => same,
  ) {
    const payer = newPayer();
    const body = tool === 'save_asset' ? { ...fields, wallet: payer.wallet } : fields;
    const unpaid = await app.post(`/api/tools/${tool}`, body);
    const required = decoded(unpaid.headers.get('payment-required'));
    const offers = required.accepts.filter(({ scheme }: { scheme: string }) => scheme === 'auth-capture');
    const client = new x402Client().register(NETWORK, new AuthCaptureEvmScheme(payer.account));
    const payment = await client.createPaymentPayload({ ...required, accepts: offers.map(change) });
    const send = (more: object = {}) => app.post(`/api/tools/${tool}`, { ...body, ...more }, v2(payment));
    return { payer, offers, send };
  }
  const saving = (change?: Parameters<typeof signed>[2]) => signed('save_asset', GOOD, change);

  test('the price is held, the tool runs and the hold is captured', async () => {
    const { payer, send } = await saving();
    const { status, body, headers } = await send();
    expect([status, body.payment?.method, body.payment?.wallet]).toEqual([200, 'x402', payer.wallet]);
    expect([acts(), balances()]).toEqual([['authorize', 'capture'], [[0n, 100_000n]]]);
    expect(decoded(headers.get('payment-response'))).toMatchObject({ success: true, payer: payer.wallet });
  });

  test('a failed call releases its hold without charge, and its payment is refused afterwards', async () => {
    const { send } = await signed('upscale_image', BAD);
    const { status, body } = await send();
    expect([status, body.code, acts(), balances()]).toEqual([
      422,
      expect.any(String),
      ['authorize', 'void'],
      [[0n, 0n]],
    ]);
    expect((await send()).body.detail).toContain('its hold was released');
  });

  test('a repeated payment returns the same bytes and captures nothing twice', async () => {
    const { send } = await saving();
    const first = await send();
    expect([(await send()).body, acts()]).toEqual([first.body, ['authorize', 'capture']]);
    expect([(await send({ key: 'other' })).body.code, acts().length]).toEqual(['payment_used', 2]);
  });

  const TAMPERED: [string, (requirements: Offer) => object, RegExp][] = [
    ['less', (one) => ({ ...one, amount: '1' }), /exactly 100000/],
    ['more', (one) => ({ ...one, amount: '900000' }), /exactly 100000/],
    ['to another payee', (one) => ({ ...one, payTo: OPERATOR }), /the required recipient is/],
    ['with a fee', (one) => ({ ...one, extra: { ...one.extra, maxFeeBps: 10_000 } }), /nonce/],
    [
      'of another operator',
      (one) => ({ ...one, extra: { ...one.extra, captureAuthorizer: STRANGER } }),
      /nonce/,
    ],
    [
      'of an own authorizer',
      (one) => ({ ...one, extra: { ...one.extra, receiverAuthorizer: STRANGER } }),
      /salt/,
    ],
    [
      'that has expired',
      (one) => ({ ...one, extra: { ...one.extra, captureDeadline: 1000 } }),
      /has expired/,
    ],
    [
      'without an end',
      (one) => ({ ...one, extra: { ...one.extra, captureDeadline: 4_102_444_800 } }),
      /at most/,
    ],
  ];
  test.each(TAMPERED)(
    'a hold %s is refused with the reason before any request to the facilitator',
    async (_name, change, why) => {
      const { send } = await saving(change as never);
      const { status, body } = await send();
      expect([status, body.code, acts()]).toEqual([402, 'payment_refused', []]);
      expect(body.detail).toMatch(why);
    },
  );

  test('a lost capture reply is resolved through the escrow without a second capture', async () => {
    const { send } = await saving();
    facilitator.fail('/settle', { kind: 'slow', ms: 0 }, { kind: 'lose_reply' });
    const { status } = await send();
    expect([status, balances()]).toEqual([200, [[0n, 100_000n]]]);
    expect(acts()).toEqual(['authorize', 'capture', expect.stringContaining('unexpected_payment_state')]);
  });

  test('a lost hold reply runs no tool and releases the hold', async () => {
    const { payer, send } = await saving();
    facilitator.fail('/settle', { kind: 'lose_reply' });
    const { body } = await send();
    expect(body.code).toBe('payment_refused');
    expect((await app.post('/api/tools/list_assets', { wallet: payer.wallet })).body.count).toBe(0);
    expect([acts(), balances()]).toEqual([['authorize', 'void'], [[0n, 0n]]]);
  });

  test('a capture that comes too late returns nothing and costs nothing', async () => {
    const { send } = await saving();
    facilitator.fail(
      '/settle',
      { kind: 'slow', ms: 0 },
      {
        kind: 'answer',
        status: 200,
        body: {
          success: false,
          errorReason: 'invalid_auth_capture_evm_capture_deadline_expired',
          transaction: '',
        },
      },
    );
    const { status, body } = await send();
    expect([status, body.code, balances()]).toEqual([402, 'payment_not_settled', [[0n, 0n]]]);
  });

  test('the hold offer is in the header only where the operator accepts holds', async () => {
    const { offers } = await saving();
    expect(offers).toMatchObject([
      { network: NETWORK, extra: { operatorType: 'delegated', paymentFlow: 'escrow' } },
    ]);
    expect(encoded(offers).length).toBeLessThan(1400);
  });
});
