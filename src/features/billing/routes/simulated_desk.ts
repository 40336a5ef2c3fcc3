import { z } from 'zod';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { costFields } from '../../definitions/free_answer.ts';
import { FREE_COST } from '../../definitions/next_step.ts';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import type { SimulatedPurchase } from '../simulated/payment_simulator.ts';

type Needs = Pick<Services, 'payments'>;

const LIMIT = { name: 'simulated-cards', calls: 600, perSeconds: 3600, by: 'address' } as const;

const id = z.string().min(1).max(300);
const card = z
  .string()
  .max(30)
  .default('4242 4242 4242 4242')
  .describe(
    'A test card: …4242 pays, 4000 0000 0000 0002 is declined, 4000 0000 0000 9995 has no funds. Never send a real card number.',
  );
const answer = z.object({
  id: z.string(),
  payment_intent_id: z.string(),
  status: z.string(),
  livemode: z.literal(false),
  redirect_url: z.string().nullable(),
  ...costFields,
});

const answerOf = ({ id, status, successUrl }: SimulatedPurchase) => ({
  id,
  payment_intent_id: id,
  status,
  livemode: false as const,
  redirect_url: successUrl?.replace('{CHECKOUT_SESSION_ID}', id) ?? null,
  cost: FREE_COST,
  next_steps: [],
});

/** Actions of a cardholder. These endpoints exist only where cards are simulated. */
export const simulatedDesk: readonly AnyOperation[] = [
  defineOperation({
    name: 'confirm_payment_intent',
    methods: ['POST'],
    path: '/api/dev/confirm-payment-intent',
    tag: 'payment',
    summary: 'Simulated cards only: confirms a payment intent with a test card. No money moves.',
    input: z.object({ payment_intent_id: id, card }),
    answer,
    limit: LIMIT,
    run: async (input, { payments }: Needs) => {
      if (!input.payment_intent_id.startsWith('pi_')) {
        throw invalidField(
          'payment_intent_id',
          'payment_intent_id must be the id of a payment intent, such as pi_sim_….',
        );
      }
      const intent = input.payment_intent_id.replace(/_secret_.*$/s, '');
      return answerOf(await deskOf(payments).pay(intent, input.card));
    },
  }),
  defineOperation({
    name: 'pay_checkout',
    methods: ['POST'],
    path: '/api/dev/pay-checkout',
    tag: 'payment',
    summary: 'Simulated cards only: pays for a credit pack with a test card. No money moves.',
    input: z.object({ session_id: id, card }),
    answer,
    limit: LIMIT,
    run: async (input, { payments }: Needs) => {
      if (!input.session_id.startsWith('cs_')) {
        throw invalidField('session_id', 'session_id must be the id of a checkout, such as cs_sim_….');
      }
      const purchase = await deskOf(payments).pay(input.session_id, input.card);
      await payments.fulfil(purchase.id);
      return answerOf(purchase);
    },
  }),
  defineOperation({
    name: 'reverse_payment',
    methods: ['POST'],
    path: '/api/dev/reverse-payment',
    tag: 'payment',
    summary:
      'Simulated cards only: refunds a payment, disputes it, or decides the dispute in favour of the seller. No money moves.',
    input: z.object({
      payment_id: id.describe('Id of a paid payment intent or checkout.'),
      how: z.enum(['refund', 'dispute', 'dispute_won']).default('refund'),
    }),
    answer: z.object({ payment_id: z.string(), how: z.string(), livemode: z.literal(false), ...costFields }),
    limit: LIMIT,
    run: async ({ payment_id, how }, { payments }: Needs) => {
      await deskOf(payments).reverse(payment_id, how);
      await payments.review(payment_id);
      return { payment_id, how, livemode: false as const, cost: FREE_COST, next_steps: [] };
    },
  }),
];

/** The simulator, without which these endpoints are not served. */
function deskOf({ desk }: Services['payments']) {
  if (desk) return desk;
  throw new Error('The payment simulator needs the simulated card processor.');
}
