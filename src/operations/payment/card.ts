import { z } from 'zod';
import { AtelierError } from '../../errors.ts';
import { defineOperation } from '../operation.ts';
import { PACKS } from './packs.ts';

const refuse = async (): Promise<never> => {
  throw new AtelierError(
    'payments_not_configured',
    'This version takes no cards yet. Credits work: registering a wallet grants 10.',
    {
      retryAfterSeconds: 86_400,
    },
  );
};

/** The address every 402 links to. It answers 503 until card payment is built. */
export const checkout = defineOperation({
  name: 'checkout',
  methods: ['GET'],
  path: '/checkout/{pack}',
  tag: 'payment',
  summary: 'Where a person pays for a credit pack by card. This version takes no cards yet and answers 503.',
  input: z.object({ pack: z.enum(PACKS.map(({ id }) => id)), wallet: z.string().max(42).optional() }),
  answer: z.object({ checkout_url: z.string() }),
  run: refuse,
});

export const createPaymentIntent = defineOperation({
  name: 'create_payment_intent',
  methods: ['POST'],
  path: '/api/create-payment-intent',
  tag: 'payment',
  summary: 'Start a card payment for one call. This version takes no cards yet and answers 503.',
  input: z.object({ tool_name: z.string().min(1).max(100) }),
  answer: z.object({ client_secret: z.string() }),
  run: refuse,
});
