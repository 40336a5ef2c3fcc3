import { z } from 'zod';
import { noSuchTool } from '../../../catalog/unknown_tool.ts';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { messagePage } from '../../../core/html/html_page.ts';
import { KEY_CAP_CREDITS_MAX, KEY_TOOLS_MAX } from '../../account/routes/limits.ts';
import { walletField } from '../../definitions/fields.ts';
import { FREE_COST } from '../../definitions/next_step.ts';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import type { KeyDecision, KeyRequest } from '../consents/types.ts';
import { keyRequestPage } from '../pages/consent_pages.ts';
import {
  approvalMessage,
  decideApproval,
  decidedAnswer,
  decisionFields,
  idField,
  LIMIT,
  listApprovals,
  messageAnswer,
  showApproval,
  signatureField,
} from './approvals.ts';
import { setSpending, showSpending } from './spending.ts';

type Needs = Pick<Services, 'consents' | 'catalogue'>;

const showKeyRequest = defineOperation({
  name: 'key_request_page',
  methods: ['GET'],
  path: '/grant/{id}',
  tag: 'account',
  summary: 'The page where the owner of a wallet grants an agent the requested key, with limits.',
  input: z.object({ id: z.string().max(100) }),
  answer: {
    file: 'text/html',
    description: 'The agent and the permissions of the key, or a note that the request is closed.',
  },
  limit: LIMIT,
  async run({ id }, { consents }: Pick<Services, 'consents'>) {
    const request = await consents.findKeyRequest(id);
    if (!request) return messagePage('Nothing to give', 'This request does not exist, or has expired.');
    if (request.state !== 'waiting') return messagePage('Nothing to give', OVER[request.state]);
    return keyRequestPage(request);
  },
});

const OVER: Record<Exclude<KeyRequest['state'], 'waiting'>, string> = {
  granted: 'You have granted the key. Your assistant can retrieve it now.',
  refused: 'You have refused the key.',
  used: 'The key was granted and retrieved. GET /api/wallet/keys lists it; DELETE /api/wallet/keys/{id} revokes it.',
  expired: 'This request expired. Your assistant can ask again.',
};

const cap = z.int().min(1).max(KEY_CAP_CREDITS_MAX).nullable().default(null);
const terms = {
  id: idField,
  wallet: walletField,
  ...decisionFields,
  max_credits: cap.describe('Lifetime budget of the key, in whole credits. null: no cap.'),
  max_credits_per_day: cap.describe('Daily budget (UTC). null: no cap.'),
  tools: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(KEY_TOOLS_MAX)
    .nullable()
    .default(null)
    .describe('The only tools it may call. null: every tool.'),
  files: z.boolean().default(false).describe('true: it may also read and change the files of the wallet.'),
  expires_at: z.iso.datetime({ offset: true }).max(40).describe('Expiry of the key.'),
};

const keyRequestMessage = defineOperation({
  name: 'key_request_message',
  methods: ['POST'],
  path: '/api/wallet/key-requests/{id}/message',
  tag: 'account',
  summary: 'The message (EIP-4361) whose signature grants or refuses a key with these limits.',
  input: z.object(terms),
  answer: messageAnswer,
  limit: LIMIT,
  answersSecret: true,
  run: async (input, { consents, catalogue }: Needs) => ({
    message: await consents.keyMessage(input.id, decisionOf(catalogue, input)),
    cost: FREE_COST,
    next_steps: [],
  }),
});

const signedTerms = z.object({ ...terms, signature: signatureField });

const decideKeyRequest = defineOperation({
  name: 'decide_key_request',
  methods: ['POST'],
  path: '/api/wallet/key-requests/{id}',
  tag: 'account',
  summary:
    'Grants or refuses the key that an agent requested, by the signature of the owner. The agent retrieves it with its code, once, within 15 minutes.',
  input: signedTerms,
  answer: decidedAnswer,
  limit: LIMIT,
  answersSecret: true,
  async run(input, { consents, catalogue }: Needs) {
    const { id, signature, decision } = input;
    await consents.decideKey(id, { ...decisionOf(catalogue, input), signature });
    return {
      state: decision === 'grant' ? ('granted' as const) : ('refused' as const),
      cost: FREE_COST,
      next_steps: [],
    };
  },
});

function decisionOf(
  catalogue: Services['catalogue'],
  input: Omit<z.output<typeof signedTerms>, 'signature'>,
): KeyDecision {
  for (const tool of input.tools ?? [])
    if (!catalogue.find(tool)) throw invalidField('tools', noSuchTool(catalogue, tool));
  return {
    wallet: input.wallet,
    isGranted: input.decision === 'grant',
    chainId: input.chain_id,
    withFiles: input.files,
    ...(input.tools && { tools: [...new Set(input.tools)] }),
    ...(input.max_credits !== null && { maxTotal: input.max_credits * MILLICREDITS_PER_CREDIT }),
    ...(input.max_credits_per_day !== null && {
      maxDaily: input.max_credits_per_day * MILLICREDITS_PER_CREDIT,
    }),
    keyExpiresAt: new Date(input.expires_at),
  };
}

export const consentOperations: readonly AnyOperation[] = [
  showSpending,
  setSpending,
  showApproval,
  listApprovals,
  approvalMessage,
  decideApproval,
  showKeyRequest,
  keyRequestMessage,
  decideKeyRequest,
];
