/** Permanent, content-addressed file storage. */
export interface PermanentStore {
  /** Name of the store in responses. */
  readonly name: 'archive' | 'arweave';
  /**
   * Stores a file permanently. Idempotent for the same bytes with the same metadata.
   * @throws AtelierError storage_full, upstream_failed, invalid_input (metadata)
   */
  put(file: NewArchiveFile): Promise<ArchiveEntry>;
}

export interface NewArchiveFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly metadata: object;
  /** Open hold that pays for the entry. Releasing it removes the entry. */
  readonly hold?: string | undefined;
  /** Aborts the upload. */
  readonly signal: AbortSignal;
}

export interface ArchiveEntry {
  /** Permanent id of the record. */
  readonly tx: string;
  /** URL of its record. */
  readonly provenanceUri: string;
  /** URL of the bytes. */
  readonly url: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** True if it was stored permanently before this call, so that nothing was added. */
  readonly wasKept: boolean;
}

interface ArchivedRecord {
  readonly record: string;
}

interface ArchivedFile {
  readonly blob: Blob;
  readonly sha256: string;
  readonly contentType: string;
}

/** The archive of this server, the default store. */
export interface Archive extends PermanentStore {
  /** Opens the record or file of a CID, streamed from disk, with its type. */
  open(cid: string): Promise<ArchivedRecord | ArchivedFile | undefined>;
  /**
   * Exports record and file as CARv1; for the CID of a file, only the file. Reads nothing before the first
   * chunk is requested.
   */
  exportCar(cid: string): Promise<(() => AsyncGenerator<Uint8Array>) | undefined>;
}

/** Reads items that this server has stored on Arweave, through a gateway. */
export interface ArweaveReader {
  /**
   * Opens a record or file stored by this server, if the gateway returns its exact bytes.
   * @param id of the data item
   * @throws AtelierError upstream_failed, timed_out
   */
  open(id: string, signal: AbortSignal): Promise<{ bytes: Uint8Array; contentType: string } | undefined>;
}
