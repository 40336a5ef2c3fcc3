import { z } from 'zod';
import { unknownTool } from '../../../catalog/unknown_tool.ts';
import { CARD_PAYMENT_USD_MIN, MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import { walletField } from '../../definitions/fields.ts';
import { costFields } from '../../definitions/free_answer.ts';
import { FREE_COST, freeStep } from '../../definitions/next_step.ts';
import { defineOperation } from '../../definitions/operation.ts';
import { highestPrice, usd } from '../../definitions/price.ts';
import type { AnyTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import type { CreatedToolIntent } from '../types.ts';
import { PAYMENT_INTENT_CALLS_MAX } from './limits.ts';

const money = z.number().min(0).max(1_000_000);

export const createPaymentIntent = defineOperation({
  name: 'create_payment_intent',
  methods: ['POST'],
  path: '/api/create-payment-intent',
  tag: 'payment',
  summary: `Start a card payment for calls of one tool, without an account: a person pays at the pay_url, then the id goes into X-Payment-Intent. At least ${CARD_PAYMENT_USD_MIN.toFixed(2)} USD, which buys as many calls as it covers.`,
  input: z.object({
    tool_name: z.string().min(1).max(100).describe('The paid tool it is for; no other can be paid with it.'),
    wallet: walletField
      .optional()
      .describe(
        'Who gets the credit-back, and as credits what is left beyond whole calls. Absent: the bearer.',
      ),
    quantity: z
      .int()
      .min(1)
      .max(PAYMENT_INTENT_CALLS_MAX)
      .default(1)
      .describe('How many calls it has to pay for at least.'),
    tier: z
      .string()
      .max(100)
      .optional()
      .describe('For a tool whose price follows a field: the value of that field. Absent: the dearest.'),
  }),
  answer: z.object({
    client_secret: z.string(),
    clientSecret: z.string().describe('The same, as card forms call it.'),
    payment_intent_id: z.string(),
    id: z.string(),
    tool_name: z.string(),
    amount: z.int().min(1).max(100_000_000).describe('In cents.'),
    currency: z.string(),
    amount_usd: money,
    tool_price_usd: money,
    minimum_usd: money,
    calls: z.int().min(1).max(PAYMENT_INTENT_CALLS_MAX).describe('Calls of the tool it pays for.'),
    surplus_usd: money.describe(
      'What is left beyond whole calls: credited to the wallet where one is named, else charged all the same.',
    ),
    wallet: z.string().nullable(),
    capture_method: z
      .literal('manual')
      .describe('The money is set aside, and taken when the first call has succeeded.'),
    status: z.string(),
    livemode: z.boolean().describe('false: no money moves.'),
    publishable_key: z.string().nullable(),
    pay_url: z.string().describe('Where a person pays.'),
    expires_at: z.string(),
    header: z.object({ name: z.string(), value: z.string() }),
    ...costFields,
  }),
  limit: { name: 'payment-intents', calls: 600, perSeconds: 3600 },
  run: async (input, services: Pick<Services, 'payments' | 'catalogue'>, call) => {
    const tool = paidTool(services, input.tool_name);
    const price = priceOfTier(tool, input.tier) * MILLICREDITS_PER_CREDIT;
    const created = await services.payments.createIntent({
      tool: tool.name,
      price,
      quantity: input.quantity,
      wallet: input.wallet ?? call.wallet,
    });
    return answerOf(services, price, created);
  },
});

function paidTool({ catalogue }: Pick<Services, 'catalogue'>, name: string): AnyTool {
  const tool = catalogue.find(name);
  if (!tool) throw unknownTool(catalogue, name);
  if (highestPrice(tool.price) > 0) return tool;
  throw new AtelierError('tool_is_free', `${name} is free: call POST /api/tools/${name} without payment.`);
}

function priceOfTier({ name, price }: AnyTool, tier: string | undefined): number {
  if (tier === undefined || price.kind !== 'by') return highestPrice(price);
  const credits = price.credits[tier];
  if (credits) return credits;
  throw invalidField(
    'tier',
    `tier must be a paid value of ${price.field} of ${name}: ${Object.keys(price.credits).join(', ')}.`,
  );
}

function answerOf(
  { payments }: Pick<Services, 'payments'>,
  price: number,
  { intent, clientSecret, status, payUrl }: CreatedToolIntent,
) {
  const { id, tool, amountCents, currency, surplus, wallet, livemode, expiresAt } = intent;
  const isSimulated = payments.takes?.processor === 'simulated';
  return {
    client_secret: clientSecret,
    clientSecret,
    payment_intent_id: id,
    id,
    tool_name: tool,
    amount: amountCents,
    currency,
    amount_usd: amountCents / 100,
    tool_price_usd: usd(price / MILLICREDITS_PER_CREDIT),
    minimum_usd: CARD_PAYMENT_USD_MIN,
    calls: Math.floor(intent.amount / price),
    surplus_usd: usd(surplus / MILLICREDITS_PER_CREDIT),
    wallet,
    capture_method: 'manual' as const,
    status,
    livemode,
    publishable_key: payments.takes?.publishableKey ?? null,
    pay_url: payUrl,
    expires_at: expiresAt.toISOString(),
    header: { name: 'X-Payment-Intent', value: id },
    cost: FREE_COST,
    next_steps: [
      freeStep(
        `GET /pay/${id}`,
        'Have a person pay at pay_url',
        `${amountCents / 100} USD are set aside on the card`,
      ),
      ...(isSimulated
        ? [
            freeStep(
              'POST /api/dev/confirm-payment-intent',
              'Or confirm it with a test card',
              'Cards are simulated on this server',
              {
                payment_intent_id: id,
              },
            ),
          ]
        : []),
      freeStep(
        'POST /api/tools/get_tool_schema',
        'See what the tool takes',
        `Then call it with the header X-Payment-Intent: ${id}`,
        { tool_name: tool },
      ),
    ],
  };
}
