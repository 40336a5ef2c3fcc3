import { z } from 'zod';
import { KEY_NAME_CHARACTERS_MAX } from '../../../config/limits.ts';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { walletField } from '../../definitions/fields.ts';
import { FREE } from '../../definitions/price.ts';
import { defineTool } from '../../definitions/tool.ts';
import { lookAtPayment } from './look_at_payment.ts';
import { openPayment } from './open_payment.ts';
import { type PaymentNeeds, paymentState } from './payment_state.ts';

const CREDITS_MAX = 100_000;

export const requestPayment = defineTool({
  name: 'request_payment',
  title: 'Have a person pay',
  category: 'account',
  summary:
    'For when you cannot pay: opens a card payment for credits or calls of one tool, or asks the owner of a wallet for a key, and answers a link for the person. Call it again with `code` to see whether it is done.',
  words:
    'not enough credits, ran out of credits, 402, paid by somebody else, by card, buy credits, top up, ask for permission, api key of a wallet, allowance, i have no money, let the user pay, let my owner pay, buy more credits, purchase credit pack, pay with apple pay, google pay or credit card, 402 payment required, checkout link, top up my account, ask the owner for an api key with a spending limit, approve a payment, billing link, human pays, recharge, my owner should approve the payment, how can I add credits, add funds, deposit money, stripe, visa, mastercard, paypal, subscription, invoice, somebody else pays, sponsor, unlock paid tools, insufficient funds, human in the loop, refill, get a key, permission to spend',
  price: FREE,
  input: z.object({
    way: z
      .enum(['credits', 'call', 'key'])
      .optional()
      .describe(
        'credits: a pack for a wallet. call: calls of one tool, without a wallet. key: the owner lets you spend. Absent: what fits.',
      ),
    tool: z.string().min(1).max(100).optional().describe('The tool you want to call.'),
    params: z
      .record(z.string().max(100), z.unknown())
      .optional()
      .describe('Its parameters, without pictures: they decide the price.'),
    credits: z
      .int()
      .min(1)
      .max(CREDITS_MAX)
      .optional()
      .describe('How many credits are needed; of a key, its bound.'),
    wallet: walletField.optional().describe('Who gets the credits. Absent: the wallet of this connection.'),
    name: z
      .string()
      .min(1)
      .max(KEY_NAME_CHARACTERS_MAX)
      .default('an assistant')
      .describe('Of a key: what the person sees of you.'),
    code: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe('A code answered before; the rest is not looked at.'),
  }),
  output: paymentState,
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  limit: { name: 'payment-requests', calls: 240, perSeconds: 3600 },
  examples: [{ way: 'key', credits: 20 }, { tool: 'upscale_image' }],
  answersSecret: true,
  next: ({ state, code }) =>
    state === 'waiting'
      ? [
          {
            action: 'See whether it is done',
            tool: 'request_payment',
            why: 'Once the person says so; nothing is taken by asking',
            params: { code },
          },
        ]
      : [],

  async run(input, services: PaymentNeeds, call) {
    if (input.code !== undefined) return lookAtPayment(input.code.trim(), services);
    const wallet = input.wallet ?? call.wallet;
    const { takes } = services.payments;
    const way =
      input.way ??
      (!takes
        ? 'key'
        : input.tool !== undefined && wallet === undefined
          ? 'call'
          : wallet
            ? 'credits'
            : 'key');
    if (way !== 'key' && !takes) {
      throw invalidField(
        'way',
        'way must be "key" on this server: it takes no cards. Registering a wallet grants 10 credits (register_wallet).',
      );
    }
    return openPayment(
      { ...input, way, wallet, askedBy: call.callerKey, requestedBy: call.requestId },
      services,
    );
  },
});
