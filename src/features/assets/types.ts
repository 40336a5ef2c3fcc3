/** Files a wallet keeps, named by (wallet, key). Bytes are content-addressed and checked when read. */
export interface Assets extends EarlierAssets {
  /**
   * Keeps the bytes under the key, replacing what was there. Keys are normalised to NFC.
   * @throws AtelierError invalid_input, asset_too_large, storage_quota_exceeded, storage_full
   */
  save(asset: NewAsset): Promise<{ asset: Asset; overwritten: boolean; storage: StorageUse }>;
  /**
   * @throws AtelierError asset_not_found; stored_file_damaged when the stored bytes no longer have their sha256;
   * payload_too_large before anything is read; busy
   */
  open(
    wallet: string,
    key: string,
    options?: { bytesMax?: number; copies?: number },
  ): Promise<{ asset: Asset; bytes: Uint8Array }>;
  /** The same for whoever passes it on: read from the disk as it is used, and not checked. @throws AtelierError asset_not_found */
  stream(wallet: string, key: string): Promise<{ asset: Asset; blob: Blob }>;
  find(wallet: string, key: string): Promise<Asset | undefined>;
  /** In the order of code points. `count` and `totalBytes` are those of all keys with the prefix, not of the page. */
  list(
    wallet: string,
    page: AssetPage,
  ): Promise<{ assets: Asset[]; count: number; totalBytes: number; nextCursor: string | null }>;
  /** Into the trash, from where it can be restored for seven days. @throws AtelierError asset_not_found */
  remove(wallet: string, key: string): Promise<{ freedBytes: number; storage: StorageUse }>;
  use(wallet: string): Promise<StorageUse>;
  /** Address anybody can read the asset at for 24 hours; it follows the key when the asset is replaced. */
  linkTo(wallet: string, key: string): string;
  /** True when the link's signature is ours, it has not expired, and its wallet was not locked after it was made. */
  verifyLink(wallet: string, key: string, expiresAt: string, signature: string): Promise<boolean>;
}

/** What assets were before they were saved again or deleted. */
export interface EarlierAssets {
  /** Of one key, newest first: ten at most. */
  versions(wallet: string, key: string): Promise<EarlierAsset[]>;
  /** What was deleted and can be restored, newest first. */
  trash(wallet: string, page: TrashPage): Promise<EarlierAsset[]>;
  /** Its bytes, read from the disk as they are used. @throws AtelierError asset_not_found */
  openEarlier(wallet: string, id: string): Promise<{ earlier: EarlierAsset; blob: Blob }>;
  /** Makes it what its key holds; what that holds now becomes a version. @throws AtelierError asset_not_found, storage_quota_exceeded */
  restore(wallet: string, id: string): Promise<{ asset: Asset; storage: StorageUse }>;
  /** Forgets it for good, at once. @throws AtelierError asset_not_found */
  purge(wallet: string, id: string): Promise<{ freedBytes: number; storage: StorageUse }>;
  /** Forgets what has been in the trash for long enough; returns how much. */
  sweep(now: Date): Promise<number>;
}

export interface TrashPage {
  readonly limit: number;
  /** Older than this number. */
  readonly before?: number | undefined;
}

export interface EarlierAsset extends Omit<Asset, 'createdAt' | 'updatedAt'> {
  /** A UUID. */
  readonly id: string;
  /** Its place in the order in which things became earlier. */
  readonly number: number;
  readonly savedAt: Date;
  /** When it was replaced or deleted. */
  readonly endedAt: Date;
  readonly isDeleted: boolean;
  /** When it is forgotten; null while its key is there. */
  readonly purgeAt: Date | null;
}

export interface NewAsset {
  readonly wallet: string;
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly metadata?: Record<string, unknown>;
  /** The open hold that pays for it: when the credits are given back, the save is undone. */
  readonly hold?: string;
}

export interface AssetPage {
  readonly prefix: string;
  readonly limit: number;
  readonly cursor?: string;
}

export interface Asset {
  readonly key: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly metadata: Record<string, unknown> | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface StorageUse {
  readonly usedBytes: number;
  readonly limitBytes: number;
  /** Of earlier versions and the trash, which take nothing of it. */
  readonly earlierBytes: number;
}
