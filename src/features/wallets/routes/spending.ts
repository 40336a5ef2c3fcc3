import { z } from 'zod';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import { KEY_CAP_CREDITS_MAX } from '../../account/routes/limits.ts';
import { costFields } from '../../definitions/free_answer.ts';
import { FREE_COST } from '../../definitions/next_step.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import type { SpendingRules } from '../consents/types.ts';

const answer = z.object({
  wallet: z.string(),
  stopped: z.boolean().describe('true: no call can spend credits.'),
  stopped_at: z.string().nullable(),
  approval_above: z
    .number()
    .min(0)
    .max(KEY_CAP_CREDITS_MAX)
    .nullable()
    .describe('Credits: a call above this price needs your approval each time. null: no call does.'),
  ...costFields,
});

export const showSpending = defineOperation({
  name: 'show_spending',
  methods: ['GET'],
  path: '/api/wallet/spending',
  tag: 'account',
  summary: 'Spending rules of your wallet.',
  input: z.object({}),
  answer,
  ownerOnly: true,
  run: async (_input, { consents }: Pick<Services, 'consents'>, call) =>
    describe(call.wallet!, await consents.rules(call.wallet!)),
});

export const setSpending = defineOperation({
  name: 'set_spending',
  methods: ['POST'],
  path: '/api/wallet/spending',
  tag: 'account',
  summary:
    'Pauses all spending of your wallet, or sets the price above which a call needs your approval. Running calls finish. A payment sent with a call does not count as spending.',
  input: z.object({
    stopped: z.boolean().optional().describe('true: no further credits are spent. Absent: unchanged.'),
    approval_above: z
      .int()
      .min(0)
      .max(KEY_CAP_CREDITS_MAX)
      .nullable()
      .optional()
      .describe('In whole credits; 0: every paid call. null: never. Absent: unchanged.'),
  }),
  answer,
  ownerOnly: true,
  run: async ({ stopped, approval_above: above }, { consents }: Pick<Services, 'consents'>, call) => {
    const approvalAbove = above === undefined || above === null ? above : above * MILLICREDITS_PER_CREDIT;
    return describe(
      call.wallet!,
      await consents.setRules(call.wallet!, { isStopped: stopped, approvalAbove }),
    );
  },
});

const describe = (wallet: string, { stoppedAt, approvalAbove }: SpendingRules) => ({
  wallet,
  stopped: stoppedAt !== null,
  stopped_at: stoppedAt?.toISOString() ?? null,
  approval_above: approvalAbove === null ? null : approvalAbove / MILLICREDITS_PER_CREDIT,
  cost: FREE_COST,
  next_steps: [],
});
