import { z } from 'zod';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { momentField, walletField } from '../../definitions/fields.ts';
import { costFields } from '../../definitions/free_answer.ts';
import { FREE_COST, freeStep } from '../../definitions/next_step.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import type { StatementEntry } from '../../wallets/types.ts';
import { STATEMENT_CSV_ROWS_MAX, STATEMENT_ENTRIES_MAX } from './limits.ts';

const amount = z.number().min(-1e12).max(1e12);
const moment = momentField.max(40).optional();
const ENTRIES = 100;
const CURSOR = /^[1-9]\d{0,15}$/;

export const walletStatement = defineOperation({
  name: 'wallet_statement',
  methods: ['GET'],
  path: '/api/wallet/statement',
  tag: 'account',
  summary:
    'Every movement of a wallet, newest first, with the balance after it, recomputed from the journal: JSON in pages, or CSV.',
  input: z.object({
    wallet: walletField.optional().describe('Default: the wallet of the bearer.'),
    format: z.enum(['json', 'csv']).default('json'),
    from: moment.describe('Not before this time, such as 2026-11-01T00:00:00Z.'),
    until: moment.describe('Before this time.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(STATEMENT_ENTRIES_MAX)
      .default(ENTRIES)
      .describe(`Entries per page of JSON; CSV has up to ${STATEMENT_CSV_ROWS_MAX} rows.`),
    cursor: z.string().regex(CURSOR, 'must be next_cursor of the previous page').optional(),
  }),
  answer: z.object({
    wallet: z.string(),
    unit: z.literal('credit'),
    balance: amount.describe('Balance after the newest movement, on every page.'),
    entries: z.array(
      z.object({
        id: z.string(),
        at: z.string(),
        type: z.string(),
        tool: z.string().nullable(),
        amount: amount.describe('Change of the balance; negative for payments.'),
        balance_after: amount,
        receipt_id: z
          .string()
          .nullable()
          .describe('Receipt of the paid call; GET /api/wallet/receipts/{id} returns the signed receipt.'),
      }),
    ),
    next_cursor: z.string().nullable(),
    ...costFields,
  }),
  reaches: 'account:read',
  limit: { name: 'statements', calls: 300, perSeconds: 3600 },
  async run({ format, limit, from, until, cursor, ...input }, { wallets }: Pick<Services, 'wallets'>, call) {
    const wallet = input.wallet ?? call.wallet;
    if (wallet === undefined)
      throw invalidField('wallet', 'wallet is missing. Send wallet, or a bearer token.');
    const isCsv = format === 'csv';
    const shownMax = isCsv ? STATEMENT_CSV_ROWS_MAX : limit;
    const rows = await wallets.statement(wallet, {
      limit: shownMax + 1,
      ...(from && { from: new Date(from) }),
      ...(until && { until: new Date(until) }),
      ...(cursor && { before: Number(cursor) }),
    });
    const entries = rows.slice(0, shownMax);
    const next = rows.length > shownMax ? String(entries.at(-1)!.position) : null;
    // The next page keeps the time range, or it would continue past `from`.
    const same = { wallet, ...(from && { from }), ...(until && { until }) };
    if (isCsv) return csvFile(wallet, entries, next ? { ...same, format: 'csv', cursor: next } : undefined);
    return {
      wallet,
      unit: 'credit' as const,
      balance: ((await wallets.find(wallet))?.balance ?? 0) / 1000,
      entries: entries.map(entry),
      next_cursor: next,
      cost: FREE_COST,
      next_steps: next
        ? [
            freeStep('GET /api/wallet/statement', 'Next page', 'There are older movements', {
              ...same,
              limit,
              cursor: next,
            }),
          ]
        : [],
    };
  },
});

const entry = ({ id, at, type, tool, amount, balanceAfter, receiptId }: StatementEntry) => ({
  id,
  at: at.toISOString(),
  type,
  tool: tool ?? null,
  amount: amount / 1000,
  balance_after: balanceAfter / 1000,
  receipt_id: receiptId ?? null,
});

/** RFC 4180. All text is generated here, so no cell can be a formula. */
function csvFile(wallet: string, entries: StatementEntry[], next?: Record<string, string>) {
  const lines = entries.map(entry).map((row) =>
    Object.values(row)
      .map((value) => value ?? '')
      .join(','),
  );
  return {
    bytes: `${['id,at,type,tool,amount,balance_after,receipt_id', ...lines].join('\r\n')}\r\n`,
    contentType: 'text/csv; charset=utf-8',
    headers: {
      'Cache-Control': 'private, no-store',
      'Content-Disposition': `attachment; filename="statement-${wallet}.csv"`,
      ...(next && { Link: `</api/wallet/statement?${new URLSearchParams(next)}>; rel="next"` }),
    },
  };
}
