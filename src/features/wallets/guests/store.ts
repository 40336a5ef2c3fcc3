import type { Queryable } from '../../../core/database/types.ts';

export async function insert(
  database: Queryable,
  account: { wallet: string; claimSha256: string; sealedKey: string; at: Date },
): Promise<void> {
  const { wallet, claimSha256, sealedKey, at } = account;
  await database.query(
    'insert into guest_accounts (wallet, claim_sha256, sealed_key, created_at) values ($1, $2, $3, $4)',
    [wallet, claimSha256, sealedKey, at],
  );
}

interface Row {
  readonly wallet: string;
  readonly sealedKey: string | null;
  readonly claimedAt: Date | null;
}

export async function find(database: Queryable, claimSha256: string): Promise<Row | undefined> {
  const [row] = await database.query<Row>(
    `select wallet, sealed_key as "sealedKey", claimed_at as "claimedAt" from guest_accounts where claim_sha256 = $1`,
    [claimSha256],
  );
  return row;
}

/** Deletes the stored key. False where another call deleted it before. */
export async function claim(
  database: Queryable,
  { claimSha256, at }: { claimSha256: string; at: Date },
): Promise<boolean> {
  const rows = await database.query(
    `update guest_accounts set sealed_key = null, claimed_at = $2
     where claim_sha256 = $1 and claimed_at is null returning 1`,
    [claimSha256, at],
  );
  return rows.length === 1;
}

/** Takes one bonus from each network that has one left; returns their number. Sorted, so that concurrent calls cannot deadlock. */
export async function takeBonus(
  tx: Queryable,
  { day, networks, most }: { day: Date; networks: readonly string[]; most: number },
): Promise<number> {
  const rows = await tx.query(
    `insert into guest_bonuses as b (day, network, granted)
     select timezone('UTC', $1::timestamptz)::date, n, 1 from unnest($2::text[]) n order by n
     on conflict (day, network) do update set granted = b.granted + 1 where b.granted < $3 returning 1`,
    [day, networks, most],
  );
  return rows.length;
}

export async function sweep(database: Queryable, before: Date): Promise<number> {
  const rows = await database.query(
    `delete from guest_bonuses where day < timezone('UTC', $1::timestamptz)::date returning 1`,
    [before],
  );
  return rows.length;
}
