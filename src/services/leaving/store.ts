import type { Queryable } from '../../database/contract.ts';
import { ASSETS_IN_ARCHIVE_MAX, POSTS_IN_ARCHIVE_MAX } from './limits.ts';
import type { ManifestAsset } from './manifest.ts';

/** Each function is one statement. Wallets in lower case. */

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;
const iso = (column: string) => `to_char(${column} at time zone 'UTC', ${ISO})`;

/** Assets with their versions, the newest first, as a manifest lists them; what is in the trash stays there. */
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

/** In the order they were made. */
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

/** What was posted in the wallet's name, the newest first. */
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

/** Never their tokens. */
export const selectKeyNames = (database: Queryable, wallet: string): Promise<object[]> =>
  database.query(
    `select id, name, scopes, ${iso('created_at')} as created_at, ${iso('revoked_at')} as revoked_at
     from wallet_keys where wallet = $1 order by position`,
    [wallet],
  );
