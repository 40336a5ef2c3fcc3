import { z } from 'zod';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import { messagePage } from '../../../core/html/html_page.ts';
import { CHAIN_ID_MAX, SIGNATURE_CHARACTERS_MAX } from '../../account/routes/limits.ts';
import { costFields } from '../../definitions/free_answer.ts';
import { FREE_COST } from '../../definitions/next_step.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import type { Approval } from '../consents/types.ts';
import { approvalPage } from '../pages/consent_pages.ts';

export const idField = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'must be the last part of the link')
  .describe('Last part of the link.');

export const decisionFields = {
  decision: z.enum(['grant', 'refuse']),
  chain_id: z
    .int()
    .min(1)
    .max(CHAIN_ID_MAX)
    .default(1)
    .describe('EIP-155 chain named in the message; for a contract wallet, its own chain.'),
};

export const signatureField = z
  .string()
  .min(1)
  .max(SIGNATURE_CHARACTERS_MAX)
  .describe('0x and hex: signature of the owner over the message for exactly this decision.');

/** The message to sign. */
export const messageAnswer = z.object({ message: z.string(), ...costFields });

export const decidedAnswer = z.object({ state: z.enum(['granted', 'refused']), ...costFields });

export const LIMIT = {
  name: 'consents',
  calls: 600,
  perSeconds: 3600,
  by: 'address',
  failuresCount: true,
} as const;

type Needs = Pick<Services, 'consents'>;

export const showApproval = defineOperation({
  name: 'approval_page',
  methods: ['GET'],
  path: '/approve/{id}',
  tag: 'account',
  summary: 'The page where an owner approves or refuses one call.',
  input: z.object({ id: z.string().max(100) }),
  answer: { file: 'text/html', description: 'The call and its price, or a note that the request is closed.' },
  limit: LIMIT,
  async run({ id }, { consents }: Needs) {
    const approval = await consents.findApproval(id);
    if (!approval) return messagePage('Nothing to approve', 'This request does not exist, or has expired.');
    if (approval.state !== 'waiting') return messagePage('Nothing to approve', OVER[approval.state]);
    return approvalPage(approval);
  },
});

const OVER: Record<Exclude<Approval['state'], 'waiting'>, string> = {
  approved: 'You have approved this call. Your assistant can send it now.',
  refused: 'You have refused this call. Nothing was spent.',
  used: 'This call was approved and sent.',
  expired: 'This request expired. Nothing was spent; your assistant can ask again.',
};

/** A call with an approval request. */
export const approvalFields = z.object({
  id: z.string(),
  state: z
    .enum(['waiting', 'approved', 'refused', 'used', 'expired'])
    .describe('used: approved, and the call was sent.'),
  tool: z.string(),
  credits: z.number(),
  params: z.string().describe('Parameters of the call, shortened.'),
  asked_by: z.string().describe('Sender of the call.'),
  url: z.string().describe('Page where the owner decides.'),
  created_at: z.string(),
  expires_at: z.string(),
});

export const listApprovals = defineOperation({
  name: 'list_approvals',
  methods: ['GET'],
  path: '/api/wallet/approvals',
  tag: 'account',
  summary: 'Calls that wait for your approval, and calls of the last 24 hours.',
  input: z.object({}),
  answer: z.object({
    approvals: z.array(approvalFields),
    ...costFields,
  }),
  ownerOnly: true,
  async run(_input, { consents, site }: Pick<Services, 'consents' | 'site'>, call) {
    const approvals = await consents.listApprovals(call.wallet!);
    return {
      approvals: approvals.map(({ id, state, tool, amount, shown, askedBy, createdAt, expiresAt }) => ({
        id,
        state,
        tool,
        credits: amount / MILLICREDITS_PER_CREDIT,
        params: shown,
        asked_by: askedBy,
        url: `${site.publicUrl}/approve/${id}`,
        created_at: createdAt.toISOString(),
        expires_at: expiresAt.toISOString(),
      })),
      cost: FREE_COST,
      next_steps: [],
    };
  },
});

export const approvalMessage = defineOperation({
  name: 'approval_message',
  methods: ['POST'],
  path: '/api/wallet/approvals/{id}/message',
  tag: 'account',
  summary: 'The message (EIP-4361) whose signature approves or refuses one call.',
  input: z.object({ id: idField, ...decisionFields }),
  answer: messageAnswer,
  limit: LIMIT,
  answersSecret: true,
  run: async ({ id, decision, chain_id: chainId }, { consents }: Needs) => ({
    message: await consents.approvalMessage(id, { isGranted: decision === 'grant', chainId }),
    cost: FREE_COST,
    next_steps: [],
  }),
});

export const decideApproval = defineOperation({
  name: 'decide_approval',
  methods: ['POST'],
  path: '/api/wallet/approvals/{id}',
  tag: 'account',
  summary:
    'Approves or refuses one call by the signature of the owner. An approval is valid once, for exactly that call, within 15 minutes.',
  input: z.object({ id: idField, ...decisionFields, signature: signatureField }),
  answer: decidedAnswer,
  limit: LIMIT,
  answersSecret: true,
  async run({ id, decision, chain_id: chainId, signature }, { consents }: Needs) {
    const isGranted = decision === 'grant';
    await consents.decideApproval(id, { isGranted, chainId, signature });
    return {
      state: isGranted ? ('granted' as const) : ('refused' as const),
      cost: FREE_COST,
      next_steps: [],
    };
  },
});
