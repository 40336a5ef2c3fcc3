import { z } from 'zod';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';

const amount = z.number().min(-1e15).max(1e15);
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const ledgerInvariants = defineOperation({
  name: 'ledger_invariants',
  methods: ['GET'],
  path: '/api/ledger/invariants',
  tag: 'payment',
  summary:
    'Recomputes the books from the journal at this moment: issued + refunded = spent + outstanding. Amounts in credits.',
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
