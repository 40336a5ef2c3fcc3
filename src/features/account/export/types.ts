/** Taking a wallet away: as an archive to another server, or for good. See docs/concepts/leaving.md. */
export interface Leaving {
  /**
   * Everything a wallet keeps here, as a tar archive with a signed manifest in front. Nothing is held in memory but the manifest and a
   * piece of one file. @throws AtelierError storage_quota_exceeded where there is more than one archive may list
   */
  exportWallet(wallet: string): Promise<WalletArchive>;
  /**
   * Takes such an archive, of this server or of another one, into the wallet it is of: all of it or nothing. The same archive again
   * changes nothing.
   * @throws AtelierError archive_invalid saying what does not hold; wallet_mismatch; storage_quota_exceeded, storage_full, too_much_kept
   */
  importWallet(wallet: string, archive: AsyncIterable<Uint8Array>, options: ImportOptions): Promise<Imported>;
  /** Closes the account, or tells what that would do. */
  close(wallet: string, options: { readonly isDry: boolean }): Promise<Closed>;
  /** Lets a wallet its owner has closed spend again. False where it was not closed so. */
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
  readonly signal: AbortSignal;
}

export interface Imported {
  /** The server that signed. */
  readonly server: string;
  /** Who answers for its key: this server, the one that signed, or the operator of this one. */
  readonly trustedBy: 'this_server' | 'its_server' | 'operator';
  readonly exportedAt: string;
  readonly counts: {
    /** Keys that are new here, or changed. */
    readonly assets: number;
    /** Those that were here with the same bytes. */
    readonly unchanged: number;
    /** Those that were here with others, and stay. */
    readonly skipped: number;
    readonly versions: number;
    readonly records: number;
  };
  /** Some of the keys that stay. */
  readonly skippedKeys: readonly string[];
}

export interface Closed {
  /** Millicredits that are left, and can no more be spent. */
  readonly balance: number;
  readonly counts: {
    readonly keys: number;
    readonly sessions: number;
    readonly assets: number;
    readonly webhooks: number;
    readonly jobs: number;
    readonly posts: number;
    readonly recipes: number;
  };
  /** When what went into the trash is forgotten. */
  readonly purgeAt: Date;
}
