import type { Database } from '../../../core/database/types.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import * as store from './store.ts';

/** Simulates the cardholder and the bank. */
export interface PaymentSimulator {
  find(id: string): Promise<SimulatedPurchase | undefined>;
  /**
   * Pays a checkout, or authorises an intent. Idempotent.
   * @throws AtelierError invalid_input for a number that is not a test card and for an ended payment; card_declined;
   * payment_not_found
   */
  pay(id: string, card: string): Promise<SimulatedPurchase>;
  /** Refunds the whole amount, disputes it, or decides the dispute in favour of the seller. @throws AtelierError payment_not_found */
  reverse(id: string, how: 'refund' | 'dispute' | 'dispute_won'): Promise<void>;
}

export interface SimulatedPurchase {
  readonly id: string;
  readonly kind: 'intent' | 'checkout';
  readonly status: store.SimulatedPayment['status'];
  readonly description: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly successUrl?: string;
}

/** Behaviour of each test card; numbers as in the test mode of Stripe. */
const TEST_CARDS: Readonly<Record<string, string | undefined>> = {
  '4242424242424242': 'pays',
  '4000000000000002': 'The card was declined.',
  '4000000000009995': 'The card has insufficient funds.',
};

export function createPaymentSimulator(database: Database, clock: () => Date): PaymentSimulator {
  const find = async (id: string) => {
    const payment = await store.selectPayment(database, id);
    return payment && asPurchase(payment);
  };
  return {
    find,
    pay: (id, card) => pay(database, { id, card, now: clock() }),
    async reverse(id, how) {
      const change = {
        refund: { refundedCents: Number.MAX_SAFE_INTEGER, disputed: null },
        dispute: { refundedCents: null, disputed: true },
        dispute_won: { refundedCents: null, disputed: false },
      }[how];
      if (await store.reversePayment(database, id, change)) return;
      throw new AtelierError('payment_not_found', `No paid payment has the id ${id}.`);
    },
  };
}

async function pay(
  database: Database,
  { id, card, now }: { id: string; card: string; now: Date },
): Promise<SimulatedPurchase> {
  const verdict = TEST_CARDS[card.replace(/[ -]/g, '')];
  if (verdict === undefined) {
    throw invalidField(
      'card',
      `card must be one of the test cards ${Object.keys(TEST_CARDS).join(', ')}. Cards are simulated: never send a real card number.`,
    );
  }
  const payment = await store.selectPayment(database, id);
  if (!payment) throw new AtelierError('payment_not_found', `No payment has the id ${id}.`);
  const paid = payment.kind === 'intent' ? 'requires_capture' : 'succeeded';
  if (payment.status === paid || payment.status === 'succeeded') return asPurchase(payment);
  if (payment.status !== 'requires_payment_method' || payment.expiresAt <= now) {
    throw new AtelierError('invalid_input', `The payment ${id} is closed and can no longer be paid.`);
  }
  if (verdict !== 'pays') throw new AtelierError('card_declined', verdict);
  const moved = await store.movePayment(database, id, ['requires_payment_method'], paid);
  return moved ? asPurchase(moved) : pay(database, { id, card, now });
}

const asPurchase = ({
  id,
  kind,
  status,
  request,
  amountCents,
  currency,
}: store.SimulatedPayment): SimulatedPurchase => ({
  id,
  kind,
  status,
  description: request.description,
  amountCents,
  currency,
  ...(request.successUrl && { successUrl: request.successUrl }),
});
