import { ASSET_BYTES_MAX, ASSETS_BYTES_MAX } from '../../config/limits.ts';
import type { Database } from '../../core/database/types.ts';
import { AtelierError, invalidField } from '../../core/errors/atelier_error.ts';
import type { Links } from '../../core/links/links.ts';
import type { StorageQuota } from '../../core/quotas/quotas.ts';
import type { Blobs } from '../../core/storage/blobs/blobs.ts';
import { assetKey, assetKeyPrefix, assetLinkIn, cursorAfter, keyOfCursor, newAssetKey } from './asset_key.ts';
import * as earlier from './earlier_store.ts';
import { trashAsset } from './earlier_store.ts';
import { PURGED_A_ROUND, TRASH_LIFETIME_MS } from './limits.ts';
import { quotaExceeded } from './quota_exceeded.ts';
import * as store from './store.ts';
import type { Asset, AssetLink, Assets, EarlierAssets, NewAsset } from './types.ts';

const DAY_MS = 24 * 3_600_000;
const ASSET_LINK_LIFETIME_MS = DAY_MS;

const ASSET_METADATA_BYTES_MAX = 64 * 1024;

interface AssetsDeps {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly links: Links;
  /** When the wallet was locked; undefined where it is not. */
  lockedAt(wallet: string): Promise<Date | undefined>;
  /** Whether a key of the wallet is valid. */
  isKeyInForce(wallet: string, id: string): Promise<boolean>;
  /** Maximum bytes of all wallets together. */
  readonly bytesMax?: number;
  /** Daily quota of saved bytes per caller; absent: no quota. */
  readonly quota?: StorageQuota;
  readonly now?: () => number;
}

const LINK_PATH = '/api/assets';

/** Bytes are stored before a row references them; unreferenced bytes are deleted by the cleanup. */
export function createAssets(parts: AssetsDeps): Assets {
  const { database, links, now = Date.now } = parts;
  const requireTotal = createTotal(parts);
  return {
    save: (asset) => save(parts, requireTotal, asset),
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
    linkTo(wallet, key) {
      const expiresAt = new Date(now() + ASSET_LINK_LIFETIME_MS);
      return { url: links.sign(LINK_PATH, { wallet, key }, expiresAt), expiresAt };
    },
    lastingLinkTo(wallet, { key, createdAt }, { days, keyId }) {
      const expiresAt = new Date(now() + days * DAY_MS);
      const from = String(Math.floor(now() / 1000));
      const made = String(createdAt.getTime());
      const query = { wallet, key, from, made, ...(keyId !== undefined && { by: keyId }) };
      return { url: links.sign(LINK_PATH, query, expiresAt), expiresAt };
    },
    verifyLink: (link) => verifyLink(parts, link),
    async behindLink(url) {
      const link = assetLinkIn(new URL(url).searchParams);
      const row = (await verifyLink(parts, link))
        ? await store.selectAsset(database, link.wallet, link.key)
        : undefined;
      return row && store.assetOf(row);
    },
    ...createEarlier(parts),
  };
}

async function verifyLink(parts: AssetsDeps, { exp, sig, ...link }: AssetLink): Promise<boolean> {
  const { wallet, key, from, made, by } = link;
  const query = Object.fromEntries(Object.entries(link).filter(([, value]) => value !== ''));
  if (!parts.links.verify(LINK_PATH, query, exp, sig)) return false;
  const madeAtMs = from === '' ? Number(exp) * 1000 - ASSET_LINK_LIFETIME_MS : Number(from) * 1000;
  if (isOlder(madeAtMs, await parts.lockedAt(wallet))) return false;
  if (from === '') return true;
  if (by !== '' && !(await parts.isKeyInForce(wallet, by))) return false;
  const asset = await store.selectAsset(parts.database, wallet, key);
  return asset !== undefined && asset.created_at.getTime() === Number(made);
}

/**
 * Links from before the lock of the wallet become invalid, because anyone could have created them. Links have whole seconds, so
 * those of the same second become invalid too.
 */
const isOlder = (madeAtMs: number, lockedAt: Date | undefined): boolean =>
  lockedAt !== undefined && madeAtMs < lockedAt.getTime();

/** Cache lifetime of the total of all wallets, whose computation reads a row per wallet. */
const TOTAL_REMEMBERED_MS = 10_000;

/**
 * Checks the storage limit of the server. The total is cached, with the bytes this process saves meanwhile, and read again before
 * a file is refused. @throws AtelierError storage_full
 */
function createTotal({
  database,
  bytesMax = ASSETS_BYTES_MAX,
}: Pick<AssetsDeps, 'database' | 'bytesMax'>): (bytes: number) => Promise<void> {
  let total = 0;
  let readUntil = Number.NEGATIVE_INFINITY;
  const read = async () => {
    total = await store.sumUse(database);
    readUntil = performance.now() + TOTAL_REMEMBERED_MS;
  };
  return async (bytes) => {
    if (performance.now() >= readUntil) await read();
    if (total + bytes > bytesMax) await read();
    if (total + bytes > bytesMax) throw allFull();
    total += bytes;
  };
}

async function save(
  parts: AssetsDeps,
  requireTotal: (bytes: number) => Promise<void>,
  asset: NewAsset,
): ReturnType<Assets['save']> {
  const { database, blobs, quota } = parts;
  const { wallet, bytes, contentType } = asset;
  const key = newAssetKey(asset.key);
  const metadata = metadataText(asset.metadata);
  checkSize(bytes);
  const use = await store.selectUse(database, wallet);
  await refuseBeforeWriting(database, { wallet, key, sizeBytes: bytes.length, ...use });
  await requireTotal(bytes.length);
  await quota?.take(bytes.length);
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

/** Early check, so that a full wallet does not fill the disk with refused files; the database is authoritative. */
async function refuseBeforeWriting(
  database: Database,
  {
    wallet,
    key,
    sizeBytes,
    usedBytes,
    limitBytes,
  }: { wallet: string; key: string; sizeBytes: number; usedBytes: number; limitBytes: number },
): Promise<void> {
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
      `The asset has ${bytes.length} bytes. The limit is ${ASSET_BYTES_MAX} bytes (10 MB).`,
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
    `metadata has ${sizeBytes} bytes as JSON. The limit is ${ASSET_METADATA_BYTES_MAX}. Save larger data as a separate asset.`,
  );
}

const notFound = (key: string): AtelierError =>
  new AtelierError(
    'asset_not_found',
    `This wallet has no asset named ${JSON.stringify(key.slice(0, 100))}. list_assets lists all keys.`,
  );

const allFull = (): AtelierError =>
  new AtelierError(
    'storage_full',
    'The asset storage of this server is full, so nothing was saved. Try again later.',
    {
      retryAfterSeconds: 600,
    },
  );

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Earlier versions of replaced and deleted assets. The database creates them. */
function createEarlier({
  database,
  blobs,
}: {
  readonly database: Database;
  readonly blobs: Pick<Blobs, 'open'>;
}): EarlierAssets {
  return {
    versions: (wallet, key) => earlier.selectEarlier(database, { wallet, key: assetKey(key) }),
    trash: (wallet, page) => earlier.selectTrash(database, wallet, page),
    async openEarlier(wallet, id) {
      const found = ID.test(id) ? await earlier.selectOne(database, { wallet, id }) : undefined;
      if (!found) throw versionNotFound();
      return { earlier: found, blob: await blobs.open(found.sha256) };
    },
    async restore(wallet, id) {
      if (!ID.test(id)) throw versionNotFound();
      const row = await earlier.restoreAsset(database, { wallet, id }).catch((error: unknown) => {
        throw store.isQuotaViolation(error) ? quotaExceeded() : error;
      });
      if (!row) throw versionNotFound();
      return { asset: store.assetOf(row), storage: await store.selectUse(database, wallet) };
    },
    async purge(wallet, id) {
      const freedBytes = ID.test(id) ? await earlier.deleteEarlier(database, { wallet, id }) : undefined;
      if (freedBytes === undefined) throw versionNotFound();
      return { freedBytes, storage: await store.selectUse(database, wallet) };
    },
    sweep: (now) => earlier.purgeDue(database, now, PURGED_A_ROUND),
  };
}

const versionNotFound = (): AtelierError =>
  new AtelierError(
    'asset_not_found',
    'This wallet has no file with that id. GET /api/assets/versions lists the versions of a key, GET /api/assets/trash the files deleted in the last 7 days.',
  );
