import { FakeStripe, STRIPE_SECRET, STRIPE_WEBHOOK } from './fake_stripe.ts';
import type { TestApp } from './open_test_app.ts';

/** The card processor behind a server: payments, declines, refunds and disputes, for any processor. */
export interface Bank {
  /** Settings that make a server use it. */
  readonly settings: Record<string, string>;
  /** Presents a valid card, for an intent or a checkout. */
  pay(app: TestApp, id: string): Promise<void>;
  /** Presents a card that is declined. */
  decline(app: TestApp, id: string): Promise<void>;
  reverse(app: TestApp, id: string, how: 'refund' | 'dispute' | 'dispute_won'): Promise<void>;
  /** The id of the checkout in a URL of the server. */
  checkoutOf(url: string): string;
  close(): Promise<void>;
}

/** Cards that exist only in the tables of the service. */
export const simulatedBank = async (): Promise<Bank> => ({
  settings: { PAYMENTS: 'simulated' },
  async pay(app, id) {
    const isIntent = id.startsWith('pi_');
    const { status, text } = isIntent
      ? await app.post('/api/dev/confirm-payment-intent', { payment_intent_id: id })
      : await app.post('/api/dev/pay-checkout', { session_id: id });
    if (status !== 200) throw new Error(text);
  },
  async decline(app, id) {
    await app.post('/api/dev/confirm-payment-intent', { payment_intent_id: id, card: '4000000000000002' });
  },
  async reverse(app, id, how) {
    const { status, text } = await app.post('/api/dev/reverse-payment', { payment_id: id, how });
    if (status !== 200) throw new Error(text);
  },
  checkoutOf: (url) => url.split('/').at(-1)!,
  close: async () => {},
});

/** The official library against a fake Stripe, which reports to the server by signed events. */
export async function stripeBank(): Promise<Bank & { readonly stripe: FakeStripe }> {
  const stripe = await new FakeStripe().open();
  const tell = async (app: TestApp, type: string, object: Record<string, unknown>) => {
    const { body, headers } = stripe.event(type, object);
    const { status, text } = await app.post('/api/webhooks/stripe', body, headers);
    if (status !== 200) throw new Error(text);
  };
  return {
    stripe,
    settings: {
      STRIPE_SECRET_KEY: STRIPE_SECRET,
      STRIPE_WEBHOOK_SECRET: STRIPE_WEBHOOK,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_atelier',
      STRIPE_API_URL: stripe.url,
    },
    async pay(app, id) {
      stripe.pay(id);
      const thing = stripe.thing(id);
      const isIntent = thing.object === 'payment_intent';
      await tell(
        app,
        isIntent ? 'payment_intent.amount_capturable_updated' : 'checkout.session.completed',
        thing,
      );
    },
    async decline(_app, id) {
      stripe.decline(id);
    },
    async reverse(app, id, how) {
      const type = {
        refund: 'charge.refunded',
        dispute: 'charge.dispute.created',
        dispute_won: 'charge.dispute.closed',
      };
      await tell(app, type[how], stripe.reverse(id, how));
    },
    checkoutOf: (url) => url.split('/').at(-1)!,
    close: () => stripe.close(),
  };
}
