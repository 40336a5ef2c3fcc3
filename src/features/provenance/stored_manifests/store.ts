import type { Queryable } from '../../../core/database/types.ts';
import { MANIFESTS_ANSWERED_MAX } from './limits.ts';
import type { NewManifest, StoredManifest } from './types.ts';

/** One statement per function. */

const COLUMNS = `manifest_id as id, sha256, size_bytes as "sizeBytes", is_ours as "isOurs", bound_to as "boundTo", mark_id as "markId",
  made_from as "madeFrom", created_at as "keptAt"`;
/**
 * Manifests of derived images last, so that they never displace others; then this server's own first, then
 * the earliest.
 */
const ORDER = `order by made_from is not null, is_ours desc, number limit ${MANIFESTS_ANSWERED_MAX}`;

type Row = Omit<NewManifest, 'store'> & { readonly sha256: string; readonly sizeBytes: number };

export async function upsert(database: Queryable, manifest: Row, at: Date): Promise<StoredManifest> {
  const {
    id,
    sha256,
    sizeBytes,
    wallet,
    isOurs,
    boundTo,
    markId,
    madeFrom,
    hold,
    softBindings = [],
  } = manifest;
  const [row] = await database.query<StoredManifest>(
    `with kept as (insert into kept_manifests as m (manifest_id, sha256, size_bytes, wallet, is_ours, bound_to, mark_id, made_from, hold_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'hold:' || $9::text, $10)
     on conflict (coalesce(wallet, ''), sha256) do update set
       bound_to = coalesce(m.bound_to, excluded.bound_to), mark_id = coalesce(m.mark_id, excluded.mark_id)
     returning m.*),
     bound as (insert into manifest_bindings (manifest_number, alg, value)
       select number, declared.alg, declared.value from kept, unnest($11::text[], $12::text[]) as declared (alg, value)
       on conflict do nothing)
     select ${COLUMNS} from kept`,
    [
      id,
      sha256,
      sizeBytes,
      wallet ?? null,
      isOurs,
      boundTo ?? null,
      markId ?? null,
      madeFrom ?? null,
      hold ?? null,
      at,
      softBindings.map(({ alg }) => alg),
      softBindings.map(({ value }) => value),
    ],
  );
  return row!;
}

/** @param sha256 null: any store with this id */
export async function select(
  database: Queryable,
  id: string,
  sha256: string | null,
): Promise<StoredManifest | undefined> {
  const [row] = await database.query<StoredManifest>(
    `select ${COLUMNS} from kept_manifests where manifest_id = $1 and ($2::text is null or sha256 = $2) ${ORDER}`,
    [id, sha256],
  );
  return row;
}

export const selectOfLookalikes = (database: Queryable, ids: readonly string[]): Promise<StoredManifest[]> =>
  database.query(`select ${COLUMNS} from kept_manifests where bound_to = any($1::text[]) ${ORDER}`, [ids]);

export const selectOfMark = (database: Queryable, markId: string): Promise<StoredManifest[]> =>
  database.query(`select ${COLUMNS} from kept_manifests where mark_id = $1 ${ORDER}`, [markId]);

export const selectOfBinding = (
  database: Queryable,
  alg: string,
  values: readonly string[],
): Promise<StoredManifest[]> =>
  database.query(
    `select ${COLUMNS} from kept_manifests where number in
       (select manifest_number from manifest_bindings where alg = $1 and value = any($2::text[])) ${ORDER}`,
    [alg, values],
  );

export async function isKept(
  database: Queryable,
  { wallet, sha256 }: { wallet: string | undefined; sha256: string },
): Promise<boolean> {
  const rows = await database.query(
    `select 1 from kept_manifests where coalesce(wallet, '') = $1 and sha256 = $2`,
    [wallet ?? '', sha256],
  );
  return rows.length > 0;
}

/** Number of manifests from other signers that a wallet has stored. */
export async function countForeign(database: Queryable, wallet: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'select count(*) as count from kept_manifests where wallet = $1 and not is_ours',
    [wallet],
  );
  return row!.count;
}

/** Number of manifests of results made from one image that a wallet has stored. */
export async function countMade(
  database: Queryable,
  { wallet, madeFrom }: { wallet: string | undefined; madeFrom: string },
): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*) as count from kept_manifests where made_from = $2 and coalesce(wallet, '') = $1`,
    [wallet ?? '', madeFrom],
  );
  return row!.count;
}

export async function selectOf(
  database: Queryable,
  wallet: string,
  sha256: string,
): Promise<StoredManifest | undefined> {
  const [row] = await database.query<StoredManifest>(
    `select ${COLUMNS} from kept_manifests where wallet = $1 and sha256 = $2 and hold_id is null`,
    [wallet, sha256],
  );
  return row;
}

/** Total size of all stores, in bytes. */
export async function sumBytes(database: Queryable): Promise<number> {
  const [row] = await database.query<{ bytes: number }>(
    'select coalesce(sum(size_bytes), 0) as bytes from kept_manifests',
  );
  return row!.bytes;
}

export async function deleteOwn(database: Queryable, wallet: string, id: string): Promise<number> {
  const rows = await database.query(
    `delete from kept_manifests where wallet = $1 and hold_id is null and (manifest_id = $2 or made_from in
       (select sha256 from kept_manifests where wallet = $1 and manifest_id = $2 and hold_id is null))
     returning number`,
    [wallet, id],
  );
  return rows.length;
}

/**
 * Deletes a store of any wallet, and the stores derived from it, which contain it. Returns whether there was
 * one.
 */
export async function deleteStore(database: Queryable, sha256: string): Promise<boolean> {
  const rows = await database.query(
    'delete from kept_manifests where sha256 = $1 or made_from = $1 returning number',
    [sha256],
  );
  return rows.length > 0;
}

/** Columns that reference blobs, which must not be deleted. */
export const NAMED_BLOBS = [{ blob: 'sha256', from: 'kept_manifests' }];
