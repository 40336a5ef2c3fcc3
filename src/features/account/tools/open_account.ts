import { z } from 'zod';
import { KEY_NAME_CHARACTERS_MAX, MILLICREDITS_PER_CREDIT, WELCOME_CREDITS } from '../../../config/limits.ts';
import { briefly } from '../../definitions/brief.ts';
import { FREE } from '../../definitions/price.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import {
  GUEST_ACCOUNTS_A_DAY,
  GUEST_ACCOUNTS_A_DAY_OF_ALL,
  GUEST_CREDITS_A_DAY,
  GUEST_CREDITS_IN_ALL,
} from '../../wallets/guests/limits.ts';

const A_DAY_S = 86_400;
const NO_BONUS =
  'No welcome bonus: the bonuses for this network today are used up, or this server grants none. Use request_payment to let a person buy credits.';

export const openAccount = defineTool({
  name: 'open_account',
  title: 'Open a guest account',
  category: 'account',
  summary: `Open an account for an agent without a wallet: a locked wallet with ${WELCOME_CREDITS} free credits, a key to send as payer, and a link by which a person takes it over.`,
  instead: { register_wallet: 'with a wallet address' },
  words:
    'no wallet, i have no wallet, without a wallet, no ethereum address, without an ethereum address, without crypto, guest, anonymous, free credits without a wallet, sign up without a wallet, start with nothing, new account for an agent, make an account for me, create a wallet for me, trial account, demo account, how can I pay without a wallet, first paid call, temporary account',
  price: FREE,
  input: z.object({
    name: briefly(
      z
        .string()
        .min(1)
        .max(KEY_NAME_CHARACTERS_MAX)
        .default('guest account')
        .describe('Your name, shown to the owner.'),
      '',
    ),
  }),
  output: z.object({
    wallet: z.string(),
    payer: z
      .string()
      .describe('A key of this wallet, shown only now: send it as payer, or as Authorization: Bearer.'),
    balance: z.number().min(0).max(WELCOME_CREDITS),
    bonus_credits: z.number().min(0).max(WELCOME_CREDITS),
    limits: z
      .object({
        credits_a_day: z.int().min(0).max(1_000_000),
        credits_in_all: z.int().min(0).max(1_000_000),
      })
      .describe('Budget of the key; the owner can change it.'),
    claim_url: z
      .string()
      .describe(
        'Only for the owner of this account: shows the private key of the wallet once; then the server deletes it.',
      ),
  }),
  answersSecret: true,
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  limit: {
    name: 'guest-accounts',
    calls: GUEST_ACCOUNTS_A_DAY,
    perSeconds: A_DAY_S,
    by: 'address',
    also: [
      {
        name: 'guest-accounts-of-all',
        calls: GUEST_ACCOUNTS_A_DAY_OF_ALL,
        perSeconds: A_DAY_S,
        by: 'everybody',
      },
    ],
  },
  examples: [{}],
  next: ({ wallet, payer }) => [
    { action: 'See all tools', tool: 'search_tools', why: 'Every tool with its price; most are free' },
    {
      action: 'Check the balance',
      tool: 'check_balance',
      why: 'The wallet is locked: send the key as payer',
      params: { wallet, payer },
    },
  ],

  async run({ name }, { guests, site }: Pick<Services, 'guests' | 'site'>, { address, warn }) {
    const { wallet, token, bonus, claimToken } = await guests.open(address, name);
    const credits = bonus / MILLICREDITS_PER_CREDIT;
    if (bonus === 0) warn(NO_BONUS);
    return {
      wallet,
      payer: token,
      balance: credits,
      bonus_credits: credits,
      limits: { credits_a_day: GUEST_CREDITS_A_DAY, credits_in_all: GUEST_CREDITS_IN_ALL },
      claim_url: `${site.publicUrl}/claim/${claimToken}`,
    };
  },
});
