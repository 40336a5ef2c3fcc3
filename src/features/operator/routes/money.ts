import { z } from 'zod';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import { walletField } from '../../definitions/fields.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import type { Moved } from '../types.ts';
import { byOf, OPERATOR_LIMIT, reasonField } from './act.ts';
import { GRANT_CREDITS_MAX } from './limits.ts';

const creditsField = z
  .number()
  .min(1 / MILLICREDITS_PER_CREDIT)
  .max(GRANT_CREDITS_MAX);
const credits = z.number().min(-1e12).max(1e12);

const answer = z.object({
  transaction_id: z.string().describe('As the statement of the wallet has it.'),
  wallet: z.string(),
  credits,
  balance: credits.describe('Of the wallet, afterwards.'),
  repeated: z.boolean().describe('It had happened before, and nothing moved now.'),
  note: z.string(),
});

const movedAnswer = (
  { id, wallet, amount, balance, isRepeat }: Moved,
  what: string,
): z.input<typeof answer> => {
  const given = amount / MILLICREDITS_PER_CREDIT;
  return {
    transaction_id: id,
    wallet,
    credits: given,
    balance: balance / MILLICREDITS_PER_CREDIT,
    repeated: isRepeat,
    note: isRepeat
      ? `That ${what} was made before, of ${given} credits; nothing moved now.`
      : `${wallet} has ${given} credits more.`,
  };
};

/** Whole thousandths, as the ledger counts. */
const millicredits = (amount: number): number => Math.round(amount * MILLICREDITS_PER_CREDIT);

export const grantCredits = defineOperation({
  name: 'operator_grant',
  methods: ['POST'],
  path: '/api/operator/grant',
  tag: 'operator',
  summary: 'Gives a registered wallet credits.',
  input: z.object({
    wallet: walletField,
    credits: creditsField.describe('Down to a thousandth.'),
    reason: reasonField,
    reference: z
      .string()
      .regex(/^[\w.:-]{1,60}$/, 'must be 1 to 60 letters, digits and . : _ -')
      .optional()
      .describe('A name of yours for this grant: the same one gives the credits once.'),
  }),
  answer,
  operator: 'money',
  isFinal: true,
  limit: OPERATOR_LIMIT,
  async run({ wallet, credits: wanted, reason, reference }, { operator }: Pick<Services, 'operator'>, call) {
    const grant = { wallet, amount: millicredits(wanted), reference };
    return movedAnswer(await operator.grant(byOf(call, reason), grant), 'grant');
  },
});

export const refundCall = defineOperation({
  name: 'operator_refund',
  methods: ['POST'],
  path: '/api/operator/refund',
  tag: 'operator',
  summary: 'Gives a wallet back what a call has cost it, credit-back deducted. Once a call.',
  input: z.object({
    call: z
      .string()
      .min(1)
      .max(200)
      .describe('Its id in the statement (post:…), or of its receipt (rcpt_…).'),
    reason: reasonField,
    credits: creditsField.optional().describe('Part of it. Absent: all.'),
  }),
  answer,
  operator: 'money',
  isFinal: true,
  limit: OPERATOR_LIMIT,
  async run({ call: id, reason, credits: part }, { operator }: Pick<Services, 'operator'>, call) {
    const amount = part === undefined ? undefined : millicredits(part);
    return movedAnswer(await operator.refund(byOf(call, reason), { call: id, amount }), 'refund');
  },
});
