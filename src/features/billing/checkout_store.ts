import type { Queryable } from '../../core/database/types.ts';
import type { Processor } from './processor.ts';

/** Amounts are in millicredits, wallets in lower case. */

export interface CheckoutRow {
  readonly id: string;
  readonly processor: string;
  readonly livemode: boolean;
  readonly wallet: string;
  readonly pack: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly amount: number;
  readonly url: string;
  readonly state: 'open' | 'fulfilled' | 'expired' | 'refused';
  readonly payment: string | null;
  readonly expiresAt: Date;
}

const COLUMNS = `id, processor, livemode, wallet, pack, amount_cents as "amountCents", currency, amount, url, state,
  payment, expires_at as "expiresAt"`;

/** Idempotent: the processor may return the same checkout twice. */
export async function insertCheckout(
  database: Queryable,
  checkout: Omit<CheckoutRow, 'state' | 'payment'> & { cash: string; at: Date },
): Promise<void> {
  const { id, processor, livemode, cash, wallet, pack, amountCents, currency, amount, url } = checkout;
  await database.query(
    `insert into card_checkouts
       (id, processor, livemode, cash, wallet, pack, amount_cents, currency, amount, url, created_at, expires_at, check_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12) on conflict do nothing`,
    [
      id,
      processor,
      livemode,
      cash,
      wallet,
      pack,
      amountCents,
      currency,
      amount,
      url,
      checkout.at,
      checkout.expiresAt,
    ],
  );
}

export async function selectCheckout(database: Queryable, id: string): Promise<CheckoutRow | undefined> {
  const [row] = await database.query<CheckoutRow>(`select ${COLUMNS} from card_checkouts where id = $1`, [
    id,
  ]);
  return row;
}

export async function selectCheckoutOfPayment(
  database: Queryable,
  payment: string,
): Promise<CheckoutRow | undefined> {
  const [row] = await database.query<CheckoutRow>(
    `select ${COLUMNS} from card_checkouts where payment = $1`,
    [payment],
  );
  return row;
}

export function selectDueCheckouts(
  database: Queryable,
  { name, livemode }: Pick<Processor, 'name' | 'livemode'>,
  now: Date,
  limit: number,
): Promise<CheckoutRow[]> {
  return database.query<CheckoutRow>(
    `select ${COLUMNS} from card_checkouts
     where state = 'open' and check_at <= $1 and processor = $2 and livemode = $3 order by check_at limit $4`,
    [now, name, livemode, limit],
  );
}

export async function postponeCheckout(database: Queryable, id: string, checkAt: Date): Promise<void> {
  await database.query('update card_checkouts set check_at = $2 where id = $1', [id, checkAt]);
}

/** Changes the state of an open checkout; a granted one stays unchanged. */
export async function endCheckout(
  database: Queryable,
  id: string,
  state: 'expired' | 'refused',
): Promise<void> {
  await database.query(`update card_checkouts set state = $2 where id = $1 and state = 'open'`, [id, state]);
}

export async function fulfilCheckout(
  database: Queryable,
  { id, payment, at, welcome }: { id: string; payment: string | undefined; at: Date; welcome: number },
): Promise<'granted' | 'already' | 'refused'> {
  const [row] = await database.query<{ outcome: 'granted' | 'already' | 'refused' }>(
    'select fulfil_checkout($1, $2, $3, $4) as outcome',
    [id, payment ?? null, at, welcome],
  );
  return row!.outcome;
}

export async function reverseCheckout(
  database: Queryable,
  { id, target, at }: { id: string; target: number; at: Date },
): Promise<number> {
  const [row] = await database.query<{ change: number }>('select reverse_checkout($1, $2, $3) as change', [
    id,
    target,
    at,
  ]);
  return row!.change;
}

export async function collectOwed(database: Queryable, wallet: string, at: Date): Promise<number> {
  const [row] = await database.query<{ collected: number }>('select collect_owed($1, $2) as collected', [
    wallet,
    at,
  ]);
  return row!.collected;
}

/** Wallets with a debt and a balance. */
export async function selectOwing(database: Queryable, limit: number): Promise<string[]> {
  const rows = await database.query<{ wallet: string }>(
    `select distinct c.wallet from card_checkouts c join accounts a on a.id = 'wallet:' || c.wallet
     where c.owed > 0 and a.credit - a.debit - a.held > 0 limit $1`,
    [limit],
  );
  return rows.map(({ wallet }) => wallet);
}

export async function hasEvent(database: Queryable, id: string): Promise<boolean> {
  return (await database.query('select from card_events where id = $1', [id])).length > 0;
}

/** Records an event. False where another request has processed it. */
export async function insertEvent(
  database: Queryable,
  { id, type, at }: { id: string; type: string; at: Date },
): Promise<boolean> {
  const rows = await database.query(
    'insert into card_events (id, type, at) values ($1, $2, $3) on conflict do nothing returning 1',
    [id, type, at],
  );
  return rows.length > 0;
}

export async function forgetExpired(database: Queryable, before: Date): Promise<number> {
  const rows = await database.query(
    `delete from card_checkouts where state = 'expired' and expires_at <= $1 returning 1`,
    [before],
  );
  return rows.length;
}

export async function forgetEvents(database: Queryable, before: Date): Promise<number> {
  return (await database.query('delete from card_events where at <= $1 returning 1', [before])).length;
}
