import { z } from 'zod';
import type { Services } from '../../services.ts';

/** State of a payment or key request that a person has to approve. */
export const paymentState = z.object({
  state: z
    .enum(['waiting', 'paid', 'refused', 'expired'])
    .describe('paid: continue as `what_now` says. expired or refused: nothing was charged.'),
  way: z.enum(['credits', 'call', 'key']),
  code: z.string().describe('Send it to this tool again to see the state. Keep the code of a key secret.'),
  url: z.string().optional().describe('For the person.'),
  check: z.string().optional().describe('Show it to the person, who sees the same on the page.'),
  what_now: z.string().describe('Next step.'),
  amount_usd: z.number().min(0).max(1_000_000).optional(),
  buys_credits: z.int().min(0).max(10_000_000).optional().describe('Item of the payment.'),
  wallet: z.string().optional(),
  payer: z
    .string()
    .optional()
    .describe('Send it as `payer` with the fields of any paid tool. A key is shown once.'),
  livemode: z.boolean().optional().describe('false: no money moves.'),
  expires_at: z.string().optional(),
});

export type PaymentNeeds = Pick<Services, 'payments' | 'consents' | 'catalogue' | 'site'>;
