/** Files stored by a wallet, named by (wallet, key). Bytes are content-addressed and verified when read. */
export interface Assets extends EarlierAssets {
  /**
   * Saves bytes under a key and replaces an existing asset. Keys are normalised to NFC.
   * @throws AtelierError invalid_input, asset_too_large, storage_quota_exceeded, storage_full
   */
  save(asset: NewAsset): Promise<{ asset: Asset; overwritten: boolean; storage: StorageUse }>;
  /**
   * @throws AtelierError asset_not_found; stored_file_damaged when the stored bytes do not match their sha256; payload_too_large
   * before anything is read; busy
   */
  open(
    wallet: string,
    key: string,
    options?: { bytesMax?: number; copies?: number },
  ): Promise<{ asset: Asset; bytes: Uint8Array }>;
  /** The same as a stream from the disk, without a hash check. @throws AtelierError asset_not_found */
  stream(wallet: string, key: string): Promise<{ asset: Asset; blob: Blob }>;
  find(wallet: string, key: string): Promise<Asset | undefined>;
  /** Sorted by code point. `count` and `totalBytes` cover all keys with the prefix, not the page. */
  list(
    wallet: string,
    page: AssetPage,
  ): Promise<{ assets: Asset[]; count: number; totalBytes: number; nextCursor: string | null }>;
  /** Moves an asset to the trash, where it can be restored for seven days. @throws AtelierError asset_not_found */
  remove(wallet: string, key: string): Promise<{ freedBytes: number; storage: StorageUse }>;
  use(wallet: string): Promise<StorageUse>;
  /** Public URL of the asset, valid for 24 hours; follows the key when the asset is replaced. */
  linkTo(wallet: string, key: string): SignedLink;
  /** The same for a longer time. Ends early when the asset is deleted, or the key of the wallet that made the link ends. */
  lastingLinkTo(wallet: string, asset: Asset, terms: LinkTerms): SignedLink;
  /** The asset behind a URL of this server that is such a link; undefined where it leads nowhere. */
  behindLink(url: string): Promise<Asset | undefined>;
  /** Whether the signature of the link is valid, it has not ended, and its wallet was not locked after it was made. */
  verifyLink(link: AssetLink): Promise<boolean>;
}

export interface SignedLink {
  readonly url: string;
  readonly expiresAt: Date;
}

export interface LinkTerms {
  readonly days: number;
  /** Id of the key that asks for the link; absent for the owner, or where the address is enough. */
  readonly keyId?: string | undefined;
}

/** The query of a link. `from`, `made` and `by` are those of a lasting link, else empty. */
export interface AssetLink {
  readonly wallet: string;
  readonly key: string;
  /** When the link was made, in Unix seconds. */
  readonly from: string;
  /** When the asset was created, in Unix milliseconds: a later asset under the same key is another one. */
  readonly made: string;
  /** Id of the key that asked for it. */
  readonly by: string;
  /** When it expires, in Unix seconds. */
  readonly exp: string;
  readonly sig: string;
}

/** Earlier versions of assets. */
export interface EarlierAssets {
  /** Versions of one key, newest first: ten at most. */
  versions(wallet: string, key: string): Promise<EarlierAsset[]>;
  /** Deleted assets that can be restored, newest first. */
  trash(wallet: string, page: TrashPage): Promise<EarlierAsset[]>;
  /** The bytes as a stream from the disk. @throws AtelierError asset_not_found */
  openEarlier(wallet: string, id: string): Promise<{ earlier: EarlierAsset; blob: Blob }>;
  /**
   * Restores a version under its key; the current asset becomes a version. @throws AtelierError asset_not_found,
   * storage_quota_exceeded
   */
  restore(wallet: string, id: string): Promise<{ asset: Asset; storage: StorageUse }>;
  /** Deletes a version permanently. @throws AtelierError asset_not_found */
  purge(wallet: string, id: string): Promise<{ freedBytes: number; storage: StorageUse }>;
  /** Deletes expired trash; returns the number. */
  sweep(now: Date): Promise<number>;
}

export interface TrashPage {
  readonly limit: number;
  /** Before this number. */
  readonly before?: number | undefined;
}

export interface EarlierAsset extends Omit<Asset, 'createdAt' | 'updatedAt'> {
  /** A UUID. */
  readonly id: string;
  /** Sequence number of versions. */
  readonly number: number;
  readonly savedAt: Date;
  /** When it was replaced or deleted. */
  readonly endedAt: Date;
  readonly isDeleted: boolean;
  /** When it is deleted permanently; null while its key exists. */
  readonly purgeAt: Date | null;
}

export interface NewAsset {
  readonly wallet: string;
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly metadata?: Record<string, unknown>;
  /** The open hold that pays for it: if it is released, the save is undone. */
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
  /** Of earlier versions and the trash, which have a quota of their own. */
  readonly earlierBytes: number;
}
