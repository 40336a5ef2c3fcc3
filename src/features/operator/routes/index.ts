import { z } from 'zod';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import { walletField } from '../../definitions/fields.ts';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import type { Moved } from '../types.ts';
import { attributionOf, defineAdminAction, OPERATOR_LIMIT, reasonField } from './admin_action.ts';
import {
  dismissDeadLetter,
  dismissKind,
  listDeadLetters,
  retryDeadLetter,
  retryKind,
} from './dead_letters.ts';
import { listTokens, makeToken, revokeKey } from './keys.ts';
import { GRANT_CREDITS_MAX } from './limits.ts';
import { listEntries, showLog, showWallet } from './look.ts';
import { endPrice, setPrice, setTier, setWeight, showPricing } from './pricing.ts';
import { exportInvoice, exportSales } from './sales.ts';
import { fetchOffer, listFetches } from './upkeep.ts';

const creditsField = z
  .number()
  .min(1 / MILLICREDITS_PER_CREDIT)
  .max(GRANT_CREDITS_MAX);
const credits = z.number().min(-1e12).max(1e12);

const answer = z.object({
  transaction_id: z.string().describe('Id in the statement of the wallet.'),
  wallet: z.string(),
  credits,
  balance: credits.describe('Balance of the wallet afterwards.'),
  repeated: z.boolean().describe('Already done earlier; nothing moved.'),
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
      ? `That ${what} of ${given} credits was already made; nothing moved.`
      : `${wallet} received ${given} credits.`,
  };
};

/** Whole thousandths, as the ledger counts. */
const millicredits = (amount: number): number => Math.round(amount * MILLICREDITS_PER_CREDIT);

const grantCredits = defineOperation({
  name: 'operator_grant',
  methods: ['POST'],
  path: '/api/operator/grant',
  tag: 'operator',
  summary: 'Grants credits to a registered wallet.',
  input: z.object({
    wallet: walletField,
    credits: creditsField.describe('Up to 3 decimals.'),
    reason: reasonField,
    reference: z
      .string()
      .regex(/^[\w.:-]{1,60}$/, 'must be 1 to 60 letters, digits and . : _ -')
      .optional()
      .describe('Your reference for this grant: the same reference grants the credits once.'),
  }),
  answer,
  operator: 'money',
  isFinal: true,
  limit: OPERATOR_LIMIT,
  async run({ wallet, credits: wanted, reason, reference }, { operator }: Pick<Services, 'operator'>, call) {
    const grant = { wallet, amount: millicredits(wanted), reference };
    return movedAnswer(await operator.grant(attributionOf(call, reason), grant), 'grant');
  },
});

const refundCall = defineOperation({
  name: 'operator_refund',
  methods: ['POST'],
  path: '/api/operator/refund',
  tag: 'operator',
  summary: 'Refunds the price of a call to its wallet, minus credit-back. Once per call.',
  input: z.object({
    call: z
      .string()
      .min(1)
      .max(200)
      .describe('Id of the call in the statement (post:…), or of its receipt (rcpt_…).'),
    reason: reasonField,
    credits: creditsField.optional().describe('Partial amount. Default: all.'),
  }),
  answer,
  operator: 'money',
  isFinal: true,
  limit: OPERATOR_LIMIT,
  async run({ call: id, reason, credits: part }, { operator }: Pick<Services, 'operator'>, call) {
    const amount = part === undefined ? undefined : millicredits(part);
    return movedAnswer(await operator.refund(attributionOf(call, reason), { call: id, amount }), 'refund');
  },
});

const entry = z.object({
  id: z.string().min(1).max(100).describe('Id from the feed, such as 2026-11-21-0a1b2c3d.'),
  reason: reasonField,
});

const hideEntry = defineAdminAction({
  name: 'hide',
  scope: 'moderate',
  summary: 'Hides an entry of the cafe, the gallery or the registry.',
  input: entry,
  do: (operator, by, { id }) => operator.hide(by, id),
  done: ({ id }) => `${id} is hidden from the feeds. It remains in the database unchanged.`,
  absent: 'No board has an entry with that id. Feeds show the ids, such as 2026-11-21-0a1b2c3d.',
});

const unhideEntry = defineAdminAction({
  name: 'unhide',
  scope: 'moderate',
  summary: 'Puts a hidden entry back into its feed.',
  input: entry,
  do: (operator, by, { id }) => operator.unhide(by, id),
  done: ({ id }) => `${id} is visible in its feed again.`,
  absent: 'No board has an entry with that id. The audit log shows hidden entries.',
});

const endThing = defineAdminAction({
  name: 'end',
  scope: 'moderate',
  summary:
    'Ends a job, key, webhook or stored manifest of any client, or a download; the hold of a job is released.',
  isFinal: true,
  input: z.object({
    id: z
      .string()
      .min(1)
      .max(100)
      .describe(
        'Starts with job_, key_ or whe_; a stored manifest is manifest_ and the sha256 of its store, a download fetch_ and its name. A server working on it stops within seconds.',
      ),
    reason: reasonField,
  }),
  do: (operator, by, { id }) => operator.end(by, id),
  done: ({ id }) => `${id} has ended.`,
  absent: 'Nothing active has that id. Ids start with job_, key_, whe_, manifest_ or fetch_.',
});

const wallet = z.object({ wallet: walletField, reason: reasonField });

const blockWallet = defineAdminAction({
  name: 'block',
  scope: 'money',
  summary: 'Blocks a wallet from spending credits. It can still read and export its data.',
  input: wallet,
  do: (operator, by, input) => operator.block(by, input.wallet),
  done: (input) =>
    `${input.wallet} is blocked from spending until it is unblocked. Calls with a hold may finish.`,
  absent: 'That wallet is already blocked.',
});

const unblockWallet = defineAdminAction({
  name: 'unblock',
  scope: 'money',
  summary: 'Unblocks a blocked or closed wallet, so that it can spend again.',
  input: wallet,
  do: (operator, by, input) => operator.unblock(by, input.wallet),
  done: (input) => `${input.wallet} may spend again.`,
  absent: 'That wallet is not blocked.',
});

/** Admin operations. `atelier admin` has a command for each, and OpenAPI a tag. */
export const operatorOperations: readonly AnyOperation[] = [
  showWallet,
  grantCredits,
  refundCall,
  blockWallet,
  unblockWallet,
  showPricing,
  exportSales,
  exportInvoice,
  setPrice,
  endPrice,
  setTier,
  setWeight,
  listEntries,
  hideEntry,
  unhideEntry,
  endThing,
  listDeadLetters,
  retryDeadLetter,
  dismissDeadLetter,
  retryKind,
  dismissKind,
  fetchOffer,
  listFetches,
  revokeKey,
  makeToken,
  listTokens,
  showLog,
];
