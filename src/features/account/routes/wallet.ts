import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { costFields, freeAnswer } from '../../definitions/free_answer.ts';
import { FREE_COST, freeStep, makeKey } from '../../definitions/next_step.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { afterRegistration, register, registerWallet, registration } from '../tools/register_wallet.ts';
import { describeKey, keyFields } from './keys.ts';

/** The tool register_wallet at the path of the specification. */
export const registerOverRest = defineOperation({
  name: 'register',
  methods: ['POST'],
  path: '/api/wallet/register',
  tag: 'account',
  summary: registerWallet.summary,
  input: registerWallet.input,
  answer: z.object({ ...registration.shape, ...costFields }),
  limit: registerWallet.limit!,
  async run({ wallet }, services: Pick<Services, 'wallets' | 'ownership' | 'catalogue'>, call) {
    const registered = await register(wallet, services, call);
    return { ...registered, ...freeAnswer(services.catalogue, afterRegistration(registered)) };
  },
});

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
