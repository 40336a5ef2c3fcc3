import { z } from 'zod';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { CARD_EVENT_BYTES_MAX } from './limits.ts';

/** Where Stripe tells what became of payments. Its answer is for Stripe: anything but 200 brings the event again. */
export const stripeWebhook = defineOperation({
  name: 'stripe_webhook',
  methods: ['POST'],
  path: '/api/webhooks/stripe',
  tag: 'payment',
  summary: 'Notices of Stripe about payments, refunds and disputes, signed with STRIPE_WEBHOOK_SECRET.',
  input: z.object({}),
  body: 'raw',
  maxBodyBytes: CARD_EVENT_BYTES_MAX,
  answer: z.object({
    received: z.literal(true),
    id: z.string(),
    duplicate: z.boolean().describe('It had been acted upon before.'),
  }),
  run: async (_input, { payments }: Pick<Services, 'payments'>, { body, header }) => ({
    received: true as const,
    ...(await payments.receive(body!.bytes, header('stripe-signature'))),
  }),
});
