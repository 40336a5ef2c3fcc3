/** Account export, import and deletion. See docs/concepts/leaving.md. */
export interface AccountExport {
  /**
   * Exports a wallet as a tar archive with a signed manifest in front. Memory holds only the manifest and a chunk of one file.
   * @throws AtelierError storage_quota_exceeded where the manifest exceeds its limit
   */
  exportWallet(wallet: string): Promise<WalletArchive>;
  /**
   * Imports an archive of this or another server into its wallet, all or nothing. Idempotent.
   * @throws AtelierError archive_invalid saying what is wrong; wallet_mismatch; storage_quota_exceeded, storage_full, too_much_kept
   */
  importWallet(wallet: string, archive: AsyncIterable<Uint8Array>, options: ImportOptions): Promise<Imported>;
  /** Closes the account, or returns the effect of doing so. */
  close(wallet: string, options: { readonly isDry: boolean }): Promise<Closed>;
  /** Reopens a wallet closed by its owner. False where it was not closed. */
  reopen(wallet: string): Promise<boolean>;
}

export interface WalletArchive {
  /** SHA-256 of the manifest. */
  readonly sha256: string;
  chunks(): AsyncGenerator<Uint8Array>;
}

export interface ImportOptions {
  /** Replaces existing keys that have other bytes; the replaced files become versions. */
  readonly replaces: boolean;
  /** Network address of the client, whose disk quota the manifest counts against. */
  readonly address: string;
  readonly signal: AbortSignal;
}

export interface Imported {
  /** The signing server. */
  readonly server: string;
  /** Why its key is trusted: it belongs to this server, the signing server publishes it, or the operator trusts it. */
  readonly trustedBy: 'this_server' | 'its_server' | 'operator';
  readonly exportedAt: string;
  readonly counts: {
    /** New or replaced keys. */
    readonly assets: number;
    /** Existing keys with the same bytes. */
    readonly unchanged: number;
    /** Existing keys with other bytes, left unchanged. */
    readonly skipped: number;
    readonly versions: number;
    readonly records: number;
    readonly workspaces: number;
    /** Existing workspaces with the same id, left unchanged. */
    readonly workspaces_unchanged: number;
  };
  /** Some of the skipped keys. */
  readonly skippedKeys: readonly string[];
}

export interface Closed {
  /** Remaining millicredits, which can no longer be spent. */
  readonly balance: number;
  readonly counts: {
    readonly keys: number;
    readonly sessions: number;
    readonly assets: number;
    readonly webhooks: number;
    readonly jobs: number;
    readonly posts: number;
    readonly recipes: number;
    readonly workspaces: number;
  };
  /** When the trash is deleted permanently. */
  readonly purgeAt: Date;
}
