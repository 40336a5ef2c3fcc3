import { ASYNC_COMMIT } from '../../core/database/async_commit.ts';
import type { Queryable } from '../../core/database/types.ts';
import type { StoredResponse } from '../../core/idempotency/types.ts';
import { insertEvents } from '../../core/outbox/outbox.ts';
import type { IssuedReceipt } from '../billing/receipts/types.ts';
import { LOW_BALANCE } from './limits.ts';
import type { HoldConsent, HoldOutcome, LedgerEntry, OpenHolds, WalletState } from './types.ts';

/** Registers a wallet. In this file, amounts are in millicredits and wallets in lower case. */

export async function register(
  database: Queryable,
  { wallet, bonus, at }: { wallet: string; bonus: number; at: Date },
): Promise<{ alreadyRegistered: boolean; registeredAt: Date; balance: number }> {
  const [row] = await database.query<{ alreadyRegistered: boolean; registeredAt: Date; balance: number }>(
    `select already_registered as "alreadyRegistered", registered_at as "registeredAt", balance
     from register_wallet($1, $2, $3)`,
    [wallet, bonus, at],
  );
  return row!;
}

/** Grants the welcome bonus; returns the millicredits granted. */
export async function welcome(
  database: Queryable,
  { wallet, bonus, at }: { wallet: string; bonus: number; at: Date },
): Promise<number> {
  const [row] = await database.query<{ granted: number }>('select welcome_wallet($1, $2, $3) as granted', [
    wallet,
    bonus,
    at,
  ]);
  return row!.granted;
}

export async function hasWelcome(database: Queryable, wallet: string): Promise<boolean> {
  const rows = await database.query(`select from transfers where id = 'welcome:' || $1`, [wallet]);
  return rows.length > 0;
}

export async function find(database: Queryable, wallet: string): Promise<WalletState | undefined> {
  const [row] = await database.query<WalletState>(
    `select $1::text as wallet, a.created_at as "registeredAt",
       a.credit - a.debit as balance, a.held, a.credit - a.debit - a.held as available,
       exists (select from blocked_wallets b where b.wallet = $1) as "isBlocked",
       jsonb_build_object('granted', i.granted, 'purchased', i.purchased - r.reversed, 'spent', a.debit - r.reversed,
         'creditBack', a.credit - i.total, 'refunded', i.refunded) as totals
     from accounts a cross join lateral (
       select coalesce(sum(amount), 0) as total,
         coalesce(sum(amount) filter (where code in ('welcome_bonus', 'adjustment')), 0) as granted,
         coalesce(sum(amount) filter (where code in ('purchase', 'surplus', 'reversal')), 0) as purchased,
         coalesce(sum(amount) filter (where code = 'refund'), 0) as refunded
       from transfers where credit = a.id and code <> 'credit_back' and credit like 'wallet:%'
     ) i cross join lateral (
       select coalesce(sum(amount), 0) as reversed from transfers where debit = a.id and code = 'reversal'
     ) r
     where a.id = 'wallet:' || $1`,
    [wallet],
  );
  return row;
}

export async function isRegistered(database: Queryable, wallet: string): Promise<boolean> {
  const rows = await database.query(`select from accounts where id = 'wallet:' || $1`, [wallet]);
  return rows.length > 0;
}

/** Holds do not change the balance, so they are not entries; their outcomes are. */
export async function history(database: Queryable, wallet: string, limit: number): Promise<LedgerEntry[]> {
  const rows = await database.query<LedgerEntry & { tool: string | null }>(
    `select id, code as type, signed as amount, tool, at,
       (balance - coalesce(sum(signed) over (order by position desc rows between unbounded preceding and 1 preceding), 0))::int8
         as "balanceAfter"
     from (
       select t.*, a.credit - a.debit as balance, case when t.debit = a.id then -t.amount else t.amount end as signed
       from accounts a cross join lateral (
         (select * from transfers where debit = a.id and phase in ('posted', 'post') order by position desc limit $2)
         union all
         (select * from transfers where credit = a.id and phase in ('posted', 'post') order by position desc limit $2)
       ) t
       where a.id = 'wallet:' || $1
       order by t.position desc limit $2
     ) entries
     order by position desc`,
    [wallet, limit],
  );
  return rows.map(({ tool, ...entry }) => ({ ...entry, ...(tool !== null && { tool }) }));
}

export interface HoldCall {
  readonly id: string;
  readonly wallet: string;
  readonly amount: number;
  readonly tool: string;
  readonly at: Date;
  readonly expiresAt: Date;
  readonly consent: HoldConsent | undefined;
}

/** Of calls in different parts of the house accounts, in that order. Results in the order of the calls. */
export async function hold(database: Queryable, calls: readonly HoldCall[]): Promise<HoldOutcome[]> {
  const asked = calls.map(({ consent, ...call }) => ({ ...call, ...consent }));
  const rows = await database.query<{ outcome: HoldOutcome }>(
    `select hold_credits(id, wallet, amount, tool, at, "expiresAt", approval, "paramsSha256", coalesce("isSigned", false))
       as outcome
     from ${ASYNC_COMMIT}, ${CALLS} as call (id text, wallet text, amount bigint, tool text, at timestamptz,
       "expiresAt" timestamptz, approval text, "paramsSha256" text, "isSigned" boolean)`,
    [walletsOf(calls), JSON.stringify(asked)],
  );
  return rows.map(({ outcome }) => outcome);
}

export interface SettleCall {
  readonly id: string;
  readonly wallet: string;
  readonly creditBackPercent: number;
  readonly at: Date;
  /** Default: the whole hold. */
  readonly taken: number | undefined;
  readonly answer: StoredResponse | undefined;
  readonly answerExpiresAt: Date;
  readonly receipt: IssuedReceipt | undefined;
}

export interface Settled {
  readonly outcome: string;
  readonly balance: number;
  readonly creditBack: number;
}

/** Of calls in different parts of the house accounts, in that order. Results in the order of the calls. */
export function settle(database: Queryable, calls: readonly SettleCall[]): Promise<Settled[]> {
  const asked = calls.map(({ answer, receipt, ...call }) => ({
    ...call,
    ...answer,
    receiptId: receipt?.id,
    receipt: receipt?.jws,
    completed: receipt?.completed,
  }));
  return database.query<Settled>(
    `with settled as (
       select wallet, at, "receiptId", receipt, completed, outcome, charged, balance, credit_back
       from ${CALLS} as call (id text, wallet text, "creditBackPercent" integer, at timestamptz,
         taken bigint, principal text, route text, key text, "answerSha256" text, "answerExpiresAt" timestamptz,
         "receiptId" text, receipt text, completed jsonb),
         settle_hold(id, "creditBackPercent", at, principal, route, key, "answerSha256", "answerExpiresAt", taken)
     ), receipts_kept as (
       insert into receipts (id, wallet, receipt, at)
       select "receiptId", wallet, receipt, at from settled where outcome = 'settled' and "receiptId" is not null
     ), events as (${insertEvents(SETTLED_EVENTS)})
     select outcome, balance, credit_back as "creditBack" from settled`,
    [walletsOf(calls), JSON.stringify(asked), LOW_BALANCE],
  );
}

/** $3: threshold of a low balance, in millicredits. */
const SETTLED_EVENTS = `
  select wallet, 'tool.completed', completed, at from settled where outcome = 'settled' and "receiptId" is not null
  union all
  select wallet, 'credits.low', jsonb_build_object('balance', credits_of(balance), 'below', credits_of($3)), at
  from settled where outcome = 'settled' and balance < $3 and balance + charged - credit_back >= $3`;

/**
 * A statement for several calls first locks all wallets in the order of their addresses, then house accounts in the order of the
 * calls, which is that of their parts. This order prevents deadlocks.
 */
const CALLS = 'lock_wallets($1) as locked, jsonb_to_recordset(case when locked then $2::jsonb end)';

const walletsOf = (calls: readonly { readonly wallet: string }[]): string[] =>
  calls.map(({ wallet }) => wallet);

/** Whether a hold is open. Locks it until the transaction ends. */
export async function isHeld(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx.query(`select from open_holds where hold_id = 'hold:' || $1 for key share`, [id]);
  return rows.length === 1;
}

/** Returns the released millicredits: 0 where the hold was resolved before. */
export async function release(database: Queryable, { id, at }: { id: string; at: Date }): Promise<number> {
  const [row] = await database.query<{ amount: number }>(
    `select case when end_hold(id, 'void', $2) then amount else 0 end as amount from transfers where id = 'hold:' || $1`,
    [id, at],
  );
  return row?.amount ?? 0;
}

/** Holds of payments do not expire; they end with their claim. */
export async function openCalls(database: Queryable, prefix: string): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    `select substr(hold_id, 6) as id from open_holds
     where starts_with(hold_id, 'hold:' || $1) and expires_at < 'infinity'`,
    [prefix],
  );
  return rows.map(({ id }) => id);
}

/** The holds that `openCalls` finds, in the order of the wallets, as in `expire_holds`. */
export async function releaseCalls(
  database: Queryable,
  { calls, at }: { calls: string; at: Date },
): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*) filter (where end_hold(id, 'void', $2)) as count from (
       select t.id from open_holds o join transfers t on t.id = o.hold_id
       where starts_with(o.hold_id, 'hold:' || $1) and o.expires_at < 'infinity' order by t.debit, t.position
     ) held`,
    [calls, at],
  );
  return row!.count;
}

export async function openHolds(database: Queryable, overdueBefore: Date): Promise<OpenHolds> {
  const [row] = await database.query<OpenHolds>(
    `select count(*) as open, count(*) filter (where o.expires_at < $1) as overdue, coalesce(sum(t.amount), 0)::int8 as held
     from open_holds o join transfers t on t.id = o.hold_id`,
    [overdueBefore],
  );
  return row!;
}

export async function expireHolds(database: Queryable, at: Date, running: boolean): Promise<number> {
  const [row] = await database.query<{ count: number }>('select expire_holds($1, $2) as count', [
    at,
    running,
  ]);
  return row!.count;
}
