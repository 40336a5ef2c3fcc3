import type { DeclaredBinding } from '@atelier/imaging/provenance/c2pa/read_manifest.ts';

/** C2PA manifest stores kept separately, so that an image that lost its manifest can be matched to it again. */
export interface StoredManifests {
  /**
   * Stores a manifest store. A repeated call of the same wallet adds only new facts about its image.
   * @throws AtelierError payload_too_large, too_much_kept, storage_quota_exceeded, storage_full
   */
  keep(manifest: NewManifest): Promise<StoredManifest>;
  /**
   * The store with an identifier: this server's own first, then the earliest.
   * @param sha256 selects one of several
   */
  find(id: string, sha256?: string): Promise<StoredManifest | undefined>;
  /**
   * A paid store of a wallet.
   * @param sha256 of the store
   */
  findOf(wallet: string, sha256: string): Promise<StoredManifest | undefined>;
  /**
   * The bytes as stored.
   * @param options `activeOnly`: a store with the active manifest alone, without its ingredients
   * @throws AtelierError stored_file_damaged if they are missing or changed
   */
  bytesOf(manifest: Pick<StoredManifest, 'sha256'>, options?: { activeOnly?: boolean }): Promise<Uint8Array>;
  /** Stores bound to registrations (`hash_…`) or known works, at most MANIFESTS_ANSWERED_MAX. */
  ofLookalikes(ids: readonly string[]): Promise<StoredManifest[]>;
  /**
   * Stores of images in which this watermark was read.
   * @param markId 12 hex digits
   */
  ofMark(markId: string): Promise<StoredManifest[]>;
  /**
   * Stores that declare a soft binding themselves.
   * @param values forms that one value may have been written in
   */
  ofBinding(alg: string, values: readonly string[]): Promise<StoredManifest[]>;
  /** Deletes a wallet's stores with an identifier, and those derived from them. Returns the number. */
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
  /** Registration of the image, or the known work it matches. */
  readonly boundTo?: string | undefined;
  /** The watermark read in that image. */
  readonly markId?: string | undefined;
  /** Watermarks and fingerprints that the manifest declares. */
  readonly softBindings?: readonly DeclaredBinding[] | undefined;
  /** The store of the source image, for a derived image; at most MADE_MANIFESTS_MAX per wallet. */
  readonly madeFrom?: string | undefined;
  /** The open hold that pays for it. The store is deleted if the hold is released. */
  readonly hold?: string | undefined;
}

export interface StoredManifest {
  readonly id: string;
  /** Hash of the store. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly isOurs: boolean;
  readonly boundTo: string | null;
  readonly markId: string | null;
  /** sha256 of the source image's store; null for a store that was registered directly. */
  readonly madeFrom: string | null;
  readonly keptAt: Date;
}
