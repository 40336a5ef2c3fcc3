import type { Queryable } from '../../../core/database/types.ts';
import type { PublicKey } from '../../../core/keys/signer.ts';
import type { KnownKey, RevocationReason, SignedReceipt } from './types.ts';

/** Stores a key. Receipts are stored by the settlement of their call (wallets/store.ts). */

export async function insertKey(
  database: Queryable,
  { kid, x, at }: PublicKey & { at: Date },
): Promise<void> {
  await database.query(
    'insert into receipt_keys (kid, public_key, first_used) values ($1, $2, $3) on conflict do nothing',
    [kid, x, at],
  );
}

export async function selectKeys(database: Queryable): Promise<KnownKey[]> {
  const rows = await database.query<
    PublicKey & { firstUsed: Date; at: Date | null; reason: RevocationReason | null }
  >(
    `select kid, public_key as x, first_used as "firstUsed", r.revoked_at as at, r.reason
     from receipt_keys left join revoked_keys r using (kid) order by first_used desc, kid`,
  );
  return rows.map(({ at, reason, ...key }) => ({ ...key, ...(at && reason && { revoked: { at, reason } }) }));
}

/** False where the key is unknown, or revoked already. */
export async function insertRevocation(
  database: Queryable,
  { kid, reason, at }: { kid: string; reason: RevocationReason; at: Date },
): Promise<boolean> {
  const rows = await database.query(
    `insert into revoked_keys (kid, revoked_at, reason) select kid, $2, $3 from receipt_keys where kid = $1
     on conflict do nothing returning kid`,
    [kid, at, reason],
  );
  return rows.length > 0;
}

export async function select(
  database: Queryable,
  wallet: string,
  id: string,
): Promise<SignedReceipt | undefined> {
  const [row] = await database.query<SignedReceipt>(
    'select id, receipt as jws from receipts where id = $1 and wallet = $2',
    [id, wallet],
  );
  return row;
}
