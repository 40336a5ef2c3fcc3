import { z } from 'zod';
import { costFields } from '../../definitions/free_answer.ts';
import { FREE_COST, freeStep, makeKey } from '../../definitions/next_step.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';

const lockAnswer = z.object({
  wallet: z.string(),
  state: z.enum(['claimed', 'locked']),
  locked: z.boolean(),
  locked_at: z.string().nullable(),
  ...costFields,
});

export const lockWallet = defineOperation({
  name: 'lock_wallet',
  methods: ['POST'],
  path: '/api/wallet/lock',
  tag: 'account',
  summary:
    'Locks the wallet: only sessions and keys can spend its credits and access its data. Ends its other sessions and older links; keys stay valid.',
  input: z.object({}),
  answer: lockAnswer,
  ownerOnly: true,
  async run(_input, { ownership }: Pick<Services, 'ownership'>, call) {
    const wallet = call.wallet!;
    const lockedAt = await ownership.lock(wallet, call.bearer);
    return {
      wallet,
      state: 'locked' as const,
      locked: true,
      locked_at: lockedAt.toISOString(),
      cost: FREE_COST,
      next_steps: [makeKey('For agents that continue to use this wallet')],
    };
  },
});

export const unlockWallet = defineOperation({
  name: 'unlock_wallet',
  methods: ['POST'],
  path: '/api/wallet/unlock',
  tag: 'account',
  summary: 'Unlocks the wallet: anyone who knows its address can use it. Sessions and keys stay valid.',
  input: z.object({}),
  answer: lockAnswer,
  ownerOnly: true,
  async run(_input, { ownership }: Pick<Services, 'ownership'>, call) {
    const wallet = call.wallet!;
    await ownership.unlock(wallet);
    return {
      wallet,
      state: 'claimed' as const,
      locked: false,
      locked_at: null,
      cost: FREE_COST,
      next_steps: [
        freeStep('POST /api/wallet/lock', 'Lock it again', 'So that its address alone gives no access'),
      ],
    };
  },
});
