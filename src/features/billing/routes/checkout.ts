import { z } from 'zod';
import { PACKS, packOrder } from '../../../catalog/packs.ts';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { previewReason } from '../../community/routes/preview.ts';
import { walletField } from '../../definitions/fields.ts';
import { costFields, freeAnswer } from '../../definitions/free_answer.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { checkoutPage } from '../pages/checkout_page.ts';
import { paidPage } from '../pages/paid_page.ts';
import type { StartedCheckout } from '../types.ts';
import { PACKS_PER_CHECKOUT_MAX } from './limits.ts';

const packField = z.enum(PACKS.map(({ id }) => id));
type PackId = z.output<typeof packField>;
const LIMIT = { name: 'checkouts', calls: 120, perSeconds: 3600, by: 'address' } as const;

/** The address every 402 links to: it costs nothing until somebody follows it. */
export const checkout = defineOperation({
  name: 'checkout',
  methods: ['GET'],
  path: '/checkout/{pack}',
  tag: 'payment',
  summary:
    'Where a person buys a credit pack by card: leads on to the page of the card processor (303), or asks for the wallet first.',
  input: z.object({ pack: packField, wallet: walletField.optional() }),
  answer: { file: 'text/html', description: 'A form that asks for the wallet, when none was named.' },
  leadsTo: 'The page of the card processor.',
  limit: LIMIT,
  run: async ({ pack, wallet }, services: Pick<Services, 'payments'>, call) => {
    const payer = wallet ?? call.wallet;
    // Whoever only looks gets the form: a link preview must not start purchases.
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

/** The same for a program, which passes the address on to a person. */
export const startCheckout = defineOperation({
  name: 'start_checkout',
  methods: ['POST'],
  path: '/api/credits/checkout',
  tag: 'payment',
  summary: 'Start buying credit packs for a wallet; a person pays at the checkout_url it answers.',
  input: z.object({
    pack: packField,
    wallet: walletField.describe('Who gets the credits. Buying registers a wallet that is not.'),
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
    // A repeat with the same Idempotency-Key never comes here; anything else is a purchase of its own.
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
          action: 'See whether the credits have come',
          tool: 'check_balance',
          why: 'They are there as soon as the card has paid',
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

export const paid = defineOperation({
  name: 'paid',
  methods: ['GET'],
  path: '/paid',
  tag: 'payment',
  summary:
    'Where a person comes back to after paying: grants the credits if no notice of the processor has yet.',
  input: z.object({ session_id: z.string().max(300) }),
  answer: { file: 'text/html', description: 'What became of the purchase.' },
  limit: { name: 'payment-pages', calls: 600, perSeconds: 3600, by: 'address' },
  run: async ({ session_id }, { payments }: Pick<Services, 'payments'>) => {
    const result = await payments.fulfil(session_id);
    if (!result) throw new AtelierError('payment_not_found', 'There is no such purchase.');
    const { state, wallet, amount, livemode } = result;
    const credits = amount / MILLICREDITS_PER_CREDIT;
    const mode = livemode ? '' : ' No money has moved: this server is in test mode.';
    const texts: Record<typeof state, [title: string, text: string]> = {
      granted: ['Thank you', `${credits} credits are now in the wallet ${wallet}.${mode}`],
      already: ['Thank you', `${credits} credits are in the wallet ${wallet}.${mode}`],
      unpaid: [
        'Not paid yet',
        `The payment has not arrived yet. The ${credits} credits come by themselves once it has.`,
      ],
      expired: ['Too late', 'This purchase was not paid in time. Nothing was charged.'],
      refused: [
        'Please ask',
        'What was paid is not what was asked for, so nothing was granted. The operator has been told.',
      ],
    };
    const [title, text] = texts[state];
    return paidPage(title, text);
  },
});
