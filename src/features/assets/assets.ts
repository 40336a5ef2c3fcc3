import { ASSET_BYTES_MAX, ASSETS_BYTES_MAX } from '../../config/limits.ts';
import type { Database } from '../../core/database/types.ts';
import { AtelierError, invalidField } from '../../core/errors/atelier_error.ts';
import type { Links } from '../../core/links/types.ts';
import type { Shares } from '../../core/quotas/types.ts';
import type { Blobs } from '../../core/storage/blobs/types.ts';
import { assetKey, assetKeyPrefix, cursorAfter, keyOfCursor, newAssetKey } from './asset_key.ts';
import { createEarlier } from './earlier.ts';
import { trashAsset } from './earlier_store.ts';
import { TRASH_LIFETIME_MS } from './limits.ts';
import { quotaExceeded } from './quota_exceeded.ts';
import * as store from './store.ts';
import type { Asset, Assets, NewAsset } from './types.ts';

const ASSET_LINK_LIFETIME_MS = 24 * 3_600_000;

const ASSET_METADATA_BYTES_MAX = 64 * 1024;

interface AssetsDeps {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly links: Links;
  /** When the wallet was locked; undefined where it is not. */
  lockedAt(wallet: string): Promise<Date | undefined>;
  /** Maximum bytes of all wallets together. */
  readonly bytesMax?: number;
  /** Daily quota of saved bytes per caller; absent: no quota. */
  readonly shares?: Shares;
  readonly now?: () => number;
}

const LINK_PATH = '/api/assets';

/** Bytes are stored before a row references them; unreferenced bytes are deleted by the cleanup. */
export function createAssets(parts: AssetsDeps): Assets {
  const { database, links, now = Date.now } = parts;
  return {
    save: (asset) => save(parts, asset),
    async open(wallet, key, options) {
      const { asset, stored } = await openAgain(parts, { wallet, key: assetKey(key) }, (sha256) =>
        parts.blobs.get(sha256, options),
      );
      return { asset, bytes: stored };
    },
    async stream(wallet, key) {
      const { asset, stored } = await openAgain(parts, { wallet, key: assetKey(key) }, parts.blobs.open);
      return { asset, blob: stored };
    },
    async find(wallet, key) {
      const row = await store.selectAsset(database, wallet, assetKey(key));
      return row && store.assetOf(row);
    },
    async list(wallet, page) {
      const prefix = assetKeyPrefix(page.prefix);
      const after = page.cursor ? keyOfCursor(page.cursor) : '';
      const rows = await store.selectPage(database, wallet, { prefix, after, limit: page.limit + 1 });
      const assets = rows.slice(0, page.limit).map(store.assetOf);
      const nextCursor = rows.length > page.limit ? cursorAfter(assets.at(-1)!.key) : null;
      return { assets, ...(await store.countAssets(database, wallet, prefix)), nextCursor };
    },
    async remove(wallet, key) {
      const until = new Date(now() + TRASH_LIFETIME_MS);
      const freedBytes = await trashAsset(database, { wallet, key: assetKey(key), until });
      if (freedBytes === undefined) throw notFound(key);
      return { freedBytes, storage: await store.selectUse(database, wallet) };
    },
    use: (wallet) => store.selectUse(database, wallet),
    linkTo: (wallet, key) => links.sign(LINK_PATH, { wallet, key }, new Date(now() + ASSET_LINK_LIFETIME_MS)),
    verifyLink: async (wallet, key, expiresAt, signature) =>
      links.verify(LINK_PATH, { wallet, key }, expiresAt, signature) &&
      !isOlder(Number(expiresAt), await parts.lockedAt(wallet)),
    ...createEarlier(parts),
  };
}

/**
 * Links from before the lock of the wallet, which anyone could have made, become invalid. Links carry whole seconds, so those of
 * the same second become invalid too.
 */
const isOlder = (expiresAtUnixS: number, lockedAt: Date | undefined): boolean =>
  lockedAt !== undefined && expiresAtUnixS * 1000 - ASSET_LINK_LIFETIME_MS < lockedAt.getTime();

async function save(parts: AssetsDeps, asset: NewAsset): ReturnType<Assets['save']> {
  const { database, blobs, bytesMax = ASSETS_BYTES_MAX, shares } = parts;
  const { wallet, bytes, contentType } = asset;
  const key = newAssetKey(asset.key);
  const metadata = metadataText(asset.metadata);
  checkSize(bytes);
  await refuseBeforeWriting(database, wallet, key, bytes.length);
  if ((await store.sumUse(database)) + bytes.length > bytesMax) throw allFull();
  await shares?.take(bytes.length);
  const sha256 = await blobs.put(bytes);
  const row = {
    wallet,
    key,
    sha256,
    size_bytes: bytes.length,
    content_type: contentType,
    metadata,
    hold: asset.hold ?? null,
  };
  const saved = await store.upsertAsset(database, row).catch((error: unknown) => {
    throw store.isQuotaViolation(error) ? quotaExceeded(bytes.length) : error;
  });
  return {
    asset: store.assetOf(saved),
    overwritten: saved.version > 1,
    storage: await store.selectUse(database, wallet),
  };
}

/** Early check that keeps a full wallet from filling the disk with refused files; the database decides. */
async function refuseBeforeWriting(
  database: Database,
  wallet: string,
  key: string,
  sizeBytes: number,
): Promise<void> {
  const { usedBytes, limitBytes } = await store.selectUse(database, wallet);
  if (usedBytes + sizeBytes <= limitBytes) return;
  const replaced = await store.selectAsset(database, wallet, key);
  if (usedBytes - (replaced?.size_bytes ?? 0) + sizeBytes > limitBytes) throw quotaExceeded(sizeBytes);
}

/** Reads the row again when its bytes are missing: the asset may have been replaced, and the old bytes deleted, in between. */
async function openAgain<T>(
  parts: AssetsDeps,
  place: { wallet: string; key: string },
  open: (sha256: string) => Promise<T>,
): Promise<{ asset: Asset; stored: T }> {
  const select = () => store.selectAsset(parts.database, place.wallet, place.key);
  const row = await select();
  if (!row) throw notFound(place.key);
  try {
    return { asset: store.assetOf(row), stored: await open(row.sha256) };
  } catch (error) {
    if ((await select())?.sha256 === row.sha256) throw error;
    return openAgain(parts, place, open);
  }
}

function checkSize(bytes: Uint8Array): void {
  if (bytes.length === 0) throw invalidField('data', 'data is empty. Send the bytes of a file as base64.');
  if (bytes.length > ASSET_BYTES_MAX) {
    throw new AtelierError(
      'asset_too_large',
      `An asset has at most ${ASSET_BYTES_MAX} bytes (10 MB); this one has ${bytes.length}.`,
    );
  }
}

function metadataText(metadata: Record<string, unknown> | undefined): string | null {
  if (metadata === undefined) return null;
  const text = JSON.stringify(metadata);
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes <= ASSET_METADATA_BYTES_MAX) return text;
  throw invalidField(
    'metadata',
    `metadata has ${sizeBytes} bytes as JSON; at most ${ASSET_METADATA_BYTES_MAX} are kept. Save larger data as an asset of its own.`,
  );
}

const notFound = (key: string): AtelierError =>
  new AtelierError(
    'asset_not_found',
    `This wallet has no asset named ${JSON.stringify(key.slice(0, 100))}. list_assets shows all names.`,
  );

const allFull = (): AtelierError =>
  new AtelierError('storage_full', 'The space for assets is used up, so nothing was kept. Try again later.', {
    retryAfterSeconds: 600,
  });
