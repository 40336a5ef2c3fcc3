import type { Queryable } from '../../../core/database/types.ts';

export interface SimulatedPayment {
  readonly id: string;
  readonly kind: 'intent' | 'checkout';
  readonly secret: string;
  /** Original request, to distinguish a repeat from another request with the same key. */
  readonly request: {
    readonly description: string;
    readonly metadata: Record<string, string>;
    readonly successUrl?: string;
  };
  readonly amountCents: number;
  readonly currency: string;
  readonly status: 'requires_payment_method' | 'requires_capture' | 'succeeded' | 'canceled' | 'expired';
  readonly refundedCents: number;
  readonly disputed: boolean;
  readonly expiresAt: Date;
}

const COLUMNS = `id, kind, secret, request, amount_cents as "amountCents", currency, status,
  refunded_cents as "refundedCents", disputed, expires_at as "expiresAt"`;

/** The payment of an idempotency key: new, or created before. */
export async function insertPayment(
  database: Queryable,
  payment: Pick<
    SimulatedPayment,
    'id' | 'kind' | 'secret' | 'request' | 'amountCents' | 'currency' | 'expiresAt'
  > & { idempotencyKey: string; at: Date },
): Promise<SimulatedPayment> {
  const { id, kind, secret, request, amountCents, currency, expiresAt, idempotencyKey, at } = payment;
  const [row] = await database.query<SimulatedPayment>(
    `insert into simulated_payments as p
       (id, idempotency_key, kind, secret, request, amount_cents, currency, status, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'requires_payment_method', $8, $9)
     on conflict (idempotency_key) do update set kind = p.kind returning ${COLUMNS}`,
    [id, idempotencyKey, kind, secret, JSON.stringify(request), amountCents, currency, at, expiresAt],
  );
  return row!;
}

export async function selectPayment(database: Queryable, id: string): Promise<SimulatedPayment | undefined> {
  const [row] = await database.query<SimulatedPayment>(
    `select ${COLUMNS} from simulated_payments where id = $1`,
    [id],
  );
  return row;
}

/** Changes the state of a payment; undefined where the transition is not allowed. */
export async function movePayment(
  database: Queryable,
  id: string,
  from: readonly SimulatedPayment['status'][],
  to: SimulatedPayment['status'],
): Promise<SimulatedPayment | undefined> {
  const [row] = await database.query<SimulatedPayment>(
    `update simulated_payments set status = $3 where id = $1 and status = any($2::text[]) returning ${COLUMNS}`,
    [id, from, to],
  );
  return row;
}

/** Sets the reversed amount; undefined where nothing was paid. */
export async function reversePayment(
  database: Queryable,
  id: string,
  { refundedCents, disputed }: { refundedCents: number | null; disputed: boolean | null },
): Promise<SimulatedPayment | undefined> {
  const [row] = await database.query<SimulatedPayment>(
    `update simulated_payments set
       refunded_cents = least(amount_cents, coalesce($2, refunded_cents)), disputed = coalesce($3, disputed)
     where id = $1 and status = 'succeeded' returning ${COLUMNS}`,
    [id, refundedCents, disputed],
  );
  return row;
}

export async function forgetUnpaid(database: Queryable, before: Date): Promise<number> {
  const rows = await database.query(
    `delete from simulated_payments
     where status in ('requires_payment_method', 'canceled', 'expired') and expires_at <= $1 returning 1`,
    [before],
  );
  return rows.length;
}
