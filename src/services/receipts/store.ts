import type { Queryable } from '../../database/contract.ts';
import type { PublicKey, SignedReceipt } from './contract.ts';

/** Each function is one statement. Receipts are written by the settlement of their call (wallets/store.ts). */

export async function insertKey(
  database: Queryable,
  { kid, x, at }: PublicKey & { at: Date },
): Promise<void> {
  await database.query(
    'insert into receipt_keys (kid, public_key, first_used) values ($1, $2, $3) on conflict do nothing',
    [kid, x, at],
  );
}

export function selectKeys(database: Queryable): Promise<PublicKey[]> {
  return database.query<PublicKey>(
    'select kid, public_key as x from receipt_keys order by first_used desc, kid',
  );
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
