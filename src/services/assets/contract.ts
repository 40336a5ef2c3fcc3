/** Files a wallet keeps, named by (wallet, key). Bytes are content-addressed and checked when read. */
export interface Assets {
  /**
   * Keeps the bytes under the key, replacing what was there. Keys are normalised to NFC.
   * @throws AtelierError invalid_input, asset_too_large, storage_quota_exceeded, storage_full
   */
  save(asset: NewAsset): Promise<{ asset: Asset; overwritten: boolean; storage: StorageUse }>;
  /**
   * @throws AtelierError asset_not_found; internal_error when the stored bytes no longer have their sha256;
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
  /** @throws AtelierError asset_not_found */
  remove(wallet: string, key: string): Promise<{ freedBytes: number; storage: StorageUse }>;
  use(wallet: string): Promise<StorageUse>;
  /** Address anybody can read the asset at for 24 hours; it follows the key when the asset is replaced. */
  linkTo(wallet: string, key: string): string;
  /** True when the link's signature is ours, it has not expired, and its wallet was not locked after it was made. */
  verifyLink(wallet: string, key: string, expiresAt: string, signature: string): Promise<boolean>;
  /** Which of these blobs assets refer to: the rest may be swept as far as assets are concerned. */
  blobsInUse(sha256s: string[]): Promise<Set<string>>;
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
}
