import type { AnyOperation } from '../../definitions/operation.ts';
import { checkout, paid, startCheckout } from './checkout.ts';
import { listCreditPacks } from './credits.ts';
import { ledgerInvariants } from './ledger_invariants.ts';
import { payPage } from './pay_page.ts';
import { createPaymentIntent } from './payment_intent.ts';
import { receiptKeys } from './receipt_keys.ts';
import { stripeWebhook } from './stripe_webhook.ts';

export const paymentOperations: readonly AnyOperation[] = [
  listCreditPacks,
  checkout,
  startCheckout,
  paid,
  createPaymentIntent,
  payPage,
  stripeWebhook,
  ledgerInvariants,
  receiptKeys,
];
