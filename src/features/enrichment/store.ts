import type { Queryable } from '../../core/database/types.ts';

interface Place {
  readonly wallet: string;
  readonly requestSha256: string;
}

/** Finds a paid response given after `since`. A response counts as paid once its hold has been posted. */
export async function findPaid(
  database: Queryable,
  { wallet, requestSha256 }: Place,
  since: Date,
): Promise<{ answer: unknown; answeredAt: Date } | undefined> {
  const [row] = await database.query<{ answer: unknown; answeredAt: Date }>(
    `select answer, answered_at as "answeredAt" from enrichments e
     where wallet = $1 and request_sha256 = $2 and answered_at > $3
       and exists (select from transfers t where t.hold_id = e.hold_id and t.phase = 'post')`,
    [wallet, requestSha256, since],
  );
  return row;
}

/** Stores a response, replacing an expired or unpaid one. A paid response of a concurrent call is kept. */
export async function remember(
  database: Queryable,
  { wallet, requestSha256, hold, answer, at }: Place & { hold: string; answer: object; at: Date },
  since: Date,
): Promise<void> {
  await database.query(
    `insert into enrichments as e (wallet, request_sha256, hold_id, answer, answered_at)
     values ($1, $2, 'hold:' || $3::text, $4::jsonb, $5)
     on conflict (wallet, request_sha256) do update
       set hold_id = excluded.hold_id, answer = excluded.answer, answered_at = excluded.answered_at
       where e.answered_at <= $6
         or not exists (select from transfers t where t.hold_id = e.hold_id and t.phase = 'post')`,
    [wallet, requestSha256, hold, JSON.stringify(answer), at, since],
  );
}

export async function sweep(database: Queryable, before: Date): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'with gone as (delete from enrichments where answered_at <= $1 returning 1) select count(*) from gone',
    [before],
  );
  return row!.count;
}
