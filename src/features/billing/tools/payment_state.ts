import { z } from 'zod';
import type { Services } from '../../services.ts';

/** State of a payment or key request that a person has to approve. */
export const paymentState = z.object({
  state: z
    .enum(['waiting', 'paid', 'refused', 'expired'])
    .describe('paid: go on as `what_now` says. expired or refused: nothing was taken.'),
  way: z.enum(['credits', 'call', 'key']),
  code: z.string().describe('Send it here again to see what became of it. Of a key: keep it to yourself.'),
  url: z.string().optional().describe('For the person.'),
  check: z.string().optional().describe('Show it to the person; the page shows the same.'),
  what_now: z.string().describe('What to do now.'),
  amount_usd: z.number().min(0).max(1_000_000).optional(),
  buys_credits: z.int().min(0).max(10_000_000).optional().describe('What is bought.'),
  wallet: z.string().optional(),
  payer: z
    .string()
    .optional()
    .describe('Send it as `payer` beside the fields of any paid tool. A key is shown once.'),
  livemode: z.boolean().optional().describe('false: no money moves.'),
  expires_at: z.string().optional(),
});

export type PaymentNeeds = Pick<Services, 'payments' | 'consents' | 'catalogue' | 'site'>;
