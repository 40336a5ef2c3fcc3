import { WALLET_STORAGE_BYTES_MAX } from '../../../config/limits.ts';
import type { Queryable } from '../../../core/database/types.ts';
import { ASSETS_IN_ARCHIVE_MAX, EARLIER_COUNT_MAX, POSTS_IN_ARCHIVE_MAX } from './limits.ts';
import type { ManifestAsset } from './manifest.ts';
import type { VersionRoom } from './manifest_batches.ts';

/** Times in microseconds, as stored. Wallets are in lower case. */

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;
const iso = (column: string) => `to_char(${column} at time zone 'UTC', ${ISO})`;

/** Assets with their versions, newest first, as in a manifest; without the trash. */
export const selectAssets = (database: Queryable, wallet: string): Promise<ManifestAsset[]> =>
  database.query<ManifestAsset>(
    `select a.key, ${iso('a.created_at')} as created_at, a.sha256, a.size_bytes as bytes, a.content_type, a.metadata,
       ${iso('a.updated_at')} as saved_at,
       coalesce((select jsonb_agg(jsonb_build_object('sha256', e.sha256, 'bytes', e.size_bytes, 'content_type', e.content_type,
           'metadata', e.metadata, 'saved_at', ${iso('e.saved_at')}, 'ended_at', ${iso('e.ended_at')}) order by e.number desc)
         from earlier_assets e where e.wallet = a.wallet and e.key = a.key and e.purge_at is null), '[]') as versions
     from assets a where a.wallet = $1
       and not exists (select from unpaid_assets u where u.hold_id = a.hold_id)
     order by a.key limit $2`,
    [wallet, ASSETS_IN_ARCHIVE_MAX],
  );

export interface ReceiptRow {
  readonly id: string;
  readonly receipt: string;
  readonly at: Date;
}

/** Receipts in order of creation. */
export const selectReceipts = (
  database: Queryable,
  page: { wallet: string; until: Date; after: ReceiptRow | undefined; limit: number },
): Promise<ReceiptRow[]> =>
  database.query<ReceiptRow>(
    `select id, receipt, at from receipts where wallet = $1 and at <= $2
       and ($3::text is null or (at, id) > ((select r.at from receipts r where r.id = $3), $3)) order by at, id limit $4`,
    [page.wallet, page.until, page.after?.id ?? null, page.limit],
  );

export const selectRegistrations = (database: Queryable, wallet: string): Promise<object[]> =>
  database.query(
    `select id, sha256, encode(pdq, 'hex') as pdq, quality, width, height, title, artist, provenance_uri,
       ${iso('created_at')} as created_at
     from registered_hashes where wallet = $1 order by number`,
    [wallet],
  );

/** Posts in the name of the wallet, newest first. */
export const selectPosts = (database: Queryable, wallet: string): Promise<object[]> =>
  database.query(
    `select * from (
       (select id, 'cafe' as board, name, category, null as title, message as text, null as image_url, ${iso('posted_at')} as posted_at
         from cafe_posts where lower(wallet) = $1 order by number desc limit $2)
       union all (select id, 'gallery', name, null, title, description, image_url, ${iso('posted_at')}
         from gallery_artworks where lower(wallet) = $1 order by number desc limit $2)
     ) posts order by posted_at desc, id`,
    [wallet, POSTS_IN_ARCHIVE_MAX],
  );

/** Names of keys, without tokens. */
export const selectKeyNames = (database: Queryable, wallet: string): Promise<object[]> =>
  database.query(
    `select id, name, scopes, ${iso('created_at')} as created_at, ${iso('revoked_at')} as revoked_at
     from wallet_keys where wallet = $1 order by position`,
    [wallet],
  );

/** Invoices as issued. */
export const selectInvoices = (database: Queryable, wallet: string): Promise<object[]> =>
  database.query(
    `select purchase, series, number, ${iso('at')} as at, ${iso('issued_at')} as issued_at, facts, buyer from invoices where wallet = $1 order by position`,
    [wallet],
  );

/** Limits of the earlier versions of a wallet. A wallet without a row has the defaults of the table. */
export async function selectVersionRoom(database: Queryable, wallet: string): Promise<VersionRoom> {
  const [room] = await database.query<VersionRoom>(
    `select earlier_limit_count as versions, earlier_limit_bytes as bytes from asset_storage where wallet = $1`,
    [wallet],
  );
  return room ?? { versions: EARLIER_COUNT_MAX, bytes: WALLET_STORAGE_BYTES_MAX };
}

/**
 * Inserts a JSON array of assets with distinct keys. `assets`: new or replaced keys; `unchanged`: same bytes; `skipped`: existing
 * keys with other bytes, left unchanged.
 * @throws the database's violation of `asset_storage_quota`
 */
export const insertAssets = (
  tx: Queryable,
  { wallet, assets, replaces }: { wallet: string; assets: string; replaces: boolean },
): Promise<{ key: string; outcome: 'assets' | 'unchanged' | 'skipped' }[]> =>
  tx.query(
    `with archived as materialized (
       select r.* from jsonb_to_recordset($2::jsonb) as r (key text collate "C", sha256 text, bytes integer, content_type text,
         metadata text, created_at timestamptz, saved_at timestamptz)
     ), present as materialized (
       select a.key, a.sha256 from assets a where a.wallet = $1 and a.key = any(array(select key from archived)) for update
     ), judged as materialized (
       select r.*, case when p.key is null then 'assets' when p.sha256 = r.sha256 then 'unchanged' when $3 then 'assets'
         else 'skipped' end as outcome
       from archived r left join present p on p.key = r.key
     ), saved as (
       insert into assets as a (wallet, key, sha256, size_bytes, content_type, metadata, created_at, updated_at)
       select $1, key, sha256, bytes, content_type, metadata, created_at, saved_at from judged where outcome = 'assets'
       on conflict (wallet, key) do update set sha256 = excluded.sha256, size_bytes = excluded.size_bytes,
         content_type = excluded.content_type, metadata = excluded.metadata, version = a.version + 1,
         updated_at = clock_timestamp(), hold_id = null
     )
     select key, outcome from judged`,
    [wallet, assets, replaces],
  );

/** Inserts the missing versions of a JSON array, oldest first, whose asset matches the archive; returns their number. */
export async function insertVersions(
  tx: Queryable,
  { wallet, versions }: { wallet: string; versions: string },
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `with archived as materialized (
       select r.* from jsonb_to_recordset($2::jsonb) as r (key text collate "C", asset_sha256 text, sha256 text, bytes integer,
         content_type text, metadata text, created_at timestamptz, saved_at timestamptz, ended_at timestamptz)
     ), added as (
       insert into earlier_assets (wallet, key, sha256, size_bytes, content_type, metadata, created_at, saved_at, ended_at, is_deleted)
       select $1, r.key, r.sha256, r.bytes, r.content_type, r.metadata, r.created_at, r.saved_at, r.ended_at, false
       from archived r
       where exists (select from assets a where a.wallet = $1 and a.key = r.key and a.sha256 = r.asset_sha256)
         and not exists (select from earlier_assets e
           where e.wallet = $1 and e.key = r.key and e.sha256 = r.sha256 and e.saved_at = r.saved_at)
       order by r.ended_at
       returning 1
     )
     select count(*) as count from added`,
    [wallet, versions],
  );
  return row!.count;
}

/** Moves all assets of a wallet to the trash, with their versions, as `trash_asset` does with one; returns their number. */
export async function trashAllAssets(
  tx: Queryable,
  { wallet, purgeAt }: { wallet: string; purgeAt: Date },
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `with gone as (delete from assets where wallet = $1 returning *),
     dated as (update earlier_assets set purge_at = $2 where wallet = $1 and purge_at is null),
     kept as (
       insert into earlier_assets (wallet, key, sha256, size_bytes, content_type, metadata, created_at, saved_at, is_deleted, purge_at)
       select g.wallet, g.key, g.sha256, g.size_bytes, g.content_type, g.metadata, g.created_at, g.updated_at, true, $2 from gone g
       where not exists (select from unpaid_assets u where u.hold_id = g.hold_id)
       order by g.key
     )
     select count(*) as count from gone`,
    [wallet, purgeAt],
  );
  return row!.count;
}
