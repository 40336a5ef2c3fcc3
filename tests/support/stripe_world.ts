import { afterAll, beforeAll, expect } from 'vitest';
import type { Database } from '../../src/core/database/types.ts';
import { createPayments } from '../../src/features/billing/payments.ts';
import { createStripe } from '../../src/features/billing/stripe.ts';
import type { Payments } from '../../src/features/billing/types.ts';
import type { Wallets } from '../../src/features/wallets/types.ts';
import { createWallets } from '../../src/features/wallets/wallets.ts';
import { FakeStripe, STRIPE_SECRET, STRIPE_WEBHOOK } from './fake_stripe.ts';
import type { Open } from './for_each_database.ts';

export const HOUR_MS = 3_600_000;
/** In millicredits. */
export const CREDIT = 1000;
export const freshWallet = (): string => `0x${crypto.randomUUID().replaceAll('-', '')}00000000`;

/** One per test file and database: the official library, a fake Stripe, and a clock that can be advanced. */
export class StripeWorld {
  database!: Database;
  stripe!: FakeStripe;
  wallets!: Wallets;
  payments!: Payments;
  readonly warnings: string[] = [];
  readonly logger = {
    info: () => {},
    warn: (_details: object, message: string) => void this.warnings.push(message),
  };
  #lateMs = 0;

  constructor(open: Open) {
    beforeAll(async () => {
      this.database = await open();
      this.stripe = await new FakeStripe().open();
      this.wallets = createWallets(this.database);
      this.payments = this.paymentsOf(STRIPE_SECRET);
    });
    afterAll(() => this.stripe.close());
  }

  now = (): Date => new Date(Date.now() + this.#lateMs);

  paymentsOf(secretKey: string): Payments {
    const { database, logger, now, stripe } = this;
    return createPayments({
      database,
      processor: createStripe({ secretKey, webhookSecret: STRIPE_WEBHOOK, apiUrl: stripe.url, logger }),
      publicUrl: 'http://atelier.test',
      logger,
      clock: now,
    });
  }

  /** Runs `work` as if this much time had passed. */
  atLate = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
    this.#lateMs = ms;
    try {
      return await work();
    } finally {
      this.#lateMs = 0;
    }
  };

  /** An unpaid intent for paint, at 0.20 USD per call. */
  intent = async (more: object = {}): Promise<string> => {
    const asked = { tool: 'paint', price: 2 * CREDIT, quantity: 1, ...more };
    return (await this.payments.createIntent(asked)).intent.id;
  };

  paid = async (more: object = {}): Promise<string> => {
    const id = await this.intent(more);
    this.stripe.pay(id);
    return id;
  };

  hold = (intentId: string, more: object = {}) =>
    this.payments.holdCall({
      intentId,
      tool: 'paint',
      price: 2 * CREDIT,
      wallet: undefined,
      expiresAt: new Date(this.now().getTime() + HOUR_MS / 4),
      ...more,
    });

  use = async (intentId: string, more: object = {}) => {
    const held = await this.hold(intentId, more);
    await this.payments.settleCall(held);
    return held;
  };

  /** Fifty credits for five dollars. */
  checkout = async (payer: string, requestedBy: string = crypto.randomUUID()): Promise<string> => {
    const pack = { pack: 'starter', title: 'Starter', amountCents: 500, amount: 50 * CREDIT };
    return (await this.payments.startCheckout({ ...pack, wallet: payer, requestedBy })).id;
  };

  stateOf = async (id: string) => (await this.payments.findIntent(id))?.state;

  balanced = async () => expect((await this.wallets.audit()).problems).toEqual([]);
}
