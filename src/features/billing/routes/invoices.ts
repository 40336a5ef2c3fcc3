import { z } from 'zod';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { walletField } from '../../definitions/fields.ts';
import { costFields } from '../../definitions/free_answer.ts';
import { FREE_COST, freeStep } from '../../definitions/next_step.ts';
import { type BytesAnswer, defineOperation, type OperationCall } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { BUYER_CHARACTERS_MAX, INVOICES_LISTED_MAX, TAX_ID_CHARACTERS_MAX } from '../invoices/limits.ts';
import type { Buyer, Invoice } from '../invoices/types.ts';

const LIMIT = { name: 'invoices', calls: 300, perSeconds: 3600 } as const;
const PAGE = 20;
const ofWallet = walletField.optional().describe('Default: the wallet of the bearer.');
export const invoiceId = z
  .string()
  .min(1)
  .max(300)
  .describe('Invoice number, such as 2026-000042, or purchase id, such as checkout:cs_….');

const requireWallet = (wallet: string | undefined): string => {
  if (wallet !== undefined) return wallet;
  throw invalidField('wallet', 'wallet is missing. Send wallet, or a bearer token.');
};

export const listInvoices = defineOperation({
  name: 'list_invoices',
  methods: ['GET'],
  path: '/api/wallet/invoices',
  tag: 'account',
  summary: 'The purchases of a wallet and their invoices.',
  input: z.object({
    wallet: ofWallet,
    limit: z.coerce.number().int().min(1).max(INVOICES_LISTED_MAX).default(PAGE),
    cursor: z
      .string()
      .regex(/^[1-9]\d{0,15}$/, 'must be next_cursor of the previous page')
      .optional(),
  }),
  answer: z.object({
    wallet: z.string(),
    invoices: z.array(
      z.object({
        number: z.string().describe('TEST-… if no money moved.'),
        purchase: z.string(),
        at: z.string(),
        item: z.string().describe('The credit pack or tool.'),
        credits: z.number().min(0).max(1e12),
        amount: z.number().min(0).max(1e12).describe('Amount paid, including tax.'),
        currency: z.string(),
        means: z.string(),
        url: z.string().describe('The invoice as PDF, with the same bearer token.'),
      }),
    ),
    next_cursor: z.string().nullable(),
    ...costFields,
  }),
  reaches: 'account:read',
  alsoFails: [409],
  limit: LIMIT,
  async run({ limit, cursor, ...input }, { invoices, site }: Pick<Services, 'invoices' | 'site'>, call) {
    const wallet = requireWallet(input.wallet ?? call.wallet);
    const rows = await invoices.list(wallet, { limit: limit + 1, ...(cursor && { before: Number(cursor) }) });
    const shown = rows.slice(0, limit);
    const next = rows.length > limit ? String(shown.at(-1)!.position) : null;
    return {
      wallet,
      invoices: shown.map((invoice) => listed(invoice, { publicUrl: site.publicUrl, wallet })),
      next_cursor: next,
      cost: FREE_COST,
      next_steps: next
        ? [
            freeStep('GET /api/wallet/invoices', 'Next page', 'There are older purchases', {
              wallet,
              limit,
              cursor: next,
            }),
          ]
        : [],
    };
  },
});

const listed = (
  { number, purchase, at, item, credits, amount, currency, means }: Invoice,
  { publicUrl, wallet }: { publicUrl: string; wallet: string },
) => ({
  number,
  purchase,
  at: at.toISOString(),
  item,
  credits: credits / MILLICREDITS_PER_CREDIT,
  amount: amount / 10_000,
  currency,
  means,
  url: `${publicUrl}/api/wallet/invoices/${number}?wallet=${wallet}`,
});

export const showInvoice = defineOperation({
  name: 'show_invoice',
  methods: ['GET'],
  path: '/api/wallet/invoices/{id}',
  tag: 'account',
  summary: 'The invoice of a purchase as PDF. Its content is final once its owner has downloaded it.',
  input: z.object({ id: invoiceId, wallet: ofWallet }),
  answer: { file: 'application/pdf', description: 'One A4 page.' },
  reaches: 'account:read',
  alsoFails: [409],
  limit: LIMIT,
  async run({ id, ...input }, { invoices, pixels }: Pick<Services, 'invoices' | 'pixels'>, call) {
    const wallet = requireWallet(input.wallet ?? call.wallet);
    const asking = { wallet, isProved: call.proof?.wallet === wallet };
    return invoiceFile(await invoices.pdf(id, asking, { pixels, ...drawingFor(call) }));
  },
});

/** The client whose CPU budget the drawing uses. */
export const drawingFor = ({ signal, address, callerKey }: OperationCall) => ({ signal, address, callerKey });

export const invoiceFile = ({ number, bytes }: { number: string; bytes: Uint8Array }): BytesAnswer => ({
  bytes,
  contentType: 'application/pdf',
  headers: {
    'Cache-Control': 'private, no-store',
    'Content-Disposition': `inline; filename="invoice-${number}.pdf"`,
  },
});

/** Without invisible or reordering characters. */
const PRINTED = /^[^\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]*$/u;
const printed = (what: string, charactersMax: number) =>
  z
    .string()
    .trim()
    .max(charactersMax)
    .regex(PRINTED, 'must be one line of text, without control characters')
    .optional()
    .describe(`${what} Empty: none. Absent: unchanged.`);

const buyerAnswer = z.object({
  wallet: z.string(),
  name: z.string(),
  address: z.string(),
  tax_id: z.string(),
  ...costFields,
});

const buyerOf = (wallet: string, { name, address, taxId }: Buyer) => ({
  wallet,
  name,
  address,
  tax_id: taxId,
  cost: FREE_COST,
  next_steps: [],
});

export const setInvoiceBuyer = defineOperation({
  name: 'set_invoice_buyer',
  methods: ['POST'],
  path: '/api/wallet/invoice_buyer',
  tag: 'account',
  summary: 'The buyer named on your invoices.',
  input: z.object({
    name: printed('Name of the buyer.', BUYER_CHARACTERS_MAX),
    address: printed('Postal address, in one line.', BUYER_CHARACTERS_MAX),
    tax_id: printed('Tax number.', TAX_ID_CHARACTERS_MAX),
  }),
  answer: buyerAnswer,
  ownerOnly: true,
  run: async ({ tax_id: taxId, ...input }, { invoices }: Pick<Services, 'invoices'>, call) =>
    buyerOf(call.wallet!, await invoices.setBuyer(call.wallet!, { ...input, taxId })),
});
