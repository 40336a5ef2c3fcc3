/** Files a wallet keeps, named by (wallet, key). Bytes are content-addressed and checked when read. */
export interface Assets {
  /** @throws AtelierError asset_too_large, storage_quota_exceeded */
  save(asset: { wallet: string; key: string; bytes: Uint8Array; contentType: string; metadata?: Record<string, unknown> }): Promise<{ asset: Asset; overwritten: boolean; storage: StorageUse }>;
  /** @throws AtelierError asset_not_found; internal_error when the stored bytes no longer have their sha256 */
  open(wallet: string, key: string): Promise<{ asset: Asset; bytes: Uint8Array }>;
  find(wallet: string, key: string): Promise<Asset | undefined>;
  list(wallet: string, page: { prefix: string; limit: number; cursor?: string }): Promise<{ assets: Asset[]; count: number; totalBytes: number; nextCursor: string | null }>;
  /** @throws AtelierError asset_not_found */
  remove(wallet: string, key: string): Promise<{ freedBytes: number; storage: StorageUse }>;
  use(wallet: string): Promise<StorageUse>;
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
