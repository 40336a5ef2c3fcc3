import type { Queryable } from '../../database/contract.ts';
import type { SignedReceipt } from '../receipts/contract.ts';
import type { HoldConsent, HoldOutcome, KeptAnswer, LedgerEntry, WalletState } from './contract.ts';

/** Each function is one statement: one round trip. Amounts in millicredits, wallets in lower case. */

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

/** Millicredits that were granted. */
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

export async function find(database: Queryable, wallet: string): Promise<WalletState | undefined> {
  const [row] = await database.query<WalletState>(
    `select $1::text as wallet, a.created_at as "registeredAt",
       a.credit - a.debit as balance, a.held, a.credit - a.debit - a.held as available,
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

/** Holds change no balance, so they are not entries; what became of them is. */
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

export async function hold(
  database: Queryable,
  call: {
    id: string;
    wallet: string;
    amount: number;
    tool: string;
    at: Date;
    expiresAt: Date;
    consent: HoldConsent | undefined;
  },
): Promise<HoldOutcome> {
  const { id, wallet, amount, tool, at, expiresAt, consent } = call;
  const { approval, paramsSha256, isSigned = false } = consent ?? {};
  const [row] = await database.query<{ outcome: HoldOutcome }>(
    'select hold_credits($1, $2, $3, $4, $5, $6, $7, $8, $9) as outcome',
    [id, wallet, amount, tool, at, expiresAt, approval, paramsSha256, isSigned],
  );
  return row!.outcome;
}

export async function settle(
  database: Queryable,
  call: {
    id: string;
    creditBackPercent: number;
    at: Date;
    /** Absent: all that is held. */
    taken: number | undefined;
    answer: KeptAnswer | undefined;
    answerExpiresAt: Date;
    receipt: (SignedReceipt & { wallet: string }) | undefined;
  },
): Promise<{ outcome: string; balance: number; creditBack: number }> {
  const { id, creditBackPercent, at, taken, answer, answerExpiresAt, receipt } = call;
  const [row] = await database.query<{ outcome: string; balance: number; creditBack: number }>(
    `with settled as (
       select outcome, balance, credit_back from settle_hold($1, $2, $3, $4, $5, $6, $7, $8, $12)
     ), receipt as (
       insert into receipts (id, wallet, receipt, at)
       select $9, $10, $11, $3 from settled where outcome = 'settled' and $9::text is not null
     )
     select outcome, balance, credit_back as "creditBack" from settled`,
    [
      id,
      creditBackPercent,
      at,
      answer?.principal,
      answer?.route,
      answer?.key,
      answer?.answerSha256,
      answerExpiresAt,
      receipt?.id,
      receipt?.wallet,
      receipt?.jws,
      taken ?? null,
    ],
  );
  return row!;
}

export async function release(database: Queryable, { id, at }: { id: string; at: Date }): Promise<void> {
  await database.query(`select end_hold('hold:' || $1, 'void', $2)`, [id, at]);
}

export async function expireHolds(database: Queryable, at: Date, running: boolean): Promise<number> {
  const [row] = await database.query<{ count: number }>('select expire_holds($1, $2) as count', [
    at,
    running,
  ]);
  return row!.count;
}
