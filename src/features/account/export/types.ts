/** Account export, import and deletion. See docs/concepts/leaving.md. */
export interface Leaving {
  /**
   * Exports a wallet as a tar archive with a signed manifest in front. Memory holds only the manifest and a chunk of one file.
   * @throws AtelierError storage_quota_exceeded where an archive may not list as much
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
  /** Of the manifest. */
  readonly sha256: string;
  chunks(): AsyncGenerator<Uint8Array>;
}

export interface ImportOptions {
  /** Keys that are there with other bytes: the archive's take their place, and they become versions. */
  readonly replaces: boolean;
  /** Of the client, whose share of the disk the manifest counts for. */
  readonly address: string;
  readonly signal: AbortSignal;
}

export interface Imported {
  /** The signing server. */
  readonly server: string;
  /** Who vouches for its key: this server, the signing one, or the operator of this one. */
  readonly trustedBy: 'this_server' | 'its_server' | 'operator';
  readonly exportedAt: string;
  readonly counts: {
    /** New or replaced keys. */
    readonly assets: number;
    /** Keys with the same bytes here. */
    readonly unchanged: number;
    /** Keys with other bytes here, which stay. */
    readonly skipped: number;
    readonly versions: number;
    readonly records: number;
    readonly workspaces: number;
    /** Workspaces whose id is taken here, which stay. */
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
