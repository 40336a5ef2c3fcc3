import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { costFields } from '../../definitions/free_answer.ts';
import { FREE_COST } from '../../definitions/next_step.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { describeKey, keyFields } from './keys.ts';

export const walletOfCaller = defineOperation({
  name: 'wallet_of_caller',
  methods: ['GET'],
  path: '/api/wallet',
  tag: 'account',
  summary:
    'The wallet that the bearer token or the signature of this request authenticates, the method, and the remaining budget of a key.',
  input: z.object({}),
  answer: z.object({
    wallet: z.string(),
    state: z.enum(['open', 'claimed', 'locked']),
    by: z
      .enum(['address', 'session', 'key', 'request'])
      .describe('address: ownership not proved. request: the request itself is signed.'),
    key: keyFields.optional(),
    ...costFields,
  }),
  answersSecret: true,
  async run(_input, { ownership }: Pick<Services, 'ownership'>, { wallet, proof }) {
    if (wallet === undefined) {
      throw new AtelierError(
        'proof_required',
        'The request names no wallet. Send an address, session (started at POST /api/wallet/challenge) or key as Authorization: Bearer …, or sign the request (ERC-8128). For a locked wallet, the address is not enough.',
      );
    }
    const { state } = await ownership.stateOf(wallet);
    const id = proof?.key?.id;
    const key = id === undefined ? undefined : (await ownership.keys(wallet)).find((one) => one.id === id);
    return {
      wallet,
      state,
      by: proof?.by ?? ('address' as const),
      ...(key && { key: describeKey(key) }),
      cost: FREE_COST,
      next_steps: [],
    };
  },
});
