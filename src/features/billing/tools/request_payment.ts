import { z } from 'zod';
import { packOrder, packsFor } from '../../../catalog/packs.ts';
import { unknownTool } from '../../../catalog/unknown_tool.ts';
import { KEY_NAME_CHARACTERS_MAX, MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import { walletField } from '../../definitions/fields.ts';
import { FREE, highestPrice, priceOf } from '../../definitions/price.ts';
import { type AnyTool, defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { lookAtPayment, type PaymentNeeds, paymentState } from './look_at_payment.ts';

const CREDITS_MAX = 100_000;

export const requestPayment = defineTool({
  name: 'request_payment',
  title: 'Have a person pay',
  category: 'account',
  summary:
    'For when you cannot pay: open a card payment for credits or calls of one tool, or ask the owner of a wallet for a key; returns a link for the person. Call it again with `code` to see whether it is done.',
  words:
    'not enough credits, ran out of credits, 402, paid by somebody else, by card, buy credits, top up, ask for permission, api key of a wallet, allowance, i have no money, let the user pay, let my owner pay, buy more credits, purchase credit pack, pay with apple pay, google pay or credit card, 402 payment required, checkout link, top up my account, ask the owner for an api key with a spending limit, approve a payment, billing link, human pays, recharge, my owner should approve the payment, how can I add credits, add funds, deposit money, stripe, visa, mastercard, paypal, subscription, invoice, somebody else pays, sponsor, unlock paid tools, insufficient funds, human in the loop, refill, get a key, permission to spend',
  price: FREE,
  input: z.object({
    way: z
      .enum(['credits', 'call', 'key'])
      .optional()
      .describe(
        'credits: a pack for a wallet. call: calls of one tool, without a wallet. key: the owner lets you spend. Default: by the other fields.',
      ),
    tool: z.string().min(1).max(100).optional().describe('The tool you want to call.'),
    params: z
      .record(z.string().max(100), z.unknown())
      .optional()
      .describe('Its parameters, without images: they determine the price.'),
    credits: z.int().min(1).max(CREDITS_MAX).optional().describe('Credits needed; for a key, its limit.'),
    wallet: walletField
      .optional()
      .describe('Wallet that receives the credits. Default: the wallet of this connection.'),
    name: z
      .string()
      .min(1)
      .max(KEY_NAME_CHARACTERS_MAX)
      .default('an assistant')
      .describe('For a key: your name, as the person sees it.'),
    code: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe('A code from an earlier call; other fields are ignored.'),
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
            why: 'Once the person says so; checking is free',
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
        'way must be "key": this server does not accept cards. Registering a wallet grants 10 credits (register_wallet).',
      );
    }
    return openPayment(
      { ...input, way, wallet, askedBy: call.callerKey, requestedBy: call.requestId },
      services,
    );
  },
});

interface OpenPaymentOptions {
  readonly way: 'credits' | 'call' | 'key';
  readonly tool?: string | undefined;
  readonly params?: Record<string, unknown> | undefined;
  readonly credits?: number | undefined;
  readonly wallet?: string | undefined;
  readonly name: string;
  /** Client key for limits. */
  readonly askedBy: string;
  readonly requestedBy: string;
}

type Opened = z.input<typeof paymentState>;

/**
 * Creates a payment or key request for a person. @throws AtelierError unknown_tool, tool_is_free, invalid_input, upstream_failed
 */
function openPayment(wish: OpenPaymentOptions, services: PaymentNeeds): Promise<Opened> {
  const tool = wish.tool === undefined ? undefined : paidTool(services, wish.tool);
  if (wish.way === 'key') return askForKey(wish, tool, services);
  return wish.way === 'call' ? openIntent(wish, tool, services) : openCheckout(wish, tool, services);
}

async function openCheckout(
  { credits, wallet, params, requestedBy }: OpenPaymentOptions,
  tool: AnyTool | undefined,
  { payments }: PaymentNeeds,
): Promise<Opened> {
  if (wallet === undefined) {
    throw invalidField(
      'wallet',
      'wallet is missing. Send the wallet that receives the credits. register_wallet registers an EVM address and grants 10 free credits.',
    );
  }
  const { id, quantity } = packsFor(credits ?? (tool ? priceOfCall(tool, params) : 1));
  const order = packOrder(id, quantity);
  const started = await payments.startCheckout({ ...order, wallet, requestedBy });
  return {
    state: 'waiting',
    way: 'credits',
    code: started.id,
    url: started.url,
    what_now: 'Give the person the link. After payment, send `payer` with the address of the wallet.',
    amount_usd: order.amountCents / 100,
    buys_credits: order.amount / MILLICREDITS_PER_CREDIT,
    wallet,
    livemode: payments.takes?.livemode ?? false,
    expires_at: started.expiresAt.toISOString(),
  };
}

async function openIntent(
  { wallet, params }: OpenPaymentOptions,
  tool: AnyTool | undefined,
  { payments }: PaymentNeeds,
): Promise<Opened> {
  if (!tool) throw invalidField('tool', 'tool is missing. Send the name of the tool to pay for.');
  const price = priceOfCall(tool, params) * MILLICREDITS_PER_CREDIT;
  const { intent, payUrl } = await payments.createIntent({ tool: tool.name, price, quantity: 1, wallet });
  return {
    state: 'waiting',
    way: 'call',
    code: intent.id,
    url: payUrl,
    what_now: `Give the person the link. After payment, call ${tool.name} with this code as \`payer\`: it pays for ${Math.floor(intent.amount / price)} such calls.`,
    amount_usd: intent.amountCents / 100,
    ...(wallet !== undefined && { wallet }),
    livemode: intent.livemode,
    expires_at: intent.expiresAt.toISOString(),
  };
}

async function askForKey(
  { name, credits, askedBy }: OpenPaymentOptions,
  tool: AnyTool | undefined,
  { consents, site }: PaymentNeeds,
): Promise<Opened> {
  const maxTotal = credits === undefined ? undefined : credits * MILLICREDITS_PER_CREDIT;
  const tools = tool && [tool.name];
  const withFiles = typeof tool?.reaches === 'string' && tool.reaches.startsWith('assets:');
  const { id, code, check, expiresAt } = await consents.requestKey({
    name,
    tools,
    withFiles,
    maxTotal,
    askedBy,
  });
  return {
    state: 'waiting',
    way: 'key',
    code,
    url: `${site.publicUrl}/grant/${id}`,
    check,
    what_now: `Give the person the link and the check ${check}, which the page must show too. After approval, call request_payment again with the code: the key is returned once.`,
    expires_at: expiresAt.toISOString(),
  };
}

function paidTool({ catalogue }: Pick<Services, 'catalogue'>, name: string): AnyTool {
  const tool = catalogue.find(name);
  if (!tool) throw unknownTool(catalogue, name);
  if (highestPrice(tool.price) > 0) return tool;
  throw new AtelierError('tool_is_free', `${name} is free: call it without payment.`);
}

/** Price of a call in credits; the maximum price where the parameters do not determine it. */
function priceOfCall({ price }: AnyTool, params: Record<string, unknown> = {}): number {
  const listed = price.kind === 'by' ? price.credits[String(params[price.field])] : priceOf(price, params);
  return listed || highestPrice(price);
}
