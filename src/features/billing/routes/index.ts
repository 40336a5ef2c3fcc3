import { z } from 'zod';
import { PACKS, packListing, packOrder } from '../../../catalog/packs.ts';
import { unknownTool } from '../../../catalog/unknown_tool.ts';
import {
  CARD_PAYMENT_USD_MIN,
  CREDIT_BACK_PERCENT,
  CREDIT_USD,
  MILLICREDITS_PER_CREDIT,
  WELCOME_CREDITS,
} from '../../../config/limits.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import { previewReason } from '../../community/routes/preview.ts';
import { walletField } from '../../definitions/fields.ts';
import { costFields, freeAnswer } from '../../definitions/free_answer.ts';
import { FREE_COST, freeStep } from '../../definitions/next_step.ts';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import { highestPrice, usd } from '../../definitions/price.ts';
import type { AnyTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { checkoutPage, paidPage } from '../pages/pay_page.ts';
import type { CreatedToolIntent, StartedCheckout } from '../types.ts';
import { listInvoices, setInvoiceBuyer, showInvoice } from './invoices.ts';
import { payPage } from './pay_page.ts';
import { walletReceipt } from './receipt.ts';

/** Maximum calls per intent. */
const PAYMENT_INTENT_CALLS_MAX = 1000;
const PACKS_PER_CHECKOUT_MAX = 100;
const CARD_EVENT_BYTES_MAX = 1024 * 1024;

const money = z.number().min(0).max(1_000_000);

const createPaymentIntent = defineOperation({
  name: 'create_payment_intent',
  methods: ['POST'],
  path: '/api/create-payment-intent',
  tag: 'payment',
  summary: `Start a card payment for calls of one tool, without an account: a person pays at the pay_url, then you send the id as X-Payment-Intent. Minimum ${CARD_PAYMENT_USD_MIN.toFixed(2)} USD, which pays for as many calls as it covers.`,
  input: z.object({
    tool_name: z.string().min(1).max(100).describe('The paid tool. The payment is valid only for this tool.'),
    wallet: walletField
      .optional()
      .describe(
        'Wallet that receives the credit-back and, as credits, the remainder after whole calls. Default: the bearer.',
      ),
    quantity: z
      .int()
      .min(1)
      .max(PAYMENT_INTENT_CALLS_MAX)
      .default(1)
      .describe('Minimum number of calls to pay for.'),
    tier: z
      .string()
      .max(100)
      .optional()
      .describe(
        'For a tool whose price depends on a field: the value of that field. Default: the most expensive.',
      ),
  }),
  answer: z.object({
    client_secret: z.string(),
    clientSecret: z.string().describe('The same id, as card forms name it.'),
    payment_intent_id: z.string(),
    id: z.string(),
    tool_name: z.string(),
    amount: z.int().min(1).max(100_000_000).describe('In cents.'),
    currency: z.string(),
    amount_usd: money,
    tool_price_usd: money,
    minimum_usd: money,
    calls: z
      .int()
      .min(1)
      .max(PAYMENT_INTENT_CALLS_MAX)
      .describe('Number of calls of the tool that it pays for.'),
    surplus_usd: money.describe(
      'Remainder after whole calls: credited to the wallet if one is named, otherwise charged without credit.',
    ),
    wallet: z.string().nullable(),
    capture_method: z
      .literal('manual')
      .describe('The amount is authorised, and charged after the first successful call.'),
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
        'Let a person pay at pay_url',
        `${amountCents / 100} USD are authorised on the card`,
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
        'See the fields of the tool',
        `Then call it with the header X-Payment-Intent: ${id}`,
        { tool_name: tool },
      ),
    ],
  };
}

const packField = z.enum(PACKS.map(({ id }) => id));
type PackId = z.output<typeof packField>;
const LIMIT = { name: 'checkouts', calls: 120, perSeconds: 3600, by: 'address' } as const;

/** Checkout link in every 402 response: opening it costs nothing. */
const checkout = defineOperation({
  name: 'checkout',
  methods: ['GET'],
  path: '/checkout/{pack}',
  tag: 'payment',
  summary:
    'Page where a person buys a credit pack by card: redirects to the card processor (303), or asks for the wallet first.',
  input: z.object({ pack: packField, wallet: walletField.optional() }),
  answer: { file: 'text/html', description: 'A form that asks for the wallet, if none is named.' },
  leadsTo: 'The page of the card processor.',
  limit: LIMIT,
  run: async ({ pack, wallet }, services: Pick<Services, 'payments'>, call) => {
    const payer = wallet ?? call.wallet;
    // GET shows the form: a link preview must not start a purchase.
    if (payer === undefined || previewReason(call) !== undefined) return checkoutPage(packOf(pack), payer);
    const { url } = await start(services, { pack, wallet: payer, quantity: 1, requestedBy: call.callerKey });
    return {
      bytes: '',
      contentType: 'text/plain; charset=utf-8',
      status: 303,
      headers: { Location: url, 'Cache-Control': 'no-store' },
    };
  },
});

/** The same for programs, which forward the URL to a person. */
const startCheckout = defineOperation({
  name: 'start_checkout',
  methods: ['POST'],
  path: '/api/credits/checkout',
  tag: 'payment',
  summary: 'Start a purchase of credit packs for a wallet. A person pays at the returned checkout_url.',
  input: z.object({
    pack: packField,
    wallet: walletField.describe('Wallet that receives the credits. An unregistered wallet is registered.'),
    quantity: z.int().min(1).max(PACKS_PER_CHECKOUT_MAX).default(1),
  }),
  answer: z.object({
    checkout_url: z.string(),
    session_id: z.string(),
    expires_at: z.string(),
    wallet: z.string(),
    pack: z.string(),
    credits: z.int().min(1).max(1_000_000),
    amount_usd: z.number().min(0).max(1_000_000),
    livemode: z.boolean().describe('false: no money moves.'),
    ...costFields,
  }),
  limit: LIMIT,
  run: async ({ pack, wallet, quantity }, services: Pick<Services, 'payments' | 'catalogue'>, call) => {
    // A repeat with the same Idempotency-Key is answered earlier, so every request is a new purchase.
    const { url, id, expiresAt } = await start(services, {
      pack,
      wallet,
      quantity,
      requestedBy: call.requestId,
    });
    const { credits, price_usd } = packOf(pack);
    return {
      checkout_url: url,
      session_id: id,
      expires_at: expiresAt.toISOString(),
      wallet,
      pack,
      credits: credits * quantity,
      amount_usd: price_usd * quantity,
      livemode: services.payments.takes?.livemode ?? false,
      ...freeAnswer(services.catalogue, [
        {
          action: 'See whether the credits have arrived',
          tool: 'check_balance',
          why: 'They are available as soon as the card payment succeeds',
          params: { wallet },
        },
      ]),
    };
  },
});

const packOf = (id: PackId) => PACKS.find((pack) => pack.id === id)!;

interface Order {
  readonly pack: PackId;
  readonly wallet: string;
  readonly quantity: number;
  readonly requestedBy: string;
}

function start(
  { payments }: Pick<Services, 'payments'>,
  { pack: id, wallet, quantity, requestedBy }: Order,
): Promise<StartedCheckout> {
  return payments.startCheckout({ ...packOrder(id, quantity), wallet, requestedBy });
}

const paid = defineOperation({
  name: 'paid',
  methods: ['GET'],
  path: '/paid',
  tag: 'payment',
  summary:
    'Return page after a card payment: grants the credits if no webhook of the processor has done so yet.',
  input: z.object({ session_id: z.string().max(300) }),
  answer: { file: 'text/html', description: 'State of the purchase.' },
  limit: { name: 'payment-pages', calls: 600, perSeconds: 3600, by: 'address' },
  run: async ({ session_id }, { payments }: Pick<Services, 'payments'>) => {
    const result = await payments.fulfil(session_id);
    if (!result) throw new AtelierError('payment_not_found', 'Purchase not found.');
    const { state, wallet, amount, livemode } = result;
    const credits = amount / MILLICREDITS_PER_CREDIT;
    const mode = livemode ? '' : ' No money has moved: this server is in test mode.';
    const texts: Record<typeof state, [title: string, text: string]> = {
      granted: ['Thank you', `${credits} credits are now in the wallet ${wallet}.${mode}`],
      already: ['Thank you', `${credits} credits are in the wallet ${wallet}.${mode}`],
      unpaid: [
        'Not paid yet',
        `The payment has not arrived yet. The ${credits} credits are added automatically when it does.`,
      ],
      expired: ['Too late', 'This purchase was not paid in time. You were not charged.'],
      refused: [
        'Please ask',
        'The amount paid differs from the price, so no credits were granted. The operator was notified.',
      ],
    };
    const [title, text] = texts[state];
    return paidPage(title, text);
  },
});

const listCreditPacks = defineOperation({
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
    description: 'Credits pay for tool calls. They do not expire, and a failed call costs nothing.',
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

/** Cache lifetime of keys, short enough for verification soon after a key rotation. */
const CACHE_SECONDS = 300;

const keyFields = {
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
  kid: z.string(),
  x: z.string(),
};

export const receiptKeys = defineOperation({
  name: 'receipt_keys',
  methods: ['GET'],
  path: '/.well-known/jwks.json',
  tag: 'payment',
  summary:
    'The public keys of signed receipts as a JWK Set (RFC 7517), newest first; retired keys remain listed, and revoked keys are marked.',
  input: z.object({}),
  answer: z.object({
    keys: z.array(
      z.object({
        ...keyFields,
        revoked: z
          .object({
            revoked_at: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('In Unix seconds.'),
            reason: z.enum(['unspecified', 'compromised', 'superseded']),
          })
          .optional()
          .describe('The key no longer signs. If it was compromised, only entries logged earlier are valid.'),
      }),
    ),
  }),
  cacheSeconds: CACHE_SECONDS,
  run: async (_input, { receipts }: Pick<Services, 'receipts'>) => ({
    keys: (await receipts.keys()).map(({ kid, x, revoked }) => ({
      ...ED25519,
      kid,
      x,
      ...(revoked && {
        revoked: { revoked_at: Math.floor(revoked.at.getTime() / 1000), reason: revoked.reason },
      }),
    })),
  }),
});

const ED25519 = { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' } as const;

const did = z.string().describe('did:web of the public URL.');

/** Omits revoked keys, unless superseded: a verifier of did:web cannot determine when they signed. */
export const didDocument = defineOperation({
  name: 'did_document',
  methods: ['GET'],
  path: '/.well-known/did.json',
  tag: 'payment',
  summary: 'The same keys as a DID document (did:web).',
  input: z.object({}),
  answer: z.object({
    '@context': z.array(z.string()),
    id: did,
    verificationMethod: z.array(
      z.object({
        id: z.string(),
        type: z.literal('JsonWebKey2020'),
        controller: did,
        publicKeyJwk: z.object({
          ...keyFields,
        }),
      }),
    ),
    assertionMethod: z.array(z.string()),
  }),
  cacheSeconds: CACHE_SECONDS,
  run: async (_input, { receipts }: Pick<Services, 'receipts'>) => {
    const { did: id } = receipts;
    const keys = (await receipts.keys()).filter(({ revoked }) => !revoked || revoked.reason === 'superseded');
    const verificationMethod = keys.map(({ kid, x }) => ({
      id: `${id}#${kid}`,
      type: 'JsonWebKey2020' as const,
      controller: id,
      publicKeyJwk: { ...ED25519, kid, x },
    }));
    return {
      '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
      id,
      verificationMethod,
      assertionMethod: verificationMethod.map((method) => method.id),
    };
  },
});

const amount = z.number().min(-1e15).max(1e15);
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const ledgerInvariants = defineOperation({
  name: 'ledger_invariants',
  methods: ['GET'],
  path: '/api/ledger/invariants',
  tag: 'payment',
  summary:
    'Recomputes the ledger from the journal now: issued + refunded = spent + outstanding. Amounts in credits.',
  input: z.object({}),
  answer: z.object({
    balanced: z.boolean(),
    checked_at: z.string(),
    issued: amount,
    spent: amount,
    refunded: amount,
    outstanding: amount,
    held: amount,
    wallets: count,
    transfers: count,
    problems: z.array(z.string()),
  }),
  limit: { name: 'ledger-audits', calls: 60, perSeconds: 3600, by: 'address' },
  run: async (_input, { wallets }: Pick<Services, 'wallets'>) => {
    const { balanced, checkedAt, issued, spent, refunded, outstanding, held, ...counts } =
      await wallets.audit();
    return {
      balanced,
      checked_at: checkedAt.toISOString(),
      issued: issued / 1000,
      spent: spent / 1000,
      refunded: refunded / 1000,
      outstanding: outstanding / 1000,
      held: held / 1000,
      ...counts,
    };
  },
});

/** Event endpoint for Stripe, which repeats an event unless the response is 200. */
const stripeWebhook = defineOperation({
  name: 'stripe_webhook',
  methods: ['POST'],
  path: '/api/webhooks/stripe',
  tag: 'payment',
  summary: 'Webhook events of Stripe for payments, refunds and disputes, signed with STRIPE_WEBHOOK_SECRET.',
  input: z.object({}),
  body: 'raw',
  maxBodyBytes: CARD_EVENT_BYTES_MAX,
  answer: z.object({
    received: z.literal(true),
    id: z.string(),
    duplicate: z.boolean().describe('The event was already processed.'),
  }),
  run: async (_input, { payments }: Pick<Services, 'payments'>, { body, header }) => ({
    received: true as const,
    ...(await payments.receive(body!.bytes, header('stripe-signature'))),
  }),
});

export const paymentOperations: readonly AnyOperation[] = [
  listCreditPacks,
  checkout,
  startCheckout,
  paid,
  createPaymentIntent,
  payPage,
  stripeWebhook,
  ledgerInvariants,
  walletReceipt,
  listInvoices,
  showInvoice,
  setInvoiceBuyer,
  receiptKeys,
  didDocument,
];
