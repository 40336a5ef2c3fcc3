import { z } from 'zod';
import { MILLICREDITS_PER_CREDIT, WELCOME_CREDITS } from '../../../config/limits.ts';
import { walletField } from '../../definitions/fields.ts';
import { FREE, usd } from '../../definitions/price.ts';
import { type CallContext, defineTool, type Suggestion } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { ADDRESS_ALONE, addressAloneField, maySeeAccount } from './account_fields.ts';

const A_DAY_S = 86_400;
/** Only new wallets count; a repeated registration is idempotent, and a dry run registers nothing. */
const isNew = (answer: Record<string, unknown>): boolean => answer.already_registered === false;

const EXAMPLE_WALLET = '0x52908400098527886e0f7030069857d2e4169ee7';

/** Response of the tool and of POST /api/wallet/register. */
export const registration = z.object({
  wallet: z.string(),
  registered: z.literal(true),
  already_registered: z.boolean(),
  bonus_credits: z
    .number()
    .min(0)
    .max(WELCOME_CREDITS)
    .describe('Credits granted by this call: 10 the first time, then 0.'),
  bonus_usd: z.number().min(0).max(1),
  balance: z
    .number()
    .min(0)
    .max(1e12)
    .optional()
    .describe('Balance of the wallet; hidden for a locked wallet without proof.'),
  registered_at: z.string(),
  auth: z.object({ header: z.string() }).describe('How to pay for calls.'),
  address_alone: addressAloneField,
});

/** Next steps; for an unlocked wallet, they include the lock. */
export const afterRegistration = ({
  wallet,
  address_alone: isOpen,
}: Pick<z.output<typeof registration>, 'wallet' | 'address_alone'>): readonly Suggestion[] => [
  { action: 'See all tools', tool: 'search_tools', why: 'Every tool with its price; most are free' },
  ...(isOpen === undefined
    ? []
    : [
        {
          action: 'Lock the wallet',
          tool: 'manage_wallet',
          why: 'So that its address alone gives no access; returns a message for the owner to sign',
          params: { action: 'challenge', wallet },
        },
      ]),
];

export const registerWallet = defineTool({
  name: 'register_wallet',
  title: 'Register a wallet',
  category: 'account',
  summary: `Open an account for an EVM wallet address and receive ${WELCOME_CREDITS} free credits, once per address. Registering again is harmless.`,
  instead: { check_balance: 'to see what is left' },
  words:
    'sign up, open or create an account or wallet, get free credits, begin, start, log in, new user, free trial, ethereum address, how do I get started, claim the welcome bonus, bonus, register walletaddress, open an account for walletaddress, sign in with my wallet, connect my wallet, i am new here, first time, onboarding, metamask, crypto address, get my free credits, create account, join, welcome credits, trial, become a user, enrol, new wallet, address for an agent, setup',
  price: FREE,
  input: z.object({ wallet: walletField }),
  output: registration,
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  limit: {
    name: 'registrations',
    calls: 100,
    perSeconds: 3600,
    by: 'address',
    counts: isNew,
    also: [
      { name: 'registrations-a-day', calls: 200, perSeconds: A_DAY_S, by: 'address', counts: isNew },
      { name: 'registrations-of-all', calls: 2000, perSeconds: A_DAY_S, by: 'everybody', counts: isNew },
    ],
  },
  examples: [{ wallet: EXAMPLE_WALLET }],
  next: afterRegistration,
  run: ({ wallet }, services: Pick<Services, 'wallets' | 'ownership'>, call) =>
    register(wallet, services, call),
});

const BONUS_NEEDS_PROOF = `The welcome bonus of ${WELCOME_CREDITS} credits is granted after proof of ownership: POST /api/wallet/challenge, sign the message, POST /api/wallet/session.`;

/** Registers a wallet and returns the result. Converts thousandths to credits. */
export async function register(
  wallet: string,
  { wallets, ownership }: Pick<Services, 'wallets' | 'ownership'>,
  call: Pick<CallContext, 'proof' | 'warn'>,
): Promise<z.input<typeof registration>> {
  const { state } = await ownership.stateOf(wallet);
  const isProved = state !== 'open' || call.proof?.wallet === wallet;
  const { alreadyRegistered, registeredAt, balance, ...brought } = await wallets.register(wallet, {
    isProved,
  });
  const isHidden = state === 'locked' && !maySeeAccount(wallet, call);
  const bonus = brought.bonus / MILLICREDITS_PER_CREDIT;
  if (brought.bonusNeedsProof) call.warn(BONUS_NEEDS_PROOF);
  return {
    wallet,
    registered: true,
    already_registered: alreadyRegistered,
    bonus_credits: bonus,
    bonus_usd: usd(bonus),
    ...(!isHidden && { balance: balance / MILLICREDITS_PER_CREDIT }),
    registered_at: registeredAt.toISOString(),
    auth: { header: `Authorization: Bearer ${wallet}` },
    ...(state !== 'locked' && { address_alone: ADDRESS_ALONE }),
  };
}
