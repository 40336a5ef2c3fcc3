import { z } from 'zod';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { OPERATOR_LIMIT } from './admin_action.ts';

export const exportInvoice = defineOperation({
  name: 'operator_invoice',
  methods: ['GET'],
  path: '/api/operator/invoice',
  tag: 'operator',
  summary: 'The invoice of a purchase of any wallet, as PDF.',
  input: z.object({
    purchase: z
      .string()
      .min(1)
      .max(300)
      .describe('Purchase id from operator_sales, or invoice number, such as 2026-000042.'),
  }),
  answer: { file: 'application/pdf', description: 'One A4 page.' },
  operator: 'money',
  alsoFails: [404, 409],
  limit: OPERATOR_LIMIT,
  async run({ purchase }, { invoices, pixels }: Pick<Services, 'invoices' | 'pixels'>, { signal }) {
    const { number, bytes } = await invoices.pdf(purchase, 'operator', { pixels, signal });
    return {
      async *chunks() {
        yield bytes;
      },
      contentType: 'application/pdf',
      headers: {
        'Cache-Control': 'private, no-store',
        'Content-Disposition': `inline; filename="invoice-${number}.pdf"`,
      },
    };
  },
});

export const exportSales = defineOperation({
  name: 'operator_sales',
  methods: ['GET'],
  path: '/api/operator/sales',
  tag: 'operator',
  summary: 'The purchases of a month as CSV: date, wallet, credits, amount, tax, means of payment.',
  input: z.object({
    month: z
      .string()
      .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'must be a year and a month, such as 2026-11')
      .describe('In UTC, such as 2026-11.'),
  }),
  answer: { file: 'text/csv', description: 'One line per purchase, oldest first.' },
  operator: 'money',
  limit: OPERATOR_LIMIT,
  run: async ({ month }, { operator }: Pick<Services, 'operator'>) => ({
    chunks: () => operator.sales.csvOf(month),
    contentType: 'text/csv; charset=utf-8',
    headers: {
      'Cache-Control': 'private, no-store',
      'Content-Disposition': `attachment; filename="sales-${month}.csv"`,
    },
  }),
});
