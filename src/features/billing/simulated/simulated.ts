import { randomBytes } from 'node:crypto';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { PAYMENT_INTENT_LIFETIME_MS } from '../limits.ts';
import type { CardIntent, CheckoutRequest, IntentRequest, Processor } from '../processor.ts';
import { createPaymentSimulator, type PaymentSimulator } from './payment_simulator.ts';
import * as store from './store.ts';

/**
 * A processor that moves no money: payments are rows, `livemode` is false, and a test card pays. States and idempotency match a
 * real one, so a client that works here works there.
 */
export function createSimulated({
  database,
  publicUrl,
  clock = () => new Date(),
}: {
  database: Database;
  publicUrl: string;
  clock?: () => Date;
}): Processor & { readonly desk: PaymentSimulator } {
  return {
    name: 'simulated',
    livemode: false,
    desk: createPaymentSimulator(database, clock),
    createIntent: (request) => createIntent(database, request, clock()),
    async findIntent(id) {
      const payment = await store.selectPayment(database, id);
      return payment && asIntent(payment);
    },
    async capture(id) {
      const moved = await store.movePayment(database, id, ['requires_capture', 'succeeded'], 'succeeded');
      if (moved) return { outcome: 'captured' };
      const payment = await store.selectPayment(database, id);
      return { outcome: 'refused', reason: payment?.status ?? 'unknown payment' };
    },
    async abandon(id) {
      await store.movePayment(database, id, ['requires_payment_method', 'requires_capture'], 'canceled');
      await store.reversePayment(database, id, { refundedCents: Number.MAX_SAFE_INTEGER, disputed: null });
    },
    createCheckout: (request) => createCheckout(database, publicUrl, request, clock()),
    findCheckout: (id) => findCheckout(database, id, clock()),
    forget: (before) => store.forgetUnpaid(database, before),
    readEvent() {
      throw new AtelierError(
        'payments_not_configured',
        'This server accepts no webhook events of a card processor: its cards are simulated.',
      );
    },
  };
}

async function createIntent(database: Database, asked: IntentRequest, at: Date) {
  const { amountCents, currency, description, metadata, idempotencyKey } = asked;
  const id = `pi_sim_${randomBytes(12).toString('hex')}`;
  const payment = await store.insertPayment(database, {
    id,
    kind: 'intent',
    secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
    request: { description, metadata: { ...metadata } },
    amountCents,
    currency,
    idempotencyKey,
    at,
    expiresAt: new Date(at.getTime() + PAYMENT_INTENT_LIFETIME_MS),
  });
  requireSameRequest(payment, asked);
  return { id: payment.id, clientSecret: payment.secret, status: payment.status };
}

async function createCheckout(database: Database, publicUrl: string, asked: CheckoutRequest, at: Date) {
  const { amountCents, currency, title, metadata, successUrl, expiresAt, idempotencyKey } = asked;
  const id = `cs_sim_${randomBytes(12).toString('hex')}`;
  const payment = await store.insertPayment(database, {
    id,
    kind: 'checkout',
    secret: '',
    request: { description: title, metadata: { ...metadata }, successUrl },
    amountCents,
    currency,
    idempotencyKey,
    at,
    expiresAt,
  });
  requireSameRequest(payment, { ...asked, description: title });
  return { id: payment.id, url: `${publicUrl}/pay/${payment.id}`, expiresAt: payment.expiresAt };
}

/** Requires that a repeated idempotency key comes with the same request, as card processors do. */
function requireSameRequest(
  { amountCents, currency, request }: store.SimulatedPayment,
  asked: Pick<IntentRequest, 'amountCents' | 'currency' | 'description'>,
): void {
  const isSame =
    amountCents === asked.amountCents &&
    currency === asked.currency &&
    request.description === asked.description;
  if (!isSame) throw new AtelierError('idempotency_key_reused');
}

async function findCheckout(
  database: Database,
  id: string,
  now: Date,
): ReturnType<Processor['findCheckout']> {
  const payment = await store.selectPayment(database, id);
  if (payment?.kind !== 'checkout') return undefined;
  const { amountCents, currency, status, expiresAt } = payment;
  const isPaid = status === 'succeeded';
  return {
    id,
    isPaid,
    isExpired: !isPaid && (status === 'expired' || expiresAt <= now),
    amountCents,
    currency,
    livemode: false,
    ...(isPaid && { intent: id }),
  };
}

function asIntent(payment: store.SimulatedPayment): CardIntent {
  const { id, status, amountCents, currency, request, refundedCents, disputed } = payment;
  return {
    id,
    isAuthorized: status === 'requires_capture' || status === 'succeeded',
    isCaptured: status === 'succeeded',
    isCanceled: status === 'canceled' || status === 'expired',
    status,
    amountCents,
    currency,
    livemode: false,
    metadata: request.metadata,
    reversedCents: disputed ? amountCents : refundedCents,
  };
}
