import { z } from 'zod';
import { CREDIT_BACK_PERCENT } from '../../../config/limits.ts';
import { ADDRESS_ALONE, addressAloneField, maySeeAccount } from '../../account/tools/account_fields.ts';
import { walletField } from '../../definitions/fields.ts';
import { FREE, usd } from '../../definitions/price.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import type { LedgerEntry, WalletState } from '../../wallets/types.ts';

const RECENT_ENTRIES = 10;
const amount = z.number().min(-1e12).max(1e12);
const bytes = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const checkBalance = defineTool({
  name: 'check_balance',
  title: 'Check a balance',
  category: 'account',
  summary: 'Get the credits of a wallet, holds of running calls, totals, recent entries and storage used.',
  words:
    'how many credits do I have, out of credits, enough, money left, account, funds, spending, transactions, history, usage, what have I paid, bill, what did the last call cost me, can I afford it, what is my balance, remaining credits, can i afford an upscale, enough for this call, afford, how much did I spend this week, list my recent charges, account statement, payments so far, expenses, invoices of the month, am I charged, refund, how many credits are held, credits left, credits left, show my spending, budget, costs so far, statement, ledger, how rich am I, top-up arrived, see my credits, consumption, last charges, wallet status, account overview',
  price: FREE,
  input: z.object({ wallet: walletField }),
  output: z.object({
    wallet: z.string(),
    registered: z.boolean(),
    locked: z
      .boolean()
      .describe(
        'true: the owner has locked the wallet. Without proof of ownership only this is returned, and `unlock` explains how to prove it.',
      ),
    address_alone: addressAloneField,
    ...z
      .object({
        balance: amount.describe('Credits owned.'),
        available: amount.describe('Credits that can be spent now: balance less held.'),
        held: amount.describe('Credits held for running calls.'),
        value_usd: amount,
        unit: z.literal('credit'),
        credits_expire: z.literal(false),
        credit_back_pct: z.literal(CREDIT_BACK_PERCENT),
        totals: z.object({
          granted: amount,
          purchased: amount,
          spent: amount,
          credit_back: amount,
          refunded: amount,
        }),
        storage: z.object({ used_bytes: bytes, limit_bytes: bytes }),
        recent: z.array(
          z.object({
            id: z.string(),
            type: z.string(),
            amount,
            balance_after: amount,
            tool: z.string().optional(),
            at: z.string(),
          }),
        ),
      })
      .partial().shape,
    unlock: z
      .object({ challenge: z.string(), session: z.string(), header: z.string() })
      .optional()
      .describe('How the owner proves ownership.'),
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{ wallet: '0x52908400098527886e0f7030069857d2e4169ee7' }],
  next: ({ registered, wallet }) =>
    registered
      ? []
      : [
          {
            action: 'Register it',
            tool: 'register_wallet',
            why: 'Opens the account with 10 free credits',
            params: { wallet },
          },
        ],

  async run({ wallet }, services: Pick<Services, 'wallets' | 'assets' | 'ownership'>, call) {
    const { wallets, assets, ownership } = services;
    // Without proof, authentication has already found the wallet unlocked.
    const isOpen = call.wallet === wallet && call.proof === undefined;
    const isLocked = !isOpen && (await ownership.lockedAt(wallet)) !== undefined;
    if (isLocked && !maySeeAccount(wallet, call)) {
      return { wallet, registered: await wallets.isRegistered(wallet), locked: true, unlock: HOW_TO_PROVE };
    }
    const [state, recent, storage] = await Promise.all([
      wallets.find(wallet),
      wallets.history(wallet, RECENT_ENTRIES),
      assets.use(wallet),
    ]);
    return {
      wallet,
      registered: state !== undefined,
      ...money(state),
      unit: 'credit' as const,
      credits_expire: false as const,
      credit_back_pct: CREDIT_BACK_PERCENT,
      locked: isLocked,
      ...(!isLocked && { address_alone: ADDRESS_ALONE }),
      storage: { used_bytes: storage.usedBytes, limit_bytes: storage.limitBytes },
      recent: recent.map(entry),
    };
  },
});

const HOW_TO_PROVE = {
  challenge: 'POST /api/wallet/challenge {"wallet": "0x…"} returns a message',
  session: 'POST /api/wallet/session {"message", "signature"} returns a token',
  header: 'Authorization: Bearer atl_sess_…',
};

/** Converts thousandths to credits at the API boundary. */
function money(state: WalletState | undefined) {
  const { balance = 0, available = 0, held = 0, totals } = state ?? {};
  const { granted = 0, purchased = 0, spent = 0, creditBack = 0, refunded = 0 } = totals ?? {};
  return {
    balance: balance / 1000,
    available: available / 1000,
    held: held / 1000,
    value_usd: usd(balance / 1000),
    totals: {
      granted: granted / 1000,
      purchased: purchased / 1000,
      spent: spent / 1000,
      credit_back: creditBack / 1000,
      refunded: refunded / 1000,
    },
  };
}

const entry = ({ id, type, amount, balanceAfter, tool, at }: LedgerEntry) => ({
  id,
  type,
  amount: amount / 1000,
  balance_after: balanceAfter / 1000,
  ...(tool && { tool }),
  at: at.toISOString(),
});
