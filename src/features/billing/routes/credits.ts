import { z } from 'zod';
import { packListing } from '../../../catalog/packs.ts';
import { CREDIT_BACK_PERCENT, CREDIT_USD, WELCOME_CREDITS } from '../../../config/limits.ts';
import { defineOperation } from '../../definitions/operation.ts';
import { usd } from '../../definitions/price.ts';
import type { Services } from '../../services.ts';

export const listCreditPacks = defineOperation({
  name: 'list_credit_packs',
  methods: ['GET'],
  path: '/api/credits',
  tag: 'payment',
  summary: 'Credit packs, the base rate, the welcome bonus and the credit-back.',
  input: z.object({}),
  answer: z.object({
    base_rate: z.string(),
    description: z.string(),
    free_trial: z.object({
      amount: z.int().min(0).max(1000),
      how: z.string(),
      value_usd: z.number().min(0).max(1000),
    }),
    loyalty: z.string(),
    payment: z.string(),
    packs: z.array(
      z.object({
        name: z.string(),
        credits: z.int().min(1).max(1_000_000),
        per_credit: z.number().min(0).max(1),
        price_usd: z.number().min(0).max(1_000_000),
        savings: z.string(),
        checkout_url: z.string(),
      }),
    ),
  }),
  cacheSeconds: 300,
  run: async (_input, { site }: Pick<Services, 'site'>) => ({
    base_rate: `1 credit = ${CREDIT_USD.toFixed(2)} USD`,
    description: 'Credits pay for tool calls. They never expire, and a failed call costs nothing.',
    free_trial: {
      amount: WELCOME_CREDITS,
      how: 'POST /api/wallet/register',
      value_usd: usd(WELCOME_CREDITS),
    },
    loyalty: `${CREDIT_BACK_PERCENT}% credit-back on every paid call, spendable like any credit.`,
    payment: 'Credit card, Apple Pay or Google Pay at the checkout_url of a pack.',
    packs: packListing(site.publicUrl, undefined),
  }),
});
