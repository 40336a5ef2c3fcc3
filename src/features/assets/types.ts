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
  /** As `linkTo`, for a longer time. Ends early when the asset is deleted or the key that requested the link ends. */
  lastingLinkTo(wallet: string, asset: Asset, terms: LinkTerms): SignedLink;
  /** The asset of a link of this server; undefined for other URLs and invalid links. */
  behindLink(url: string): Promise<Asset | undefined>;
  /** Whether the signature is valid, the link has not expired, and its wallet was not locked after its creation. */
  verifyLink(link: AssetLink): Promise<boolean>;
}

export interface SignedLink {
  readonly url: string;
  readonly expiresAt: Date;
}

export interface LinkTerms {
  readonly days: number;
  /** Id of the key that requests the link; absent for the owner, or where the address is enough. */
  readonly keyId?: string | undefined;
}

/** The query of a link. `from`, `made` and `by` are empty except in links for more than 24 hours. */
export interface AssetLink {
  readonly wallet: string;
  readonly key: string;
  /** When the link was created, in Unix seconds. */
  readonly from: string;
  /** When the asset was created, in Unix milliseconds. The link is not valid for a later asset with the same key. */
  readonly made: string;
  /** Id of the key that requested it. */
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
  /** Only versions with a lower number. */
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
  /** Bytes of earlier versions and the trash, which have a separate quota. */
  readonly earlierBytes: number;
}
