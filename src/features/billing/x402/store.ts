import type { Queryable } from '../../../core/database/types.ts';
import type { StoredResponse } from '../../../core/idempotency/types.ts';
import { insertEvents } from '../../../core/outbox/outbox.ts';
import type { SignedReceipt } from '../receipts/types.ts';
import type { FacilitatorRequest, Requirement } from './types.ts';

/** Amounts are in millicredits. */

export interface ClaimRow {
  readonly id: string;
  readonly claim: string;
  readonly busyUntil: Date;
  readonly version: 1 | 2;
  readonly scheme: Requirement['scheme'];
  readonly network: string;
  readonly payer: string;
  readonly endsAt: Date;
  readonly tool: string;
  readonly amount: number;
  readonly creditBack: number;
  readonly request: FacilitatorRequest;
}

export type PaymentState =
  | 'claimed'
  | 'released'
  | 'authorizing'
  | 'held'
  | 'settling'
  | 'settled'
  | 'refused'
  | 'unresolved'
  | 'voiding'
  | 'voided';

/** Claims a payment that is new, released, or claimed by a dead call; else returns its state. Undefined: retry. */
export async function claim(
  database: Queryable,
  row: ClaimRow,
  now: Date,
): Promise<{ isOurs: boolean; state: PaymentState } | undefined> {
  const { id, claim, busyUntil, version, scheme, network, payer, endsAt, tool, amount, creditBack, request } =
    row;
  const [found] = await database.query<{ isOurs: boolean; state: PaymentState }>(
    `with claimed as (
       insert into x402_payments as p
         (id, state, claim, busy_until, version, network, payer, ends_at, tool, amount, credit_back, request,
          changed_at, created_at, scheme)
       values ($1, 'claimed', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13)
       on conflict (id) do update set state = 'claimed', claim = excluded.claim, busy_until = excluded.busy_until,
         version = excluded.version, tool = excluded.tool, amount = excluded.amount,
         credit_back = excluded.credit_back, request = excluded.request, changed_at = excluded.changed_at
         where p.state = 'released' or (p.state = 'claimed' and p.busy_until <= $12)
       returning 1
     )
     select true as "isOurs", 'claimed' as state from claimed
     union all
     select false, state from x402_payments where id = $1 and not exists (select from claimed)`,
    [
      id,
      claim,
      busyUntil,
      version,
      network,
      payer,
      endsAt,
      tool,
      amount,
      creditBack,
      JSON.stringify(request),
      now,
      scheme,
    ],
  );
  return found;
}

/** A call has claimed the payment, and it is not settling. */
const CLAIMED = `state in ('claimed', 'authorizing', 'held')`;

/** $1: time. A hold that exists, or may exist, is released instead. */
const RELEASE = `update x402_payments set claim = null, busy_until = $1, changed_at = $1,
  request = case when state <> 'claimed' then request end, state = case state when 'claimed' then 'released' else 'voiding' end`;

/** Only the claiming call can release a payment, and only before settlement. True where a hold must be released. */
export async function release(
  database: Queryable,
  { id, claim, at }: { id: string; claim: string; at: Date },
): Promise<boolean> {
  const [row] = await database.query<{ goesBack: boolean }>(
    `${RELEASE} where id = $2 and claim = $3 and ${CLAIMED} returning state = 'voiding' as "goesBack"`,
    [at, id, claim],
  );
  return row?.goesBack ?? false;
}

/** Records that a hold is requested or exists. False where the call has lost its claim. */
export async function advanceHold(
  database: Queryable,
  { id, claim, to, at }: { id: string; claim: string; to: 'authorizing' | 'held'; at: Date },
): Promise<boolean> {
  const rows = await database.query(
    `update x402_payments set state = $3, changed_at = $4
     where id = $1 and claim = $2 and busy_until > $4 and state = case $3 when 'held' then 'authorizing' else 'claimed' end
     returning 1`,
    [id, claim, to, at],
  );
  return rows.length > 0;
}

/** Undefined when the call has lost its claim; else the request for the facilitator. */
export async function beginSettling(
  database: Queryable,
  payment: {
    id: string;
    claim: string;
    at: Date;
    busyUntil: Date;
    answer: StoredResponse | undefined;
    receipt: SignedReceipt | undefined;
  },
): Promise<FacilitatorRequest | undefined> {
  const { id, claim, at, busyUntil, answer, receipt } = payment;
  const [row] = await database.query<{ request: FacilitatorRequest }>(
    `update x402_payments p set state = 'settling', busy_until = $4, settling_at = $3, changed_at = $3, attempts = 1,
       principal = $5, route = $6, key = $7, answer_sha256 = $8, receipt_id = $9, receipt = $10,
       body_sha256 = (select a.body_sha256 from answers a where a.principal = $5 and a.route = $6 and a.key = $7)
     where id = $1 and claim = $2 and busy_until > $3 and state = case scheme when 'exact' then 'claimed' else 'held' end
     returning request`,
    [
      id,
      claim,
      at,
      busyUntil,
      answer?.principal,
      answer?.route,
      answer?.key,
      answer?.answerSha256,
      receipt?.id,
      receipt?.jws,
    ],
  );
  return row?.request;
}

/** False when another process has settled it already. */
export async function settlePayment(
  database: Queryable,
  payment: { id: string; transaction: string | null; at: Date; answerExpiresAt: Date },
): Promise<boolean> {
  const { id, transaction, at, answerExpiresAt } = payment;
  const [row] = await database.query<{ booked: boolean }>(
    `with settled as materialized (select settle_x402_payment($1, $2, $3, $4) as booked),
       events as (${insertEvents(SETTLED_EVENT)})
     select booked from settled`,
    [id, transaction, at, answerExpiresAt],
  );
  return row!.booked;
}

/** Jobs cannot be paid by x402. */
const SETTLED_EVENT = `
  select p.payer, 'tool.completed',
    jsonb_build_object('tool', p.tool, 'credits', credits_of(p.amount), 'receipt_id', p.receipt_id, 'job_id', null), $3::timestamptz
  from settled, x402_payments p where booked and p.id = $1 and p.receipt_id is not null`;

/** No money moved. `released`: can be tried again; `refused`: cannot; `voiding`: a hold that was not captured. */
export async function endPayment(
  database: Queryable,
  payment: {
    id: string;
    state: 'released' | 'refused' | 'unresolved' | 'voiding';
    reason: string;
    at: Date;
  },
): Promise<void> {
  const { id, state, reason, at } = payment;
  // An unresolved payment keeps its hold, request, response and receipt, because the operator may still resolve it.
  await database.query(
    `update x402_payments set state = $2, reason = $3, changed_at = $4,
       claim = case when $2 = 'unresolved' then claim end, busy_until = case when $2 = 'voiding' then $4 else busy_until end,
       request = case when $2 in ('unresolved', 'voiding') then request end,
       answer_sha256 = case when $2 = 'unresolved' then answer_sha256 end,
       receipt_id = case when $2 = 'unresolved' then receipt_id end,
       receipt = case when $2 = 'unresolved' then receipt end
     where id = $1 and state in ('settling', 'authorizing')`,
    [id, state, reason, at],
  );
}

/** Records that a hold was released, or can be reclaimed by the payer. */
export async function voidPayment(
  database: Queryable,
  payment: { id: string; transaction: string | null; reason: string | null; at: Date },
): Promise<void> {
  const { id, transaction, reason, at } = payment;
  await database.query(
    `update x402_payments set state = 'voided', transaction = $2, reason = $3, request = null, changed_at = $4
     where id = $1 and state = 'voiding'`,
    [id, transaction, reason, at],
  );
}

/** Schedules the next check of a payment whose outcome is unknown. */
export async function stillUnknown(
  database: Queryable,
  payment: { id: string; reason: string; askAgainAt: Date },
): Promise<void> {
  const { id, reason, askAgainAt } = payment;
  await database.query(
    `update x402_payments set reason = $2, busy_until = $3 where id = $1 and state in ('settling', 'voiding')`,
    [id, reason, askAgainAt],
  );
}

export interface Unknown {
  readonly id: string;
  readonly state: 'settling' | 'voiding';
  readonly request: FacilitatorRequest;
  readonly attempts: number;
  readonly endsAt: Date;
  readonly settlingAt: Date;
}

/**
 * Claims a settlement with an unknown outcome that no process is checking: `busyUntil` excludes the others. The CTE chooses the
 * row, because it runs once: PostgreSQL may run a subquery of `in (…)` for every row, and choose another one each time.
 */
export async function takeUnknown(
  database: Queryable,
  { now, busyUntil, id }: { now: Date; busyUntil: Date; id?: string },
): Promise<Unknown | undefined> {
  const [row] = await database.query<Unknown>(
    `with due as (
       select id from x402_payments where state in ('settling', 'voiding') and busy_until <= $1 and ($3::text is null or id = $3)
       order by busy_until limit 1 for update skip locked
     )
     update x402_payments p set busy_until = $2, attempts = attempts + 1 from due where p.id = due.id
     returning p.id, state, request, attempts, ends_at as "endsAt", coalesce(settling_at, changed_at) as "settlingAt"`,
    [now, busyUntil, id ?? null],
  );
  return row;
}

export interface ReceiptRow {
  readonly version: 1 | 2;
  readonly transaction: string | null;
  readonly network: string;
  readonly payer: string;
}

export async function selectReceipt(
  database: Queryable,
  transferId: string,
): Promise<ReceiptRow | undefined> {
  const [row] = await database.query<ReceiptRow>(
    'select version, transaction, network, payer from x402_payments where transfer_id = $1',
    [transferId],
  );
  return row;
}

/** Treats every running call as dead, and schedules a check of every settlement. */
export async function interrupt(database: Queryable, at: Date): Promise<void> {
  await database.query(
    `update x402_payments set busy_until = $1 where (${CLAIMED} or state in ('settling', 'voiding')) and busy_until > $1`,
    [at],
  );
}

/** Releases the claims of dead calls. */
export async function releaseDead(database: Queryable, at: Date): Promise<number> {
  const rows = await database.query(`${RELEASE} where ${CLAIMED} and busy_until <= $1 returning 1`, [at]);
  return rows.length;
}

/** Ids of calls with this prefix that have claimed a payment. Payments in settlement are checked soon anyway. */
export async function openCalls(database: Queryable, prefix: string): Promise<string[]> {
  const rows = await database.query<{ claim: string }>(
    `select claim from x402_payments where ${CLAIMED} and starts_with(claim, $1)`,
    [prefix],
  );
  return rows.map(({ claim }) => claim);
}

/** Releases the claims of calls with this id or prefix. Payments in settlement are checked soon anyway. */
export async function releaseCalls(
  database: Queryable,
  { calls, at }: { calls: string; at: Date },
): Promise<number> {
  const rows = await database.query(`${RELEASE} where ${CLAIMED} and starts_with(claim, $2) returning 1`, [
    at,
    calls,
  ]);
  return rows.length;
}

/** Deletes payments that were not settled and no longer can be. Settled ones are kept permanently. */
export async function forget(database: Queryable, endedBefore: Date): Promise<number> {
  const rows = await database.query(
    `delete from x402_payments where ends_at <= $1 and state in ('released', 'refused', 'voided') returning 1`,
    [endedBefore],
  );
  return rows.length;
}

/** Columns that reference blobs. */
export const NAMED_BLOBS = [
  { blob: 'answer_sha256', from: 'x402_payments', where: "state in ('settling', 'unresolved')" },
];
