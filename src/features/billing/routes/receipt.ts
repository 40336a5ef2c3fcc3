import { z } from 'zod';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import { walletField } from '../../definitions/fields.ts';
import { costFields } from '../../definitions/free_answer.ts';
import { FREE_COST } from '../../definitions/next_step.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';

export const walletReceipt = defineOperation({
  name: 'wallet_receipt',
  methods: ['GET'],
  path: '/api/wallet/receipts/{id}',
  tag: 'account',
  summary: 'The signed receipt of a paid call, as in its response.',
  input: z.object({
    id: z
      .string()
      .max(200)
      .regex(/^rcpt_[\x21-\x7e]+$/, 'must be the receipt_id of a response or statement')
      .describe('receipt_id of the response or statement.'),
    wallet: walletField.optional().describe('Default: the wallet of the bearer.'),
  }),
  answer: z.object({
    wallet: z.string(),
    receipt_id: z.string(),
    receipt: z.string().describe('Compact JWS, EdDSA; keys at /.well-known/jwks.json.'),
    ...costFields,
  }),
  reaches: 'account:read',
  async run({ id, ...input }, { receipts }: Pick<Services, 'receipts'>, call) {
    const wallet = input.wallet ?? call.wallet;
    if (wallet === undefined)
      throw invalidField('wallet', 'wallet is missing. Send wallet, or a bearer token.');
    const receipt = await receipts.find(wallet, id);
    if (!receipt)
      throw new AtelierError('receipt_not_found', `${wallet} has no receipt ${JSON.stringify(id)}.`);
    return { wallet, receipt_id: receipt.id, receipt: receipt.jws, cost: FREE_COST, next_steps: [] };
  },
});
