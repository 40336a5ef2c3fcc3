import type { Queryable } from '../../core/database/types.ts';
import type { StoredResponse } from '../../core/idempotency/types.ts';
import { insertEvents } from '../../core/outbox/outbox.ts';
import type { Processor } from './processor.ts';
import type { IssuedReceipt } from './receipts/types.ts';
import type { ToolIntent } from './types.ts';

/** Amounts are in millicredits, wallets in lower case. */

const COLUMNS = `id, tool, amount_cents as "amountCents", currency, amount, surplus, wallet, state, livemode, processor, claims,
  expires_at as "expiresAt"`;

export async function insertIntent(
  database: Queryable,
  intent: Omit<ToolIntent, 'state' | 'claims'> & { cash: string; at: Date },
): Promise<ToolIntent> {
  const [row] = await database.query<ToolIntent>(
    `insert into payment_intents
       (id, processor, livemode, cash, tool, amount_cents, currency, amount, surplus, wallet, changed_at, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12)
     on conflict (id) do nothing returning ${COLUMNS}`,
    [
      intent.id,
      intent.processor,
      intent.livemode,
      intent.cash,
      intent.tool,
      intent.amountCents,
      intent.currency,
      intent.amount,
      intent.surplus,
      intent.wallet,
      intent.at,
      intent.expiresAt,
    ],
  );
  return row ?? (await selectIntent(database, intent.id))!;
}

export async function selectIntent(database: Queryable, id: string): Promise<ToolIntent | undefined> {
  const [row] = await database.query<ToolIntent>(`select ${COLUMNS} from payment_intents where id = $1`, [
    id,
  ]);
  return row;
}

/** Moves an intent to its next state. False where a concurrent call has moved it. */
export async function moveIntent(
  database: Queryable,
  move: { id: string; from: ToolIntent['state']; to: ToolIntent['state']; claim: string | null; at: Date },
): Promise<boolean> {
  const { id, from, to, claim, at } = move;
  const rows = await database.query(
    `update payment_intents set state = $3, changed_at = $5, claims = claims + ($3 = 'claimed')::int,
       claim = case when $3 in ('claimed', 'capturing') then $4::text end
     where id = $1 and state = $2 and ($2 in ('open', 'unknown') or claim is not distinct from $4::text) returning 1`,
    [id, from, to, claim, at],
  );
  return rows.length > 0;
}

/** Claims of dead calls. $2: time. */
const RELEASE = `update payment_intents set claim = null, changed_at = $2,
    state = case state when 'claimed' then 'open' else 'unknown' end
  where state in ('claimed', 'capturing')`;

/** Releases the claims of dead calls. `before`: unchanged for longer than any call takes. */
export async function releaseDead(database: Queryable, before: Date, at: Date): Promise<number> {
  const rows = await database.query(`${RELEASE} and changed_at <= $1 returning 1`, [before, at]);
  return rows.length;
}

/** Ids of calls with this prefix that have claimed an intent. */
export async function openCalls(database: Queryable, prefix: string): Promise<string[]> {
  const rows = await database.query<{ claim: string }>(
    `select claim from payment_intents where state in ('claimed', 'capturing') and starts_with(claim, $1)`,
    [prefix],
  );
  return rows.map(({ claim }) => claim);
}

/** The same for calls with this id or prefix. */
export async function releaseCalls(
  database: Queryable,
  { calls, at }: { calls: string; at: Date },
): Promise<number> {
  const rows = await database.query(`${RELEASE} and starts_with(claim, $1) returning 1`, [calls, at]);
  return rows.length;
}

/** Captures with an unknown outcome, and expired unused intents; the least recently checked first. */
export function selectUnsettled(
  database: Queryable,
  { name, livemode }: Pick<Processor, 'name' | 'livemode'>,
  now: Date,
  limit: number,
): Promise<ToolIntent[]> {
  return database.query<ToolIntent>(
    `select ${COLUMNS} from payment_intents
     where (state = 'unknown' or (state = 'open' and expires_at <= $1)) and processor = $2 and livemode = $3
     order by changed_at limit $4`,
    [now, name, livemode, limit],
  );
}

/** Moves an intent to the end of the queue of checks. */
export async function postponeIntent(database: Queryable, id: string, at: Date): Promise<void> {
  await database.query('update payment_intents set changed_at = $2 where id = $1', [id, at]);
}

/** Deletes intents canceled long ago without a payment. */
export async function forgetCanceled(database: Queryable, before: Date): Promise<number> {
  const rows = await database.query(
    `delete from payment_intents where state = 'canceled' and changed_at <= $1 returning 1`,
    [before],
  );
  return rows.length;
}

/** Holds prepaid money: `held`, `used`, or the state that prevents it. */
export async function holdPrepaid(
  database: Queryable,
  hold: { call: string; intentId: string; amount: number; at: Date; expiresAt: Date },
): Promise<string> {
  const { call, intentId, amount, at, expiresAt } = hold;
  const [row] = await database.query<{ outcome: string }>(
    'select hold_prepaid($1, $2, $3, $4, $5) as outcome',
    [call, intentId, amount, at, expiresAt],
  );
  return row!.outcome;
}

/** Prepaid amount left for future calls. */
export async function prepaidLeft(database: Queryable, intentId: string): Promise<number> {
  const [row] = await database.query<{ left: number }>(
    `select credit - debit - held as left from accounts where id = 'prepaid:' || $1`,
    [intentId],
  );
  return row?.left ?? 0;
}

/** The other call that used or holds the amount of an intent; undefined where there is none. */
export async function otherCall(
  database: Queryable,
  intentId: string,
  call: string,
): Promise<'paid' | 'runs' | undefined> {
  const [row] = await database.query<{ other: 'paid' | 'runs' }>(
    `select case when phase = 'pending' then 'runs' else 'paid' end as other from transfers t
     where debit = 'prepaid:' || $1 and code = 'tool_call' and id <> 'hold:' || $2
       and (phase in ('posted', 'post')
         or phase = 'pending' and not exists (select from transfers where hold_id = t.id))
     order by phase = 'pending' limit 1`,
    [intentId, call],
  );
  return row?.other;
}

export async function releasePrepaid(database: Queryable, call: string, at: Date): Promise<void> {
  await database.query(`select end_hold('hold:' || $1, 'void', $2)`, [call, at]);
}

/** The surplus is known at the capture: the capturing call may cost less than the full price. */
export async function setSurplus(
  database: Queryable,
  { id, surplus }: { id: string; surplus: number },
): Promise<void> {
  await database.query('update payment_intents set surplus = $2 where id = $1', [id, surplus]);
}

export async function settleIntentCall(
  database: Queryable,
  settled: {
    call: string;
    intentId: string;
    claim: string | undefined;
    amount: number;
    payee: string | undefined;
    at: Date;
    welcome: number;
    creditBackPercent: number;
    answer: StoredResponse | undefined;
    answerExpiresAt: Date;
    receipt: (IssuedReceipt & { wallet: string }) | undefined;
  },
): Promise<void> {
  const { answer, receipt } = settled;
  const text = `with receipt as (
      insert into receipts (id, wallet, receipt, at) select $14, $15, $16, $6 where $14::text is not null
    ), events as (${insertEvents(`select $15, 'tool.completed', $17::jsonb, $6::timestamptz where $14::text is not null`)})
    select settle_intent_call($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;
  await database.query(text, [
    settled.call,
    settled.intentId,
    settled.claim ?? null,
    settled.amount,
    settled.payee ?? null,
    settled.at,
    settled.welcome,
    settled.creditBackPercent,
    answer?.principal,
    answer?.route,
    answer?.key,
    answer?.answerSha256,
    settled.answerExpiresAt,
    receipt?.id,
    receipt?.wallet,
    receipt?.jws,
    receipt && JSON.stringify(receipt.completed),
  ]);
}

export async function fundIntent(
  database: Queryable,
  { id, at, welcome }: { id: string; at: Date; welcome: number },
): Promise<void> {
  await database.query('select fund_intent_alone($1, $2, $3)', [id, at, welcome]);
}

export async function reverseIntent(
  database: Queryable,
  { id, reversed, at }: { id: string; reversed: boolean; at: Date },
): Promise<boolean> {
  const [row] = await database.query<{ changed: boolean }>('select reverse_intent($1, $2, $3) as changed', [
    id,
    reversed,
    at,
  ]);
  return row!.changed;
}
