import { z } from 'zod';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { OPERATOR_LIMIT } from './act.ts';

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
  answer: { file: 'text/csv', description: 'A line for each purchase, oldest first.' },
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
