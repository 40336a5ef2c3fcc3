import type { TransferOutcome } from '../../src/core/chain/chain.ts';
import { createIdempotencyStore } from '../../src/core/idempotency/answers.ts';
import { x402Settings } from '../../src/features/billing/x402/settings.ts';
import type { Facilitator } from '../../src/features/billing/x402/types.ts';
import { createX402 } from '../../src/features/billing/x402/x402.ts';
import { createWallets } from '../../src/features/wallets/wallets.ts';
import type { Open } from './for_each_database.ts';
import { NETWORK, newPayer, PAY_TO } from './x402_payer.ts';

type Settled = Awaited<ReturnType<Facilitator['settle']>>;
export const PURCHASE = {
  credits: 2,
  tool: 'try',
  resource: 'http://a/api/tools/try',
  description: 'A try.',
};
export const UNKNOWN = { outcome: 'unknown', reason: 'no response within 30 s' } as const satisfies Settled;
export const USED_UP = {
  outcome: 'refused',
  reason: 'invalid_exact_evm_nonce_already_used',
} as const satisfies Settled;
export const EXPIRED = {
  outcome: 'refused',
  reason: 'invalid_exact_evm_payload_authorization_valid_before',
} as const satisfies Settled;

/** Payments by x402 on a separate database, with a configurable facilitator and the test's clock. */
export async function openX402(open: Open) {
  const database = await open();
  const clock = { now: new Date() };
  const now = () => clock.now;
  const wallets = createWallets(database, now);
  const texts = { put: async () => 'a'.repeat(64), get: async () => 'kept' };
  const answers = createIdempotencyStore(database, texts, now);
  const says: Settled[] = [];
  const asked: object[] = [];
  const facilitator: Facilitator = {
    verify: async () => ({ outcome: 'valid' }),
    settle: async (request) => {
      asked.push(request);
      return says.shift() ?? { outcome: 'settled', transaction: '0xdone' };
    },
  };
  const settings = x402Settings({ payTo: PAY_TO, facilitatorUrl: 'http://f/', networks: [NETWORK] })!;
  const warnings: object[] = [];
  const logger = { warn: (details: object) => void warnings.push(details) };
  const fates: TransferOutcome[] = [];
  const authorizations = {
    transferOutcome: async () => fates.shift() ?? { fate: 'unseen' as const },
    escrowOf: async () => undefined,
  };
  const x402 = createX402({ settings, facilitator, authorizations, database, wallets, logger, clock: now });
  const payer = newPayer();
  const two = { value: '200000' };
  return {
    database,
    wallets,
    answers,
    x402,
    payer,
    asked,
    warnings,
    says: (...outcomes: Settled[]) => void says.push(...outcomes),
    /** Successive reports of the chain about used authorizations; afterwards it has seen none. */
    chainSays: (...seen: TransferOutcome[]) => void fates.push(...seen),
    pass: (ms: number) => {
      clock.now = new Date(clock.now.getTime() + ms);
    },
    now,
    payment: async () => x402.read(await payer.pay(two, { amount: two.value })),
    receipts: () => database.query('select id, wallet, receipt from receipts'),
    income: async () =>
      (
        await database.query<{ sum: number }>(
          `select coalesce(sum(amount), 0)::int8 as sum from transfers
           where debit = 'cash:x402' and credit = 'income:tool:try' and phase in ('posted', 'post')`,
        )
      )[0]!.sum,
  };
}

export const MINUTES = 60_000;
