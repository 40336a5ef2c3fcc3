import { z } from 'zod';
import { WELCOME_CREDITS } from '../../limits.ts';
import type { Services } from '../../services/services.ts';
import { walletField } from '../fields.ts';
import { FREE, usd } from '../price.ts';
import { type CallContext, defineTool, type Suggestion } from '../tool.ts';
import { maySeeAccount } from './may_see_account.ts';

const EXAMPLE_WALLET = '0x52908400098527886e0f7030069857d2e4169ee7';

/** What registering answers, over the tool and over POST /api/wallet/register alike. */
export const registration = z.object({
  wallet: z.string(),
  registered: z.literal(true),
  already_registered: z.boolean(),
  bonus_credits: z
    .number()
    .min(0)
    .max(WELCOME_CREDITS)
    .describe('What this call granted: 10 the first time, then 0.'),
  bonus_usd: z.number().min(0).max(1),
  balance: z
    .number()
    .min(0)
    .max(1e12)
    .optional()
    .describe('Credits the wallet owns; not told of a locked wallet without proof.'),
  registered_at: z.string(),
  auth: z.object({ header: z.string() }).describe('How to pay from now on.'),
});

export const afterRegistration: readonly Suggestion[] = [
  { action: 'See what can be done', tool: 'search_tools', why: 'Every tool with its price; most are free' },
];

export const registerWallet = defineTool({
  name: 'register_wallet',
  title: 'Register a wallet',
  category: 'account',
  summary: `Open an account for an EVM wallet address and receive ${WELCOME_CREDITS} free credits, once per address. Registering again is harmless.`,
  words:
    'sign up, open or create an account, get free credits, start, log in, new user, free trial, ethereum address',
  price: FREE,
  input: z.object({ wallet: walletField }),
  output: registration,
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  limit: { name: 'registrations', calls: 100, perSeconds: 3600, by: 'address' },
  examples: [{ wallet: EXAMPLE_WALLET }],
  next: () => afterRegistration,
  run: ({ wallet }, services: Pick<Services, 'wallets' | 'ownership'>, call) =>
    register(wallet, services, call),
});

/** Registers and says what it brought. Balances arrive in thousandths of a credit. */
export async function register(
  wallet: string,
  { wallets, ownership }: Pick<Services, 'wallets' | 'ownership'>,
  call: Pick<CallContext, 'proof'>,
): Promise<z.input<typeof registration>> {
  const { alreadyRegistered, registeredAt, balance } = await wallets.register(wallet);
  const isHidden = (await ownership.lockedAt(wallet)) !== undefined && !maySeeAccount(wallet, call);
  const bonus = alreadyRegistered ? 0 : WELCOME_CREDITS;
  return {
    wallet,
    registered: true,
    already_registered: alreadyRegistered,
    bonus_credits: bonus,
    bonus_usd: usd(bonus),
    ...(!isHidden && { balance: balance / 1000 }),
    registered_at: registeredAt.toISOString(),
    auth: { header: `Authorization: Bearer ${wallet}` },
  };
}
