import {
  CREDIT_BACK_PERCENT,
  IDEMPOTENCY_LIFETIME_MS,
  MILLICREDITS_PER_CREDIT,
  WELCOME_CREDITS,
} from '../../config/limits.ts';
import { createBatchLoader, retryWhileUnavailable } from '../../core/database/batch_loader.ts';
import type { Database, Queryable } from '../../core/database/types.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { StoredResponse } from '../../core/idempotency/types.ts';
import type { Telemetry } from '../../core/telemetry/types.ts';
import type { IssuedReceipt } from '../billing/receipts/types.ts';
import { audit } from './audit.ts';
import { CALLS_TOGETHER_MAX, STATEMENTS_AT_ONCE } from './limits.ts';
import * as store from './store.ts';
import type { Hold, StatementEntry, StatementPage, Wallets } from './types.ts';

/** Time for which a charge is retried after a lost connection. */
const CHARGE_AGAIN_MS = 8_000;

/** The cleanup expires holds every minute: an older open hold shows that it does not run. */
const HOLD_OVERDUE_MS = 5 * 60_000;

const WELCOME = WELCOME_CREDITS * MILLICREDITS_PER_CREDIT;

/**
 * Wallets in the ledger (`ledger.sql`). Addresses may be in any case.
 * @param clock time source for transfers and for the expiry of holds
 */
export function createWallets(
  database: Database,
  clock: () => Date = () => new Date(),
  { bonusNeedsProof = false } = {},
): Wallets {
  const welcome = (wallet: string) => store.welcome(database, { wallet, bonus: WELCOME, at: clock() });
  const isRegistered = createRegistered(database);
  const together = {
    // House accounts are split by the end of the wallet address (`share_of_house`): one call per part and statement.
    keyOf: ({ wallet }: { readonly wallet: string }) => wallet.slice(-2),
    atOnce: database.kind === 'embedded' ? 1 : STATEMENTS_AT_ONCE,
    requestsMax: CALLS_TOGETHER_MAX,
  };
  const askHold = createBatchLoader({
    ...together,
    ask: (calls: readonly store.HoldCall[]) => store.hold(database, calls),
  });
  const askSettle = createBatchLoader({
    ...together,
    ask: (calls: readonly store.SettleCall[]) => store.settle(database, calls),
  });
  return {
    async register(address, { isProved, hasBonus = true } = { isProved: false }) {
      const wallet = address.toLowerCase();
      const at = clock();
      const waits = bonusNeedsProof && !isProved;
      const first = waits || !hasBonus ? 0 : WELCOME;
      const registered = await store.register(database, { wallet, bonus: first, at });
      if (!registered.alreadyRegistered) return { ...registered, bonus: first, bonusNeedsProof: waits };
      const bonus = bonusNeedsProof && isProved ? await welcome(wallet) : 0;
      return { ...registered, balance: registered.balance + bonus, bonus, bonusNeedsProof: false };
    },
    hasWelcome: (wallet) => store.hasWelcome(database, wallet.toLowerCase()),
    welcome: (wallet) => welcome(wallet.toLowerCase()),
    find: (wallet) => store.find(database, wallet.toLowerCase()),
    isRegistered: (wallet) => isRegistered(wallet.toLowerCase()),
    history: (wallet, limit) => store.history(database, wallet.toLowerCase(), limit),
    statement: (wallet, page) => statement(database, wallet.toLowerCase(), page),
    async hold({ id, wallet, amount, tool, expiresAt, consent }) {
      const hold: Hold = { id, wallet: wallet.toLowerCase(), amount, tool };
      const outcome = await askHold({ ...hold, at: clock(), expiresAt, consent });
      if (outcome === 'held') return hold;
      if (outcome === 'differs') throw new Error(`The id ${id} was already used for another hold.`);
      throw new AtelierError(outcome);
    },
    settle: (hold, answer, receipt) => settle(askSettle, { hold, answer, receipt, at: clock() }),
    isHeld: ({ id }, tx) => store.isHeld(tx, id),
    release: (hold, tx = database) => store.release(tx, { id: hold.id, at: clock() }),
    expireHolds: (now, all = false) => store.expireHolds(database, now, all),
    openCalls: (prefix) => store.openCalls(database, prefix),
    releaseCalls: (calls) => store.releaseCalls(database, { calls, at: clock() }),
    openHolds: () => store.openHolds(database, new Date(clock().getTime() - HOLD_OVERDUE_MS)),
    audit: () => audit(database, clock()),
  };
}

interface Settling {
  readonly hold: Hold;
  readonly answer: StoredResponse | undefined;
  readonly receipt: IssuedReceipt | undefined;
  readonly at: Date;
}

async function settle(
  ask: (call: store.SettleCall) => Promise<store.Settled>,
  { hold, answer, receipt, at }: Settling,
): Promise<{ balance: number; creditBack: number }> {
  const charge = {
    id: hold.id,
    wallet: hold.wallet,
    creditBackPercent: CREDIT_BACK_PERCENT,
    at,
    taken: hold.taken,
    answer,
    receipt,
    answerExpiresAt: new Date(at.getTime() + IDEMPOTENCY_LIFETIME_MS),
  };
  // After a lost connection the outcome of the charge is unknown; the retry is idempotent.
  const { outcome, balance, creditBack } = await retryWhileUnavailable(() => ask(charge), CHARGE_AGAIN_MS);
  if (outcome === 'settled' || outcome === 'already_settled') return { balance, creditBack };
  if (outcome === 'expired')
    throw new AtelierError(
      'timed_out',
      'You were not charged. Send the call again: the hold on its price has expired.',
    );
  if (outcome === 'released' || outcome === 'unknown') throw holdGone();
  throw new Error(`The hold ${hold.id} cannot be settled: it is ${outcome}.`);
}

/** Another server released the hold while this process was suspended, or the database crashed before the hold was durable. */
export const holdGone = (): AtelierError =>
  new AtelierError(
    'busy',
    'The server was interrupted during the call, and the hold on its price was released. You were not charged. Send the call again.',
    { retryAfterSeconds: 1 },
  );

const REGISTERED_WALLETS_REMEMBERED_MAX = 100_000;

/** Whether a wallet is registered. Registrations are permanent, so positive results are cached, with the oldest evicted first. */
function createRegistered(database: Queryable): (wallet: string) => Promise<boolean> {
  const known = new Set<string>();
  return async (wallet) => {
    if (known.has(wallet)) return true;
    if (!(await store.isRegistered(database, wallet))) return false;
    known.add(wallet);
    if (known.size > REGISTERED_WALLETS_REMEMBERED_MAX) known.delete(known.values().next().value!);
    return true;
  };
}

/**
 * Movements of a wallet, newest first, each with the balance after it, recomputed from the journal. One statement, so that it sees
 * one snapshot. Holds do not change the balance; their outcomes are entries.
 */
async function statement(
  database: Queryable,
  wallet: string,
  { from, until, before, limit }: StatementPage,
): Promise<StatementEntry[]> {
  const rows = await database.query<StatementEntry & { tool: string | null; receiptId: string | null }>(
    `select id, code as type, signed as amount, tool, at, position, balance as "balanceAfter",
       (select r.id from receipts r
         where r.id = 'rcpt_' || substring(entries.id from '^(?:post|creditback):(?:call_|job_)?(.*)$')) as "receiptId"
     from (
       select t.*, (sum(signed) over (order by position))::int8 as balance from (
         select id, code, tool, at, position, -amount as signed from transfers
         where debit = 'wallet:' || $1 and phase in ('posted', 'post')
         union all
         select id, code, tool, at, position, amount from transfers
         where credit = 'wallet:' || $1 and phase in ('posted', 'post')
       ) t
     ) entries
     where ($2::timestamptz is null or at >= $2) and ($3::timestamptz is null or at < $3)
       and ($4::int8 is null or position < $4)
     order by position desc limit $5`,
    [wallet, from ?? null, until ?? null, before ?? null, limit],
  );
  return rows.map(({ tool, receiptId, ...entry }) => ({
    ...entry,
    ...(tool !== null && { tool }),
    ...(receiptId !== null && { receiptId }),
  }));
}

/** Counts the credits that calls charge and return. */
export function observeWallets(wallets: Wallets, { count }: Pick<Telemetry, 'count'>): Wallets {
  const countBack = (millicredits: number) =>
    count('atelier_credits_given_back_total', {}, millicredits / MILLICREDITS_PER_CREDIT);
  return {
    ...wallets,
    async settle(hold, answer, receipt) {
      const settled = await wallets.settle(hold, answer, receipt);
      const { tool, amount, taken = amount } = hold;
      count('atelier_credits_charged_total', { tool }, taken / MILLICREDITS_PER_CREDIT);
      count('atelier_credit_back_total', {}, settled.creditBack / MILLICREDITS_PER_CREDIT);
      countBack(amount - taken);
      return settled;
    },
    async release(hold, tx) {
      const released = await wallets.release(hold, tx);
      countBack(released);
      return released;
    },
  };
}
