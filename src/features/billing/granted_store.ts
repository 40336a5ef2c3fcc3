import type { Queryable } from '../../core/database/types.ts';

/** A granted payment token, of which only the sha256 is stored. */

export interface Grant {
  readonly challenge: string;
  readonly tokenSha256: string;
  readonly intent: string | null;
}

/**
 * Stores a new grant for as long as its challenge is valid. Undefined: the token was used with another challenge before, or
 * the challenge with another token.
 */
export async function keepGrant(
  database: Queryable,
  grant: { challenge: string; tokenSha256: string; expiresAt: Date; now: Date },
): Promise<Grant | undefined> {
  const { challenge, tokenSha256, expiresAt, now } = grant;
  await database.query(
    `insert into granted_payments (challenge, token_sha256, expires_at) select $1, $2, $3 where $3 > $4::timestamptz
     on conflict do nothing`,
    [challenge, tokenSha256, expiresAt, now],
  );
  const [found] = await database.query<Grant>(
    `select challenge, token_sha256 as "tokenSha256", intent from granted_payments
     where challenge = $1 or token_sha256 = $2`,
    [challenge, tokenSha256],
  );
  return found;
}

export async function nameIntent(database: Queryable, challenge: string, intent: string): Promise<void> {
  await database.query('update granted_payments set intent = $2 where challenge = $1', [challenge, intent]);
}

/** Expired grants without an intent: the processor refused the token, or its response was lost. */
export async function selectLost(database: Queryable, before: Date, limit: number): Promise<string[]> {
  const rows = await database.query<{ challenge: string }>(
    `select challenge from granted_payments where intent is null and expires_at <= $1 order by expires_at limit $2`,
    [before, limit],
  );
  return rows.map(({ challenge }) => challenge);
}

export async function forgetGrant(database: Queryable, challenge: string): Promise<void> {
  await database.query('delete from granted_payments where challenge = $1 and intent is null', [challenge]);
}
