/** C2PA manifest stores kept apart from their pictures, so that a picture that lost its own comes back to it. */
export interface KeptManifests {
  /**
   * Keeps a store. The same one of the same wallet is kept once, with what is newly known of its picture.
   * @throws AtelierError payload_too_large, too_much_kept, storage_quota_exceeded, storage_full
   */
  keep(manifest: NewManifest): Promise<KeptManifest>;
  /** The store under an identifier: that of this server first, then the earliest. @param sha256 of the one that is meant */
  find(id: string, sha256?: string): Promise<KeptManifest | undefined>;
  /** The store a wallet has kept, once it is paid for. @param sha256 of the store */
  findOf(wallet: string, sha256: string): Promise<KeptManifest | undefined>;
  /**
   * Its bytes, as they were kept.
   * @param options `activeOnly`: a store of the active manifest alone, without those it was made from
   * @throws AtelierError stored_file_damaged when they are gone or changed
   */
  bytesOf(manifest: Pick<KeptManifest, 'sha256'>, options?: { activeOnly?: boolean }): Promise<Uint8Array>;
  /** Those bound to registrations (`hash_…`) or known works, at most MANIFESTS_ANSWERED_MAX. */
  ofLookalikes(ids: readonly string[]): Promise<KeptManifest[]>;
  /** Those of pictures in which this watermark was read. @param markId 12 hex digits */
  ofMark(markId: string): Promise<KeptManifest[]>;
  /** Forgets those of a wallet under an identifier, with those made of them; answers how many there were. */
  remove(wallet: string, id: string): Promise<number>;
}

export interface NewManifest {
  /** Label of the active manifest. */
  readonly id: string;
  /** The store, byte for byte. */
  readonly store: Uint8Array;
  readonly wallet?: string | undefined;
  /** Written and signed by this server. */
  readonly isOurs: boolean;
  /** Registration of the picture it vouches for, or the known work that looks like it. */
  readonly boundTo?: string | undefined;
  /** The watermark that was read in that picture. */
  readonly markId?: string | undefined;
  /** Of the store that was kept for the picture this one was made of; at most MADE_MANIFESTS_MAX a wallet. */
  readonly madeFrom?: string | undefined;
  /** The open hold that pays for it: when the credits are given back, it is forgotten. */
  readonly hold?: string | undefined;
}

export interface KeptManifest {
  readonly id: string;
  /** Of the store. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly isOurs: boolean;
  readonly boundTo: string | null;
  readonly markId: string | null;
  /** sha256 of the store of the picture this one was made of; null where it was kept for itself. */
  readonly madeFrom: string | null;
  readonly keptAt: Date;
}
