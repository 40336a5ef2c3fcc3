import { z } from 'zod';
import {
  MILLICREDITS_PER_CREDIT,
  SIWE_MESSAGE_CHARACTERS_MAX,
  WELCOME_CREDITS,
} from '../../../config/limits.ts';
import { walletField } from '../../definitions/fields.ts';
import { costFields } from '../../definitions/free_answer.ts';
import { FREE_COST, freeStep, makeKey } from '../../definitions/next_step.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { CHAIN_ID_MAX, SIGNATURE_CHARACTERS_MAX } from './limits.ts';

const AN_HOUR_S = 3600;
const SMALL_BODY_BYTES_MAX = 64 * 1024;

export const walletChallenge = defineOperation({
  name: 'wallet_challenge',
  methods: ['POST'],
  path: '/api/wallet/challenge',
  tag: 'account',
  summary:
    'A message (EIP-4361) for the owner of a wallet to sign with personal_sign (EIP-191). It is valid once, for 10 minutes.',
  input: z.object({
    wallet: walletField,
    chain_id: z
      .int()
      .min(1)
      .max(CHAIN_ID_MAX)
      .default(1)
      .describe('EIP-155 chain named in the message: any chain; for a contract wallet, its own.'),
  }),
  maxBodyBytes: SMALL_BODY_BYTES_MAX,
  answer: z.object({
    wallet: z.string(),
    message: z
      .string()
      .describe('Sign exactly this text, and send it with the signature to POST /api/wallet/session.'),
    nonce: z.string(),
    expires_at: z.string(),
    supported: z
      .array(z.enum(['eoa', 'contract']))
      .describe(
        'Account types whose signatures this server can verify: eoa, with a private key; contract, if this server has access to a node of the chain (ERC-1271, ERC-6492).',
      ),
    ...costFields,
  }),
  limit: { name: 'wallet-challenges', calls: 300, perSeconds: AN_HOUR_S, by: 'address', failuresCount: true },
  answersSecret: true,
  async run({ wallet, chain_id: chainId }, { ownership }: Pick<Services, 'ownership'>) {
    const { message, nonce, expiresAt, supported } = await ownership.challenge(wallet, chainId);
    return {
      wallet,
      message,
      nonce,
      expires_at: expiresAt.toISOString(),
      supported: [...supported],
      cost: FREE_COST,
      // Only the client can sign, so there is no ready-made call.
      next_steps: [],
    };
  },
});

export const walletSession = defineOperation({
  name: 'wallet_session',
  methods: ['POST'],
  path: '/api/wallet/session',
  tag: 'account',
  summary:
    'Accepts a signed challenge and returns a session token that proves ownership for 12 hours: send it as Authorization: Bearer atl_sess_….',
  input: z.object({
    message: z
      .string()
      .min(1)
      .max(SIWE_MESSAGE_CHARACTERS_MAX)
      .describe('The message from POST /api/wallet/challenge.'),
    signature: z
      .string()
      .min(1)
      .max(SIGNATURE_CHARACTERS_MAX)
      .describe(
        '0x and hex: r, s and v of 65 bytes; for a contract wallet, the signature its contract accepts, or the ERC-6492 wrapper.',
      ),
  }),
  maxBodyBytes: SMALL_BODY_BYTES_MAX,
  answer: z.object({
    token: z.string().describe('Shown only now.'),
    wallet: z.string(),
    state: z.enum(['claimed', 'locked']),
    expires_at: z.string(),
    auth: z.object({ header: z.string() }),
    bonus_credits: z
      .number()
      .min(0)
      .max(WELCOME_CREDITS)
      .optional()
      .describe('Welcome bonus, at the first sign-in of a wallet that has not received it.'),
    ...costFields,
  }),
  limit: { name: 'wallet-sessions', calls: 100, perSeconds: AN_HOUR_S, by: 'address', failuresCount: true },
  answersSecret: true,
  async run(signed, { ownership, guests }: Pick<Services, 'ownership' | 'guests'>, { address }) {
    const { token, wallet, expiresAt } = await ownership.openSession(signed);
    const bonus = await guests.welcome(wallet, address);
    const isLocked = (await ownership.lockedAt(wallet)) !== undefined;
    return {
      token,
      wallet,
      state: isLocked ? ('locked' as const) : ('claimed' as const),
      expires_at: expiresAt.toISOString(),
      auth: { header: `Authorization: Bearer ${token}` },
      ...(bonus > 0 && { bonus_credits: bonus / MILLICREDITS_PER_CREDIT }),
      cost: FREE_COST,
      next_steps: [
        makeKey('For an agent, with a budget, tools and an expiry'),
        ...(isLocked
          ? []
          : [
              freeStep(
                'POST /api/wallet/lock',
                'Lock the wallet',
                'So that its address alone gives no access',
              ),
            ]),
      ],
    };
  },
});
